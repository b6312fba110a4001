"""Fitting by itself: what does a program do that makes a model fit, where it does not fit as asked?

llama.cpp's --fit first cuts the context, at the least to 4,096 tokens, then keeps weights on the host, until a margin
of each card is free.
"""

from __future__ import annotations

from dataclasses import dataclass

from pysim.arrays.search import most_that_fit
from pysim.memory.reservation import Reservation


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What a program makes of a load: the context of each conversation, and bytes of weights that the host keeps."""

    context_tokens: int
    host_bytes: float


def fitted(taken: Reservation) -> Fitted | None:
    """What the engine of a reservation does to leave its margin free on each device; None where it does nothing."""
    rule = taken.rule
    limit = taken.memory_bytes - rule.margin_bytes

    def over(tokens: int) -> float:
        """Bytes beyond the limits of all devices, with contexts of so many tokens."""
        each = (place.filled_bytes + place.cache_bytes(tokens, taken.sequences) - limit for place in taken.stored)
        return sum(max(0.0, more) for more in each)

    if not rule.margin_bytes or not over(taken.slot_tokens):
        return None
    least = min(rule.least_context_tokens, taken.slot_tokens)
    longest = most_that_fit(lambda tokens: not over(tokens), taken.slot_tokens)
    context = max(least, longest)
    return Fitted(context_tokens=context, host_bytes=over(context))
