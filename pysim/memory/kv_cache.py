"""The KV cache: how many bytes do conversations keep, in rows that grow and in states that do not?

A layer with a window keeps the window's last tokens and no more; MLA keeps its latent once; linear attention and
state-space layers keep a state of fixed size and no rows.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from pysim import checks
from pysim.arrays.numeric import checked, common_shape, is_plain, lesser
from pysim.errors import BadValue
from pysim.formats.names import kv_format
from pysim.models.layers import layers
from pysim.models.mixer import CONV_BYTES, STATE_BYTES
from pysim.models.model import Model

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.models.mixer import Rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """What some layers hold for one sequence: how many layers keep which rows, and numbers of fixed state.

    `state` counts numbers of recurrent states, in 32 bits everywhere; `conv` cached inputs of convolutions.
    """

    rows: tuple[tuple[int, Rows], ...]
    state: int
    conv: int

    @property
    def state_bytes(self) -> float:
        """Bytes of fixed state."""
        return self.state_bytes_of(CONV_BYTES)

    def state_bytes_of(self, conv_bytes: int) -> float:
        """Bytes of fixed state where the input of a convolution takes `conv_bytes` each."""
        return float(STATE_BYTES * self.state + conv_bytes * self.conv)

    @overload
    def bytes(self, tokens: float, number_bytes: float, ways: int = 1) -> float: ...
    @overload
    def bytes(self, tokens: Numeric, number_bytes: float, ways: int = 1) -> Numeric: ...
    def bytes(self, tokens: Numeric, number_bytes: float, ways: int = 1) -> Numeric:
        """Bytes for a sequence of `tokens` on one of `ways` devices that work together."""
        total: Numeric = self.state_bytes / ways
        for count, rows in self.rows:
            row = (rows.numbers * number_bytes + rows.fixed_bytes) / min(ways, rows.heads)
            total = total + count * rows_of(rows, tokens) * row
        return total

    def token_bytes(self, number_bytes: float, ways: int = 1) -> float:
        """Bytes that one more token takes on one of `ways` devices while every window still has room."""
        return sum(
            count * (rows.numbers * number_bytes + rows.fixed_bytes) / rows.tokens_per_row / min(ways, rows.heads)
            for count, rows in self.rows
        )


@lru_cache(maxsize=1024)
def held(model: Model, first: int = 0, end: int | None = None) -> Held:
    """What the layers from `first` to before `end` hold for one sequence."""
    mixers = [mixer for layer in layers(model)[first:end] for mixer in layer.mixers]
    return Held(
        rows=tuple((count, rows) for rows, count in Counter(rows for mixer in mixers for rows in mixer.rows).items()),
        state=sum(mixer.state for mixer in mixers),
        conv=sum(mixer.conv for mixer in mixers),
    )


def rows_of(rows: Rows, tokens: Numeric) -> Numeric:
    """How many rows of one kind a layer keeps of `tokens` tokens."""
    kept = tokens if rows.window is None else lesser(tokens, rows.window)
    return kept if rows.tokens_per_row == 1 else kept / rows.tokens_per_row


def kv_bytes_per_token(model: Model, kv: str = "f16") -> float:
    """Bytes that one more token adds over all layers while every window still has room."""
    checks.instance(model, Model, "model", "load_model")
    return held(model).token_bytes(number_bytes(kv))


def full_kv_bytes_per_token(model: Model, kv: str = "f16") -> float:
    """Bytes that each token adds for good: rows of layers that look back all the way, without keys of an index."""
    number = number_bytes(kv)
    return sum(n * rows.numbers / rows.tokens_per_row * number for n, rows in held(model).rows if rows.window is None)


def window_kv_bytes_per_token(model: Model, kv: str = "f16") -> float:
    """Bytes that a token adds to layers with a window, until their windows are full."""
    number = number_bytes(kv)
    return sum(n * rows.numbers / rows.tokens_per_row * number for n, rows in held(model).rows if rows.window)


def index_bytes_per_token(model: Model) -> float:
    """Bytes of keys by which sparse attention chooses what it reads, per token and in their own format."""
    return sum(count * rows.fixed_bytes / rows.tokens_per_row for count, rows in held(model).rows)


def state_bytes_per_sequence(model: Model) -> float:
    """Bytes of one conversation that do not grow: recurrent states in 32 bits, inputs of convolutions in 16."""
    return held(model).state_bytes


@overload
def kv_cache_bytes(model: Model, tokens: float, kv: str = "f16", sequences: float = 1) -> float: ...
@overload
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric: ...
def kv_cache_bytes(model: Model, tokens: Numeric, kv: str = "f16", sequences: Numeric = 1) -> Numeric:
    """Bytes that `sequences` conversations of `tokens` tokens each have in use: rows, and states of fixed size.

    `tokens` and `sequences` may be numpy arrays that broadcast. `kv` is a format's common name.
    """
    checks.instance(model, Model, "model", "load_model")
    tokens, sequences = checked(tokens, "tokens"), checked(sequences, "sequences")
    if not is_plain(tokens, sequences):
        common_shape(tokens=tokens, sequences=sequences)
    return held(model).bytes(tokens, number_bytes(kv)) * sequences


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
    """How many tokens whole blocks in `free_bytes` hold, every layer with rows keeping all of them; states apart."""
    free = checks.amount(free_bytes, "free_bytes")
    block, per_token = checks.count(block_tokens, "block_tokens"), kv_bytes_per_token(model, kv)
    if not per_token:
        raise BadValue(f"no layer of {model.name} keeps rows, so no number of tokens fills the memory")
    return int(free // (block * per_token)) * block


Windows = tuple[tuple[int, int | None], ...]


@lru_cache(maxsize=512)
def windows(model: Model, first: int = 0, end: int | None = None) -> Windows:
    """How many of the layers from `first` to before `end` that keep rows look back how far; None is all the way."""
    looks = Counter(model.window(layer) for layer in range(first, model.num_hidden_layers if end is None else end))
    return tuple((count, window) for window, count in looks.items() if window != 0)


def number_bytes(kv: str) -> float:
    """Bytes of one cached number."""
    return kv_format(kv).bits_per_element / 8


def _rounded_up(tokens: Numeric, block: int) -> Numeric:
    if isinstance(tokens, int | float):
        return math.ceil(tokens / block) * block
    import numpy as np

    return np.ceil(tokens / block) * block
