"""Which engine and backend does a name mean, as people write them?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pysim.errors import BadValue

TYPICAL: Final = "typical"

# Programs that run another one's engine, and short names; all else keeps its own name.
_ENGINES: Final = {
    "ollama": "llama.cpp", "ollama or llama.cpp": "llama.cpp", "lm studio": "llama.cpp", "koboldcpp": "llama.cpp",
    "llamafile": "llama.cpp", "llama-cpp-python": "llama.cpp", "gpt4all": "llama.cpp", "llamacpp": "llama.cpp",
    "ik llama.cpp": "ik_llama.cpp", "transformers": "hf transformers", "hugging face transformers": "hf transformers",
    "trt-llm": "tensorrt-llm", "tensorrt llm": "tensorrt-llm", "lmdeploy": "lmdeploy turbomind",
    "turbomind": "lmdeploy turbomind", "mlx": "mlx-lm", "openvino": "openvino genai", "exllama": "exllamav2",
}  # fmt: skip
_BACKENDS: Final = (
    # What stands first decides: hipBLASLt's kernels do the matrices whatever else is built in.
    ("hipblaslt", "hipblaslt"), ("rocwmma", "rocwmma"), ("amdvlk", "amdvlk"), ("vulkan", "vulkan"),
    ("rocm", "rocm"), ("hip", "rocm"), ("cuda", "cuda"), ("metal", "metal"), ("sycl", "sycl"), ("cpu", "cpu"),
)  # fmt: skip
# The backend that an engine uses on a device of a family unless told otherwise.
_USUAL: Final = {
    "apple": "metal", "cpu": "cpu", "nvidia-geforce": "cuda", "nvidia-workstation": "cuda",
    "nvidia-datacenter": "cuda", "nvidia-soc": "cuda", "amd-datacenter": "rocm",
}  # fmt: skip


# Engines that never expand the latents of MLA, https://github.com/ggml-org/llama.cpp/pull/12801.
_ABSORB: Final = frozenset({"llama.cpp", "ik_llama.cpp"})


def absorbs(engine: str | None) -> bool:
    """Does it multiply the cached latents of MLA in long passes too?"""
    return engine is not None and engine_name(engine) in _ABSORB


@lru_cache(maxsize=256)
def engine_name(name: str) -> str:
    """The engine's own name in lower case; a remark in parentheses is ignored."""
    if not isinstance(name, str):
        raise BadValue(f'an engine is a name such as "llama.cpp", or None for the best case, not {name!r:.40}')
    word = re.sub(r"\s+", " ", re.sub(r"\(.*?\)", " ", name.lower())).strip()
    return _ENGINES.get(word, word)


@lru_cache(maxsize=256)
def backend_name(name: str | None, family: str) -> str:
    """The backend in lower case; "" where it is not said, or is the one that the family's devices usually have."""
    if name is None:
        return ""
    if not isinstance(name, str):
        raise BadValue(f'a backend is a name such as "CUDA", or None, not {name!r:.40}')
    word = name.lower()
    for part, backend in _BACKENDS:
        if part in word:
            return "" if _USUAL.get(family) == backend else backend
    return ""
