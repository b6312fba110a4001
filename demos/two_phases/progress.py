"""The progress of a generation at a moment: which passes are over, which is at work, and what each shows."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from demos.two_phases.kv_rows import CacheRows
from demos.two_phases.pass_picture import LAST_PASSES, Bar
from pysim import units
from pysim.requests.timeline import TimedPass


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """`done` passes are over; `now` is at work and `fraction` of its time is gone.

    At the moments where a pass ends, none is at work: there the picture rests.
    """

    passes: Sequence[TimedPass]
    done: int
    now: TimedPass | None
    fraction: float

    @property
    def finished(self) -> bool:
        """Whether all passes are over."""
        return self.done == len(self.passes)

    @property
    def last(self) -> TimedPass | None:
        """The last pass that is over."""
        return self.passes[self.done - 1] if self.done else None

    @property
    def written(self) -> int:
        """Answer tokens that stand at this moment."""
        return self.last.first_answer + self.last.step.yielded_tokens if self.last else 0

    @property
    def kept_rows(self) -> int:
        """Rows in the cache after the passes that are over."""
        return self.last.step.rows_after if self.last else 0


def progress(passes: Sequence[TimedPass], ends_s: Sequence[float], t_s: float) -> Progress:
    """Return how far a run is; `ends_s` are the ends of its passes."""
    done = bisect_right(ends_s, t_s)
    if done == len(passes) or t_s <= passes[done].start_s:
        return Progress(passes=passes, done=done, now=None, fraction=0.0)
    now = passes[done]
    return Progress(passes=passes, done=done, now=now, fraction=(t_s - now.start_s) / (now.end_s - now.start_s))


def bars(at: Progress, longest_s: float) -> list[Bar]:
    """Return the bars of the last passes, to the scale of the longest pass of the run."""
    shown = at.passes[max(0, at.done - LAST_PASSES) : at.done + (1 if at.now else 0)]
    return [
        Bar(
            number=timed_pass.step.index + 1,
            kind=timed_pass.step.kind,
            label=carried_words(timed_pass),
            share=(timed_pass.end_s - timed_pass.start_s) / longest_s,
            done=at.fraction if timed_pass is at.now else 1,
        )
        for timed_pass in shown
    ]


def carried_words(timed_pass: TimedPass) -> str:
    """Return what went in and came out of a pass, and how long it took."""
    step = timed_pass.step
    guessed = f" ({step.drafted} guessed, {step.accepted} right)" if step.drafted else ""
    took = units.show(timed_pass.end_s - timed_pass.start_s, "s", digits=3)
    return f"{step.kind}: {step.new_tokens:,} in{guessed}, {step.yielded_tokens} out, {took}"


def cache_rows(at: Progress, prompt_tokens: int) -> CacheRows:
    """Return the cache at this moment; rows of guesses that will be refused are marked."""
    total = at.passes[-1].step.rows_after
    if at.now is None:
        return CacheRows(total=total, prompt=prompt_tokens, kept=at.kept_rows)
    return CacheRows(
        total=total,
        prompt=prompt_tokens,
        kept=at.kept_rows,
        writing=at.now.step.new_tokens,
        written_fraction=at.fraction,
        dropped=at.kept_rows + at.now.step.new_tokens - at.now.step.rows_after,
    )
