"""Search: the highest rate that a server carries within limits, by bisection on the same requests at every rate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from pysim.serving.load.traffic import Traffic
from pysim.serving.measure import at_share
from pysim.serving.plan.limits import Limits
from pysim.serving.plan.probe import Probe, probe
from pysim.serving.plan.server import Server

TEST_S: Final = 300.0
CLOSE: Final = 1.03
MOST_TURNS: Final = 24
ALONE: Final = 200
# A test lasts so many times as long as a request may take, so that the time in which the server fills does not count.
TIMES_AS_LONG: Final = 8
SLOWDOWN: Final = 4.0

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Highest:
    """The highest rate within the limits, the probes on both sides of it, and all that were tried, by rate.

    `rate_per_s` is 0 where even a request that has the server to itself exceeds them; `why_none` says which limit.
    """

    rate_per_s: float
    below: Probe | None
    above: Probe | None
    probes: tuple[Probe, ...]
    why_none: str | None = None


def highest_rate(
    server: Server, traffic: Traffic, limits: Limits, *, seconds: float = TEST_S, close: float = CLOSE,
    told: Told = lambda _: None,
) -> Highest:  # fmt: skip
    """Find the rate, to within `close`. Every test lasts `seconds` at least. `told`: is told of each probe.

    Raises BadValue where a request never fits.
    """
    alone = server.run(traffic.at_rate(1e-4, ALONE * 1e4))
    measure = limits.broken(alone.outcomes)
    if measure:
        words = limits.words(measure, alone.outcomes)
        why = f"no rate is within the limits, not even one request at a time: {words}"
        return Highest(rate_per_s=0.0, below=None, above=None, probes=(), why_none=why)
    usual_s = at_share([each.end_to_end_s for each in alone.outcomes], 0.9)
    longest_s = max(seconds, TIMES_AS_LONG * _allowed_s(limits, traffic, usual_s))
    tried: dict[float, Probe] = {}

    def fine(rate: float) -> bool:
        told(f"{server.on.n_devices} × {server.on.device.name}: trying {rate:.3g} requests/s")
        tried[rate] = probe(server, traffic, rate, limits, longest_s)
        return tried[rate].fine

    low, high = _bracket(fine, _burst_rate(server, traffic), 1 / (10 * usual_s))
    for _ in range(MOST_TURNS):
        if high / low <= close:
            break
        middle = (low * high) ** 0.5
        low, high = (middle, high) if fine(middle) else (low, middle)
    ranked = tuple(tried[rate] for rate in sorted(tried))
    return Highest(rate_per_s=low, below=tried.get(low), above=tried.get(high), probes=ranked)


def _allowed_s(limits: Limits, traffic: Traffic, usual_s: float) -> float:
    """How long a request may take within the limits, at most `SLOWDOWN` times as long as alone."""
    loose_s = SLOWDOWN * usual_s
    if limits.end_to_end_s is not None:
        return min(loose_s, limits.end_to_end_s)
    if limits.ttft_s is not None and limits.tpot_s is not None:
        return min(loose_s, limits.ttft_s + limits.tpot_s * traffic.mean_tokens()[1])
    return loose_s


def _burst_rate(server: Server, traffic: Traffic) -> float:
    """Requests per second of a server that is never idle; a guess at where to begin."""
    run = server.run(traffic.burst(600))
    return len(run.outcomes) / run.seconds


def _bracket(fine: Callable[[float], bool], start: float, floor: float) -> tuple[float, float]:
    """A rate that is fine and one that is not. Below `floor` requests hardly meet, and are fine as they are alone."""
    rate = start
    if fine(rate):
        for _ in range(MOST_TURNS):
            higher = rate * 1.5
            if not fine(higher):
                return rate, higher
            rate = higher
        return rate, rate
    while rate > floor:
        lower = rate / 2
        if fine(lower):
            return lower, rate
        rate = lower
    return rate / 2, rate
