"""Cells of the cache: how many rows does an engine really take for several conversations of one length?

llama.cpp rounds contexts up to whole steps, gives layers with a window room for the window and one pass, and lets the
conversations of a server share one cache; engines with pages take whole blocks.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.arrays.numeric import choose, greater, lesser
from pysim.engines.memory_rules import PLAIN_CACHE, CacheRule
from pysim.memory.kv_cache import number_bytes as _number_bytes
from pysim.models.architecture import is_known, load_architecture

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.memory.kv_cache import Held
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredParts:
    """Bytes of a cache by kinds of layers: rows kept for good, rows of a window, states of fixed size."""

    rows_bytes: Numeric
    window_bytes: Numeric
    state_bytes: Numeric


def stored_bytes(
    held: Held, tokens: Numeric, sequences: Numeric, rule: CacheRule, number_bytes: float, ways: int
) -> Numeric:
    """Bytes that `sequences` conversations of `tokens` tokens take on one of `ways` devices that work together."""
    if rule == PLAIN_CACHE:
        return held.bytes(tokens, number_bytes, ways) * sequences
    parts = stored_parts(held, tokens, sequences, rule, number_bytes, ways)
    return parts.rows_bytes + parts.window_bytes + parts.state_bytes


def stored_parts(
    held: Held, tokens: Numeric, sequences: Numeric, rule: CacheRule, number_bytes: float, ways: int
) -> StoredParts:
    """The same by parts."""
    in_windows = window_number_bytes(rule, number_bytes)
    state = held.state_bytes_of(rule.conv_bytes) / ways * rule.state_copies * greater(sequences, rule.slots)
    whole: Numeric = 0.0
    windows: Numeric = 0.0
    for count, rows in held.rows:
        number = number_bytes if rows.window is None else in_windows
        row = (rows.numbers * number + rows.fixed_bytes) / min(ways, rows.heads)
        taken = count * row * cells(rows.window, tokens, sequences, rule) / rows.tokens_per_row
        if rows.window is None:
            whole = whole + taken
        else:
            windows = windows + taken
    return StoredParts(rows_bytes=whole, window_bytes=windows, state_bytes=state)


def cells(window: int | None, tokens: Numeric, sequences: Numeric, rule: CacheRule) -> Numeric:
    """Rows that a layer takes for all conversations together; `window` None is a layer that looks back all the way."""
    each = _up_to(tokens, rule.step_tokens)
    alone = each if window is None else _up_to(lesser(each, window + rule.window_pass_tokens), rule.step_tokens)
    apart = alone * greater(sequences, 1 if rule.shared_up_to else rule.slots)
    if not rule.shared_up_to:
        return apart
    whole = _up_to(tokens * sequences, rule.step_tokens)
    shared = whole
    if window is not None:
        windows = window * greater(sequences, rule.slots) + rule.window_pass_tokens
        shared = _up_to(lesser(whole, windows), rule.step_tokens)
    return choose(sequences <= rule.shared_up_to, shared, apart)


def window_number_bytes(rule: CacheRule, number_bytes: float) -> float:
    """Bytes of a number in a layer with a window; a quantized cache may leave these in 16 bits."""
    return number_bytes if rule.window_format is None else max(number_bytes, _number_bytes(rule.window_format))


@lru_cache(maxsize=512)
def reads_windows(rule: CacheRule, model: Model) -> bool:
    """Does the engine bound the cache of this model by its windows?"""
    if rule.whole_windows:
        return False
    if not rule.unread_windows or not is_known(model.model_type):
        return True
    return load_architecture(model.model_type).model_type not in rule.unread_windows


def without_windows(held: Held) -> Held:
    """The same layers, all of whose rows are kept for good."""
    return replace(held, rows=tuple((count, replace(rows, window=None)) for count, rows in held.rows))


def _up_to(tokens: Numeric, step: int) -> Numeric:
    if step == 1:
        return tokens
    if isinstance(tokens, int | float):
        return math.ceil(tokens / step) * step
    import numpy as np

    return np.ceil(tokens / step) * step
