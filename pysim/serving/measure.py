"""Measures of many requests: means and percentiles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from pysim.errors import BadValue

SHARES: Final = {"p50": 0.5, "p90": 0.9, "p99": 0.99}


def percentiles(values: Sequence[float]) -> dict[str, float]:
    """Mean, p50, p90 and p99, between ranks as numpy's default does; raises BadValue for no values."""
    if not values:
        raise BadValue("no values have no percentiles")
    ranked = sorted(values)
    return {"mean": math.fsum(ranked) / len(ranked), **{name: _at(ranked, share) for name, share in SHARES.items()}}


def at_share(values: Sequence[float], share: float) -> float:
    """The value that this share of the values do not exceed, between ranks as numpy's default does."""
    if not values:
        raise BadValue("no values have no percentiles")
    return _at(sorted(values), share)


def _at(ranked: Sequence[float], share: float) -> float:
    place = share * (len(ranked) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ranked) - 1)
    return ranked[below] + (place - below) * (ranked[above] - ranked[below])
