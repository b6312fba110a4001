"""Changed runs: what one change makes of every set-up that a run may have had, and whether it fits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from pysim.doctor.judge.prediction import speed_up

if TYPE_CHECKING:
    from pysim.doctor.case import PhaseName
    from pysim.doctor.judge.prediction import PossibleRun

Change = Callable[["PossibleRun"], "PossibleRun | None"]


def gain_of(
    possible: Sequence[PossibleRun],
    phase: PhaseName,
    change: Change,
    before: Callable[[PossibleRun], PossibleRun] | None = None,
) -> tuple[float, float] | None:
    """The gain over all possible set-ups, as lowest and highest; None where one of them cannot make the change.

    `before`: what a set-up is taken for without the change.
    """
    lows, highs = [], []
    for run in possible:
        after = change(run)
        gain = None if after is None else speed_up(run if before is None else before(run), after, phase)
        if gain is None:
            return None
        lows.append(gain[0])
        highs.append(gain[1])
    return min(lows), max(highs)


def fits(run: PossibleRun) -> bool:
    """Is there room on every device, for what an engine needs besides too? No if a size is unknown."""
    return run.memories.fits is True
