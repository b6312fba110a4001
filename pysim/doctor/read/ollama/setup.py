"""What do the lines of an ollama server's log, `ollama ps` and the shell say about what ran on what?

Log: `msg="inference compute" … description="NVIDIA GeForce RTX 5070 Ti" … total="15.9 GiB"`,
`msg="offloaded 29/33 layers to GPU"`, `msg="model weights" device=CUDA0 size="4.6 GiB"`, from ollama's
discover/types.go and ml/backend/ggml/ggml.go; older versions log `layers.model=33 layers.offload=25`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from operator import itemgetter
from typing import Final

from pysim.doctor.read.numbers import number, size_bytes
from pysim.doctor.read.run import Setup
from pysim.doctor.read.text import Text

_PAIR: Final = re.compile(r'(?<![\w.])([\w.]{1,40})=(?:"([^"]{0,200})"|([^\s"]{1,200}))')
_OFFLOADED: Final = re.compile(r"offloaded (\d{1,4})/(\d{1,4}) layers to GPU")
_VERSION: Final = re.compile(r"\(version ([\w.+-]{1,40})\)")
_REQUEST: Final = re.compile(r"\b(Parallel|BatchSize|FlashAttention|KvSize|KvCacheType|NumThreads):(\w{1,20})")
_COMMAND: Final = re.compile(r"--(ctx-size|batch-size|threads|parallel|kv-cache-type|n-gpu-layers) (\w{1,20})")
_RUN: Final = re.compile(r"ollama run(?: --\w{1,20}(?:[= ](?:true|false))?){0,4} ([\w./:-]{2,120})")
_NAMED: Final = re.compile(
    r"(?:--model(?:_path)?[ =]|using model:|model_name {0,4}=|(?<![A-Za-z] )Model:|\bmodel'?[=:])"
    r"\s{0,8}'?([\w./:-]{2,120})"
)
_PS: Final = re.compile(
    r"^\W{0,3}([\w./:-]{2,120})\s+[0-9a-f]{12}\s+([\d.]{1,8} [KMGT]?B)\s+"
    r"(?:(\d{1,3})%/(\d{1,3})% CPU/GPU|100% (GPU|CPU))(?:\s+(\d{1,8})\b)?"
)
_OPTION_FIELDS: Final = {
    "KvSize": "context_tokens", "ctx-size": "context_tokens", "Parallel": "slots", "parallel": "slots",
    "BatchSize": "micro_batch_tokens", "batch-size": "micro_batch_tokens", "NumThreads": "threads",
    "threads": "threads",
}  # fmt: skip
_KIND: Final = {"cuda": "CUDA", "rocm": "ROCm", "metal": "Metal", "vulkan": "Vulkan", "cpu": "CPU", "oneapi": "SYCL"}


def models_named(text: Text) -> list[tuple[int, str]]:
    """Where the text names a model: each `ollama run`, and each script's line that says which one it uses."""
    named = []
    for at in text.places("ollama run", "model", "Model"):
        content = text.lines[at].text
        match = _RUN.search(content) if "ollama run" in content else _NAMED.search(content)
        if match is not None:
            named.append((at, match[1]))
    return named


def model_above(named: list[tuple[int, str]], at: int) -> str | None:
    """The nearest of the models that were named at or above index `at`; below it, if there is but one."""
    place = bisect_right(named, at, key=itemgetter(0))
    if not place and len({name for _, name in named}) == 1:
        place = 1
    return named[place - 1][1] if place else None


def setup(text: Text) -> Setup:
    """All that the text says once for all of its runs; of several loads the last."""
    known: dict[str, object] = {}
    _from_log(text, known)
    _from_table(text, known)
    return Setup(**known)  # type: ignore[arg-type]


def _from_log(text: Text, known: dict[str, object]) -> None:
    _machine(text, known)
    _layers(text, known)
    _weights(text, known)
    for at in text.places("KvSize:"):
        _options(dict(_REQUEST.findall(text.lines[at].text)), known)
    for at in text.places("--ctx-size"):
        if "runner" in text.lines[at].text:
            _options(dict(_COMMAND.findall(text.lines[at].text)), known)
    for at in text.places("(version "):
        version = _VERSION.search(text.lines[at].text)
        if version is not None:
            known["engine_version"] = version[1]


def _machine(text: Text, known: dict[str, object]) -> None:
    """The devices that the server found when it started; graphics before processors."""
    devices = [_pairs(text.lines[at].text) for at in text.places('msg="inference compute"')]
    devices = [pairs for pairs in devices if pairs.get("library", "cpu").lower() != "cpu"] or devices
    if devices:
        name = devices[0].get("description") or devices[0].get("name")
        known["device"] = name if name and name != "cpu" else None
        known["n_devices"] = len({pairs.get("id", str(at)) for at, pairs in enumerate(devices)})
        known["device_memory_bytes"] = size_bytes(devices[0].get("total", ""))
        library = devices[0].get("library", "").lower()
        known["backend"] = _KIND.get(library, library or None)


def _layers(text: Text, known: dict[str, object]) -> None:
    """How many of the layers the last load put on the device."""
    for at in text.places("layers to GPU"):
        match = _OFFLOADED.search(text.lines[at].text)
        if match is not None:
            known["layers_on_device"], known["layers"] = int(match[1]), int(match[2])
    for at in text.places("msg=offload"):
        pairs = _pairs(text.lines[at].text)
        if "layers.offload" in pairs and "layers_on_device" not in known:
            known["layers_on_device"] = _whole(pairs["layers.offload"])
            known["layers"] = _whole(pairs.get("layers.model", ""))


def _weights(text: Text, known: dict[str, object]) -> None:
    sizes: dict[str, float] = {}
    for at in text.places('msg="model weights"'):
        pairs = _pairs(text.lines[at].text)
        size = size_bytes(pairs.get("size", ""))
        if size is not None:
            sizes[pairs.get("device", pairs.get("buffer", ""))] = size
    if sizes:
        known["weights_bytes"] = math.fsum(sizes.values())


def _options(options: dict[str, str], known: dict[str, object]) -> None:
    for name, value in options.items():
        if name in _OPTION_FIELDS and (amount := _whole(value)):
            known[_OPTION_FIELDS[name]] = amount
    cache = options.get("KvCacheType", options.get("kv-cache-type"))
    if cache:
        known["kv_keys"] = known["kv_values"] = cache
    if options.get("FlashAttention", "").lower() in ("true", "false", "enabled", "disabled"):
        known["flash_attention"] = options["FlashAttention"].lower() in ("true", "enabled")


def _from_table(text: Text, known: dict[str, object]) -> None:
    if "PROCESSOR" not in text.plain:
        return
    for at in text.places("CPU", "GPU"):
        match = _PS.match(text.lines[at].text)
        if match is None:
            continue
        model, _, host, _, alone, context = match.groups()
        known["model"] = model
        known["host_share"] = int(host) / 100 if host is not None else float(alone == "CPU")
        if context is not None:
            known["context_tokens"] = int(context)


def _pairs(line: str) -> dict[str, str]:
    return {match[1]: match[2] or match[3] or "" for match in _PAIR.finditer(line[:4000])}


def _whole(value: str) -> int | None:
    known = number(value)
    return int(known) if known is not None else None
