"""Calibration: which factor on all times, or which four constants, make a simulation agree with what was measured?"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

from pysim.serving.load.replay import Measured
from pysim.serving.request import Outcome

MOST_TURNS: Final = 24
ENOUGH: Final = 1e-4
FACTORS: Final = (0.05, 20.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Errors:
    """Median relative errors of times to the first token, per token and end to end, over `requests`; None for none."""

    requests: int
    ttft: float | None
    tpot: float | None
    end_to_end: float | None


def errors(outcomes: Sequence[Outcome], measured: Mapping[int, Measured]) -> Errors:
    """How far outcomes are from what was measured, request by request."""
    pairs = [(each, measured[each.request.number]) for each in outcomes if each.request.number in measured]
    tpots = [(each.tpot_s, tpot_of(each, known)) for each, known in pairs]
    return Errors(
        requests=len(pairs),
        ttft=_median([(each.ttft_s, known.ttft_s) for each, known in pairs]),
        tpot=_median([(ours, theirs) for ours, theirs in tpots if ours is not None and theirs is not None]),
        end_to_end=_median([(each.end_to_end_s, known.end_to_end_s) for each, known in pairs]),
    )


def tpot_of(outcome: Outcome, known: Measured) -> float | None:
    """The measured mean time per token after the first."""
    tokens = outcome.request.output_tokens
    return (known.end_to_end_s - known.ttft_s) / (tokens - 1) if tokens > 1 else None


def one_factor(simulate: Callable[[float], Sequence[Outcome]], measured: Mapping[int, Measured]) -> float:
    """The factor on all times with which half of the measured requests end later than simulated, and half earlier.

    `simulate(factor)` gives the outcomes. A faster server queues less, so the factor is found in turns.
    """
    low, high = (math.log(bound) for bound in FACTORS)
    at = 0.0
    for _ in range(MOST_TURNS):
        outcomes = [each for each in simulate(math.exp(at)) if each.request.number in measured]
        misses = [math.log(measured[each.request.number].end_to_end_s / each.end_to_end_s) for each in outcomes]
        missed = median(misses)
        if abs(missed) < ENOUGH:
            break
        # Longer times are met by a larger factor, so one side of the bracket moves in each turn.
        if missed > 0:
            low = at
        else:
            high = at
        step = at + missed / 2
        at = step if low < step < high else (low + high) / 2
    return math.exp(at)


def least(ask: Callable[[Sequence[float]], float], start: Sequence[float], size: float, turns: int) -> list[float]:
    """The place near `start` where `ask` is least, by the simplex of Nelder and Mead (1965)."""
    corners = [list(start)] + [[x + size * (i == j) for j, x in enumerate(start)] for i in range(len(start))]
    ranked = sorted((ask(corner), corner) for corner in corners)
    for _ in range(turns):
        worst = ranked[-1]
        middle = [
            sum(column) / (len(ranked) - 1) for column in zip(*(corner for _, corner in ranked[:-1]), strict=True)
        ]

        def along(
            share: float, middle: list[float] = middle, worst: list[float] = worst[1]
        ) -> tuple[float, list[float]]:
            place = [m + share * (m - w) for m, w in zip(middle, worst, strict=True)]
            return ask(place), place

        tried = along(1.0)
        if tried[0] < ranked[0][0]:
            tried = min(tried, along(2.0))
        elif tried[0] >= ranked[-2][0]:
            tried = along(-0.5)
        if tried[0] < worst[0]:
            ranked[-1] = tried
        else:
            best = ranked[0][1]
            ranked = [ranked[0]] + [
                (ask(place), place)
                for place in ([b + (c - b) / 2 for b, c in zip(best, corner, strict=True)] for _, corner in ranked[1:])
            ]
        ranked.sort()
    return ranked[0][1]


def _median(pairs: Sequence[tuple[float, float]]) -> float | None:
    return median(abs(ours / theirs - 1) for ours, theirs in pairs if theirs > 0) if pairs else None
