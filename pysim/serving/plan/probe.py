"""A probe: one rate tried for long enough. Do the limits hold, does the backlog grow, and what holds requests up?

A test of a few hundred requests ends before a queue that grows is long: it says that far too high a rate is fine. So a
probe lasts a time, not a number of requests, and compares the backlog of its second and of its last quarter.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from pysim.serving.load.traffic import Traffic
from pysim.serving.plan.limits import Limits
from pysim.serving.plan.server import Server
from pysim.serving.request import Outcome
from pysim.serving.run import Run
from pysim.serving.serve import BLOCK_TOKENS

LEAST_REQUESTS: Final = 1000
MOST_REQUESTS: Final = 50_000
# Of what arrives, this share is never caught up with where a backlog grows, and by more than chance would have it.
DRIFT: Final = 0.03
CHANCE: Final = 3.0
NEARLY: Final = 0.97


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """What one rate gives. `worst_s`: by measure, the seconds that the limits' share of requests do not exceed.

    `broken`: why the rate is too high, in words (None: it is not); `holds_up`: what requests wait for.
    """

    rate_per_s: float
    requests: int
    seconds: float
    share_within: float
    worst_s: dict[str, float]
    output_tokens_per_s: float
    evictions: int
    growing: bool
    broken: str | None
    breaks: str | None
    holds_up: str

    @property
    def fine(self) -> bool:
        """Do the limits hold, and does the backlog stay?"""
        return self.broken is None


def probe(server: Server, traffic: Traffic, rate_per_s: float, limits: Limits, seconds: float) -> Probe:
    """Try a rate. The first quarter of the test warms the server up and does not count. Raises BadValue."""
    seconds = min(seconds, MOST_REQUESTS / rate_per_s)
    load = traffic.at_rate(rate_per_s, seconds, LEAST_REQUESTS)
    run = server.run(load)
    end_s = load[-1].arrive_s
    counted = [each for each in run.outcomes if each.request.arrive_s >= end_s / 4]
    growing = backlog_grows(run.outcomes, end_s)
    worst = limits.worst(counted)
    measure = limits.broken(counted)
    broken = limits.words(measure, counted) if measure else None
    if growing:
        broken, measure = f"the backlog grows: {rate_per_s:.3g} requests/s are not served", "backlog"
    return Probe(
        rate_per_s=rate_per_s,
        requests=len(load),
        seconds=end_s,
        share_within=limits.share_within(counted),
        worst_s=worst,
        output_tokens_per_s=run.output_tokens_per_s,
        evictions=sum(each.evictions for each in run.outcomes),
        growing=growing,
        broken=broken,
        breaks=measure,
        holds_up=holds_up(run, end_s),
    )


def backlog_grows(outcomes: Sequence[Outcome], end_s: float) -> bool:
    """Are clearly more requests in the server in the last quarter of the arrivals than in the second?"""
    if end_s <= 0:
        return False
    early, late = (_mean_inside(outcomes, end_s * begin, end_s * (begin + 0.25)) for begin in (0.25, 0.75))
    arrived = len(outcomes) / 2  # from the middle of the one quarter to that of the other
    return late - early > max(DRIFT * arrived, CHANCE * math.sqrt(max(1.0, early)))


def holds_up(run: Run, end_s: float) -> str:
    """What requests wait for most of the time in which some wait: "memory", "seats", "steps", or "nothing"."""
    waited = {"memory": 0.0, "seats": 0.0, "steps": 0.0}
    total_s = 0.0
    # Memory is full where it has no room for a usual request.
    usual_blocks = fmean(each.request.rows_at_most for each in run.outcomes) / BLOCK_TOKENS
    for record in run.records:
        free_blocks = run.kv_tokens // BLOCK_TOKENS
        for stretch in record:
            if stretch.start_s > end_s:
                break
            total_s += stretch.seconds
            # What is free at the end of steps may have been freed by their last one.
            full, free_blocks = min(free_blocks, stretch.free_blocks) < usual_blocks, stretch.free_blocks
            if not stretch.waiting:
                continue
            seated = stretch.decoding + len(stretch.feed) >= NEARLY * run.seats
            waited["memory" if full else "seats" if seated else "steps"] += stretch.seconds
    cause = max(waited, key=lambda name: waited[name])
    return cause if waited[cause] > 0.05 * total_s else "nothing"


def _mean_inside(outcomes: Sequence[Outcome], begin_s: float, end_s: float) -> float:
    inside_s = sum(
        max(0.0, min(each.finish_s, end_s) - max(each.request.arrive_s, begin_s))
        for each in outcomes
        if each.request.arrive_s < end_s
    )
    return inside_s / (end_s - begin_s)
