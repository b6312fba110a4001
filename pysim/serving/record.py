"""The record of a run: stretches of like steps, from which lanes and gaps between tokens are read."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pysim.serving.request import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Steps alike: when they began, how many, how long together, who wrote, what was fed, free blocks at the end.

    A stretch in which prompts are fed is one step. `feed`: the numbers of the requests that were fed and their tokens.
    """

    start_s: float
    steps: int
    seconds: float
    decoding: int
    fed_tokens: int
    waiting: int
    free_blocks: int
    feed: tuple[tuple[int, int], ...] = ()

    @property
    def end_s(self) -> float:
        """When the last of them ended."""
        return self.start_s + self.seconds


def token_times_s(stretches: Sequence[Stretch], outcome: Outcome) -> list[float]:
    """When each token of a request came out (s); within a stretch, steps count as equally long."""
    starts = [stretch.start_s for stretch in stretches]
    resumed = [until for _, until in outcome.pauses]
    times = [outcome.first_s]
    for stretch in stretches[bisect_left(starts, outcome.first_s) :]:
        if stretch.start_s >= outcome.finish_s:
            break
        paused = any(begun <= stretch.start_s < until for begun, until in outcome.pauses)
        if stretch.decoding and not paused:
            each_s = stretch.seconds / stretch.steps
            times += [stretch.start_s + (step + 1) * each_s for step in range(stretch.steps)]
        times += [until for until in resumed if stretch.start_s < until <= stretch.end_s and paused]
    return times


def worst_gap_s(stretches: Sequence[Stretch], outcome: Outcome, since_s: float = 0.0) -> float | None:
    """The longest that a reader of this answer waited for a token after the first; None for an answer of one.

    Gaps that end before `since_s` do not count.
    """
    if outcome.request.output_tokens < 2:
        return None
    worst, last_s = 0.0, outcome.first_s
    starts = [stretch.start_s for stretch in stretches]
    pauses = list(outcome.pauses)
    for stretch in stretches[bisect_left(starts, outcome.first_s) : bisect_right(starts, outcome.finish_s)]:
        if stretch.start_s >= outcome.finish_s:
            break
        pause = next((each for each in pauses if each[0] <= stretch.start_s < each[1]), None)
        if pause is not None:
            if stretch.end_s >= pause[1]:
                worst, last_s = max(worst, pause[1] - last_s if pause[1] > since_s else 0.0), pause[1]
            continue
        if stretch.decoding:
            each_s = stretch.seconds / stretch.steps
            if stretch.start_s + each_s > since_s:
                worst = max(worst, stretch.start_s + each_s - last_s)
            if stretch.end_s > since_s and stretch.steps > 1:
                worst = max(worst, each_s)
            last_s = stretch.end_s
    return worst


def gaps(stretches: Sequence[Stretch], outcomes: Sequence[Outcome]) -> list[tuple[float, int]]:
    """Gaps between tokens of all requests of one replica: (seconds, how many such gaps), evictions left out."""
    firsts = sorted(outcome.first_s for outcome in outcomes)
    counted: list[tuple[float, int]] = []
    stopped_s = 0.0
    for stretch in stretches:
        if not stretch.decoding:
            stopped_s += stretch.seconds
            continue
        each_s = stretch.seconds / stretch.steps
        if stopped_s:
            # Those whose first token came out while others stood still did not wait for all of it.
            new = bisect_right(firsts, stretch.start_s) - bisect_right(firsts, stretch.start_s - stopped_s)
            new = min(new, stretch.decoding)
            counted += [(stopped_s + each_s, stretch.decoding - new), (each_s, new)]
            counted.append((each_s, (stretch.steps - 1) * stretch.decoding))
        else:
            counted.append((each_s, stretch.steps * stretch.decoding))
        stopped_s = 0.0
    return [(seconds, count) for seconds, count in counted if count]


def gap_at(counted: Sequence[tuple[float, int]], share: float) -> float | None:
    """The gap that this share of all gaps do not exceed; None where there are none."""
    total = sum(count for _, count in counted)
    passed = 0
    for seconds, count in sorted(counted):
        passed += count
        if passed >= share * total:
            return seconds
    return None


def steps_between(stretches: Sequence[Stretch], begin_s: float, end_s: float) -> Iterator[Stretch]:
    """The stretches that touch a span of time."""
    starts = [stretch.start_s for stretch in stretches]
    for stretch in stretches[max(0, bisect_right(starts, begin_s) - 1) : bisect_left(starts, end_s)]:
        if stretch.end_s > begin_s:
            yield stretch
