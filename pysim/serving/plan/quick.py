"""A quick look at the highest rate within limits: short tests, for a page that answers while somebody waits.

A short test finds somewhat higher rates than a long one (`pysim.serving.plan.search`), because a queue that grows has
less time to show; a growing backlog is looked for, too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final

from pysim.serving.load.traffic import Traffic
from pysim.serving.plan.limits import Limits
from pysim.serving.plan.probe import backlog_grows
from pysim.serving.plan.server import Server

REQUESTS: Final = 200
CLOSE: Final = 1.15
CHANCE: Final = 2.0
MOST_TURNS: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """A rate, the share of requests within the limits there, and why it is too high, in words (None: it is not)."""

    rate_per_s: float
    share_within: float
    worst_s: dict[str, float]
    broken: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Quick:
    """The highest rate that was fine (0: none), and all rates that were tried, ascending."""

    rate_per_s: float
    tried: tuple[Tried, ...]

    @property
    def breaks_first(self) -> str | None:
        """Why the next higher rate that was tried is too high."""
        return next((each.broken for each in self.tried if each.rate_per_s > self.rate_per_s and each.broken), None)


def quick_rate(server: Server, traffic: Traffic, limits: Limits, *, requests: int = REQUESTS) -> Quick:
    """Find it to within `CLOSE`, with `requests` per test. Raises BadValue where a request never fits."""
    # Of so few requests, a few more than the limits allow may exceed them by chance: two standard deviations.
    counted = requests * 3 / 4
    share = max(0.5, limits.share - CHANCE * math.sqrt(limits.share * (1 - limits.share) / counted))
    limits = replace(limits, share=round(share, 2))
    burst = server.run(traffic.burst(requests // 2))
    tried: dict[float, Tried] = {}

    def fine(rate: float) -> bool:
        tried[rate] = _try(server, traffic, limits, rate, requests)
        return tried[rate].broken is None

    rate = len(burst.outcomes) / burst.seconds
    low, high = (rate, None) if fine(rate) else (None, rate)
    for _ in range(MOST_TURNS):
        if low is None and high is not None:
            if fine(high / 3):
                low = high / 3
            else:
                high = high / 3
        elif high is None and low is not None:
            if fine(low * 1.5):
                low = low * 1.5
            else:
                high = low * 1.5
        elif low is not None and high is not None:
            if high / low <= CLOSE:
                break
            middle = (low * high) ** 0.5
            low, high = (middle, high) if fine(middle) else (low, middle)
    return Quick(rate_per_s=low or 0.0, tried=tuple(tried[rate] for rate in sorted(tried)))


def _try(server: Server, traffic: Traffic, limits: Limits, rate: float, requests: int) -> Tried:
    load = traffic.at_rate(rate, requests / rate)[:requests]
    outcomes = server.run(load).outcomes
    end_s = load[-1].arrive_s
    counted = [each for each in outcomes if each.request.arrive_s >= end_s / 4]
    worst = limits.worst(counted)
    measure = limits.broken(counted)
    broken = limits.words(measure, counted) if measure else None
    if broken is None and backlog_grows(outcomes, end_s):
        broken = f"the backlog grows: {rate:.3g} requests/s are not served"
    return Tried(rate_per_s=rate, share_within=limits.share_within(counted), worst_s=worst, broken=broken)
