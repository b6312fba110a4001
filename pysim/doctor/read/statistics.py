"""What are the mean, the middle and the scatter of a few figures?

The standard library's `statistics` says the same, but loads fractions and decimals with it, which a page would pay for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of one or more figures."""
    return math.fsum(values) / len(values)


def middle(values: Sequence[float]) -> float:
    """The median of one or more figures."""
    ordered = sorted(values)
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def deviation(values: Sequence[float]) -> float | None:
    """The standard deviation of a sample, or None of fewer than two figures."""
    if len(values) < 2:
        return None
    centre = mean(values)
    return math.sqrt(math.fsum((value - centre) ** 2 for value in values) / (len(values) - 1))
