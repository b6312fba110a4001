"""How many bytes does the KV cache take?

A layer with a window keeps the window's last tokens and no more; MLA keeps its latent once.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from pysim import checks
from pysim.arrays.numeric import checked, common_shape, is_plain, lesser
from pysim.formats.names import kv_format
from pysim.models.model import Model

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric


def kv_bytes_per_token(model: Model, kv: str = "f16") -> float:
    """Bytes that one more token adds over all layers while every window still has room."""
    checks.instance(model, Model, "model", "load_model")
    return model.num_hidden_layers * row_bytes(model, kv)


@overload
def kv_cache_bytes(model: Model, tokens: float, kv: str = "f16", sequences: float = 1) -> float: ...
@overload
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric: ...
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric:
    """Bytes of the cache that `sequences` conversations of `tokens` tokens each have in use.

    `tokens` and `sequences` may be numpy arrays that broadcast. `kv` is a format's common name.
    """
    checks.instance(model, Model, "model", "load_model")
    tokens, sequences = checked(tokens, "tokens"), checked(sequences, "sequences")
    if not is_plain(tokens, sequences):
        common_shape(tokens=tokens, sequences=sequences)
    return rows_kept(windows(model), tokens) * row_bytes(model, kv) * sequences


def paged_kv_bytes(
    model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1, *, block_tokens: int
) -> Numeric:
    """Bytes of the blocks that hold the cache: each sequence's last block is taken whole."""
    block = checks.count(block_tokens, "block_tokens")
    return kv_cache_bytes(model, _rounded_up(checked(tokens, "tokens"), block), kv, sequences)


def reserved_kv_bytes(model: Model, context_tokens: Numeric, slots: Numeric, kv: str = "f16") -> Numeric:
    """Bytes taken when every slot's whole context is set aside before the first token arrives."""
    return kv_cache_bytes(model, context_tokens, kv, slots)


def paged_capacity_tokens(model: Model, free_bytes: float, kv: str = "f16", *, block_tokens: int) -> int:
    """How many tokens whole blocks in `free_bytes` hold, every layer keeping all of them."""
    free = checks.amount(free_bytes, "free_bytes")
    block = checks.count(block_tokens, "block_tokens")
    return int(free // (block * kv_bytes_per_token(model, kv))) * block


Windows = tuple[tuple[int, int | None], ...]


@lru_cache(maxsize=512)
def windows(model: Model, first: int = 0, end: int | None = None) -> Windows:
    """How many of the layers from `first` to before `end` look back how far; None is all the way."""
    layers = range(first, model.num_hidden_layers if end is None else end)
    return tuple((count, window) for window, count in Counter(model.window(layer) for layer in layers).items())


@overload
def rows_kept(of: Windows, tokens: float) -> float: ...
@overload
def rows_kept(of: Windows, tokens: Numeric) -> Numeric: ...
def rows_kept(of: Windows, tokens: Numeric) -> Numeric:
    """Rows that layers with these windows keep of `tokens` tokens, summed over the layers."""
    rows: Numeric = 0.0
    for layers, window in of:
        rows = rows + layers * (tokens if window is None else lesser(tokens, window))
    return rows


def row_bytes(model: Model, kv: str) -> float:
    """Bytes of one row: what one layer keeps of one token."""
    return model.kv_elements_per_token_per_layer * kv_format(kv).bits_per_element / 8


def _rounded_up(tokens: Numeric, block: int) -> Numeric:
    if isinstance(tokens, int | float):
        return math.ceil(tokens / block) * block
    import numpy as np

    return np.ceil(tokens / block) * block
