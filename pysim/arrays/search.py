"""Search by halving: the largest whole number that fits, where nothing larger fits better."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def most_that_fit(fits: Callable[[int], bool], most: int) -> int:
    """The largest whole number up to `most` that fits, 0 where none does; what is larger must not fit better."""
    if not fits(1):
        return 0
    if fits(most):
        return most
    low, high = 1, most
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
