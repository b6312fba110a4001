"""An answer pass by pass, with a KV cache and without one: what each pass is fed, and when it ends."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

import pysim
from pysim.requests.without_cache import Fed, fed


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """`done` passes are over; of the next one `fraction` of its time is gone (0 between passes)."""

    done: int
    fraction: float = 0.0

    @property
    def shown(self) -> int:
        """The pass in the picture: the one at work, else the last one that is over, else the first."""
        return self.done if self.fraction else max(0, self.done - 1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnswerRun:
    """One way through the answer: what each pass is fed, how long it takes, and both summed up."""

    fed: Fed
    pass_s: tuple[float, ...]
    ends_s: tuple[float, ...]
    computed: tuple[int, ...]

    def at(self, t_s: float) -> Moment:
        """How far this way has come at a moment of its time."""
        # A moment that was computed as the end of a pass is after it, whatever its last digit.
        done = bisect_right(self.ends_s, t_s * (1 + 1e-9))
        gone_s = t_s - self._start_s(done)
        if done == len(self.ends_s) or gone_s <= 0:
            return Moment(done=done)
        return Moment(done=done, fraction=gone_s / self.pass_s[done])

    def computed_at(self, at: Moment) -> int:
        """Token computations of the passes that are over."""
        return self.computed[at.done - 1] if at.done else 0

    def time_s_at(self, at: Moment) -> float:
        """The time at which this way stands at a moment, which may be another way's."""
        begun_s = self._start_s(at.done)
        return begun_s + at.fraction * self.pass_s[at.done] if at.fraction else begun_s

    def _start_s(self, index: int) -> float:
        return self.ends_s[index - 1] if index else 0.0


@lru_cache(maxsize=32)
def answer_run(on: pysim.Deployment, prompt_tokens: int, output_tokens: int, *, cache: bool) -> AnswerRun:
    """One way through the answer, at typical speed."""
    steps = fed(prompt_tokens=prompt_tokens, output_tokens=output_tokens, cache=cache)
    pass_s = pass_times(on, steps.new_tokens, steps.context_tokens)
    return AnswerRun(
        fed=steps,
        pass_s=pass_s,
        ends_s=tuple(itertools.accumulate(pass_s)),
        computed=tuple(itertools.accumulate(steps.new_tokens)),
    )


def pass_times(on: pysim.Deployment, new: Sequence[int], context: Sequence[int]) -> tuple[float, ...]:
    """The times of many passes at once, at typical speed."""
    cost = on.pass_cost_many(np.array(new, dtype=float), np.array(context, dtype=float), speed="typical")
    return tuple(float(time_s) for time_s in np.atleast_1d(cost.time_s))
