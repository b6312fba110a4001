"""The windows of a GGUF model: which layers look back only so far, by what the file and llama.cpp say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.errors import BadConfig

if TYPE_CHECKING:
    from pysim.gguf.header import Header

# Architectures whose files name a window's size and leave its layers to llama.cpp: every n-th layer looks back all
# the way, the others on the window (set_swa_pattern in src/llama-model.cpp and src/models, read on 2026-12-01,
# https://github.com/ggml-org/llama.cpp). 0: every layer has the window.
_EVERY: Final = {
    "gemma2": 2, "gemma3": 6, "gemma3n": 5, "gemma-embedding": 6, "gpt-oss": 2, "cohere2": 4, "exaone4": 4,
    "olmo2": 4, "llama4": 4, "smallthinker": 4, "afmoe": 4, "exaone-moe": 4, "phi3": 0,
}  # fmt: skip
# llama.cpp's loader gives these windows a size that the file does not name.
_SIZES: Final = {"llama4": 8192, "gemma2": 4096}
# Here the first of n layers looks back all the way, elsewhere the last.
_FIRST: Final = frozenset({"smallthinker"})


def windows(header: Header, layers: int) -> tuple[tuple[int | None, ...], str]:
    """The window of each layer in tokens, None for all, and what had to be assumed for it ("" for nothing).

    A window of an architecture whose loader reads none (Mistral 7B 0.1 as "llama") is no window.
    """
    every = (None,) * layers
    size = header.of("attention.sliding_window")
    tokens = size if isinstance(size, int) and not isinstance(size, bool) and size > 0 else None
    tokens = tokens or _SIZES.get(header.architecture)
    if tokens is None:
        return every, ""
    pattern = header.of("attention.sliding_window_pattern")
    if isinstance(pattern, tuple):
        if len(pattern) < layers:
            key = f"{header.architecture}.attention.sliding_window_pattern"
            raise BadConfig(f"{key} has {len(pattern):,} entries, but there is a layer {layers - 1:,}")
        return tuple(tokens if windowed else None for windowed in pattern[:layers]), ""
    step = pattern if isinstance(pattern, int) and not isinstance(pattern, bool) else _EVERY.get(header.architecture)
    if step is None:
        note = f"the layers with its window of {tokens:,} tokens are unknown, so all layers are counted with all tokens"
        return every, note
    if step <= 0:
        return (tokens,) * layers, ""
    full = 0 if header.architecture in _FIRST else step - 1
    return tuple(None if layer % step == full else tokens for layer in range(layers)), ""
