"""How many bytes does the KV cache take, and how long a context does a memory hold?

A layer with a window keeps the window's last tokens and no more; MLA keeps its latent once.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final, overload

from pysim import checks
from pysim.arrays.numeric import checked, choose, lesser
from pysim.formats.names import kv_format
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from pysim.arrays.numeric import Flags, Numeric
    from pysim.hardware.device import Device
    from pysim.models.model import Model

BLOCK_TOKENS: Final = 16  # vLLM's default block, https://docs.vllm.ai/en/latest/design/paged_attention.html


def kv_bytes_per_token(model: Model, kv: str = "f16") -> float:
    """Bytes that one more token adds over all layers while every window still has room."""
    return model.num_hidden_layers * _row_bytes(model, kv)


@overload
def kv_cache_bytes(model: Model, tokens: float, kv: str = "f16", sequences: float = 1) -> float: ...
@overload
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric: ...
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric:
    """Bytes of the cache that `sequences` conversations of `tokens` tokens each have in use.

    `tokens` and `sequences` may be numpy arrays that broadcast. `kv` is a format's common name.
    """
    tokens, sequences = checked(tokens, "tokens"), checked(sequences, "sequences")
    rows: Numeric = 0.0
    for layers, window in windows(model):
        rows = rows + layers * (tokens if window is None else lesser(tokens, window))
    return rows * _row_bytes(model, kv) * sequences


def paged_kv_bytes(
    model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1, block_tokens: int = BLOCK_TOKENS
) -> Numeric:
    """Bytes of the blocks that hold the cache: each sequence's last block is taken whole."""
    block = checks.count(block_tokens, "block_tokens")
    return kv_cache_bytes(model, _rounded_up(checked(tokens, "tokens"), block), kv, sequences)


def reserved_kv_bytes(model: Model, context_tokens: Numeric, slots: Numeric, kv: str = "f16") -> Numeric:
    """Bytes taken when every slot's whole context is set aside before the first token arrives."""
    return kv_cache_bytes(model, context_tokens, kv, slots)


def paged_capacity_tokens(model: Model, free_bytes: float, kv: str = "f16", block_tokens: int = BLOCK_TOKENS) -> int:
    """How many tokens whole blocks in `free_bytes` hold, every layer keeping all of them."""
    free = checks.amount(free_bytes, "free_bytes")
    block = checks.count(block_tokens, "block_tokens")
    return int(free // (block * kv_bytes_per_token(model, kv))) * block


@overload
def max_context_tokens(
    model: Model, device: Device, weights: str = "f16", kv: str = "f16", sequences: int = 1, reserve_bytes: float = 0
) -> int: ...
@overload
def max_context_tokens(
    model: Model,
    device: Device,
    weights: str = "f16",
    kv: str = "f16",
    sequences: Numeric = 1,
    reserve_bytes: Numeric = 0,
) -> int | NDArray[np.int64]: ...
def max_context_tokens(
    model: Model,
    device: Device,
    weights: str = "f16",
    kv: str = "f16",
    sequences: Numeric = 1,
    reserve_bytes: Numeric = 0,
) -> int | NDArray[np.int64]:
    """The longest context that memory holds for each of `sequences`, beside the weights and a reserve.

    0 where the weights leave no room for one token. This is memory's limit, which may lie beyond what
    the model was trained for (`max_position_embeddings`); where windows bound the whole cache and
    it fits, memory sets none and the model's own is returned. Arrays broadcast. MissingFact if the
    memory's size is not known.
    """
    several = checked(sequences, "sequences", least=1)
    reserve = checked(reserve_bytes, "reserve_bytes")
    free = device.memory - weights_bytes(model, weights) - reserve
    budget = free / several / _row_bytes(model, kv)  # rows: one token in one layer
    longest: Numeric = model.max_position_embeddings
    held = 0.0  # rows of windowed layers that are full at the context reached so far
    growing = model.num_hidden_layers
    limits: list[tuple[Flags, Numeric]] = []
    for layers, window in sorted(windows(model), key=lambda each: each[1] or math.inf):
        # A context that fits exactly must not lose a token to the last bit of a division.
        reached = (budget - held) / growing * (1 + 2**-50)
        limits.append((window is None or reached < window, reached))
        held += layers * (window or 0)
        growing -= layers
    for stops, reached in reversed(limits):
        longest = choose(stops, reached, longest)
    if isinstance(longest, int | float):
        return max(0, math.floor(longest))
    import numpy as np

    return np.maximum(0, np.floor(np.broadcast_to(longest, np.shape(budget)))).astype(np.int64)


@lru_cache(maxsize=512)
def windows(model: Model) -> tuple[tuple[int, int | None], ...]:
    """How many layers look back how far; None is all the way."""
    found = Counter(model.window(layer) for layer in range(model.num_hidden_layers))
    return tuple((layers, window) for window, layers in found.items())


def _row_bytes(model: Model, kv: str) -> float:
    """Bytes of one token in one layer."""
    return model.kv_elements_per_token_per_layer * kv_format(kv).bits_per_element / 8


def _rounded_up(tokens: Numeric, block: int) -> Numeric:
    if isinstance(tokens, int | float):
        return math.ceil(tokens / block) * block
    import numpy as np

    return np.ceil(tokens / block) * block
