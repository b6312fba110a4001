"""Which two or three changes would help this run most, and by how much?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pysim.doctor.advice_memory import memory_changes
from pysim.doctor.advice_place import place_changes
from pysim.doctor.advice_time import time_changes

if TYPE_CHECKING:
    from pysim.doctor.diagnosis import Advice, Case, Part
    from pysim.doctor.pairing import Group
    from pysim.doctor.subjects import Known
    from pysim.doctor.timing import Timing

MOST: Final = 3
# A change that makes the whole less than this many times as fast is not worth a reader's evening.
WORTH: Final = 1.04
_PARTS_OF: Final[dict[str, tuple[Part, ...]]] = {
    "reading": ("prefill",),
    "writing": ("decode",),
    "TTFT": ("load", "queue", "prefill"),
    "the whole request": ("load", "queue", "prefill", "decode", "other"),
    "all answers together": ("decode",),
}


def advice_for(case: Case, group: Group, time: Timing, facts: Known, kept: str | None) -> tuple[Advice, ...]:
    """The changes with the largest predicted gain for the whole of this request, at most three, best first."""
    found = [
        *place_changes(case, group, facts, kept),
        *time_changes(case, group, time, facts),
        *(memory_changes(case, group, facts) if kept is None else ()),
    ]
    gains = {each: _gain(case, each) for each in found}
    worth = [each for each in found if gains[each] >= WORTH]
    return tuple(sorted(worth, key=lambda each: -gains[each])[:MOST])


def _gain(case: Case, advice: Advice) -> float:
    """How many times as fast the whole becomes: the rest of the time stays (Amdahl's law)."""
    if advice.low is None or advice.high is None:
        return WORTH
    factor = math.sqrt(max(advice.low, 0.01) * max(advice.high, 0.01))
    share = math.fsum(case.shares.get(part, 0.0) for part in _PARTS_OF[advice.figure]) if case.shares else 1.0
    return 1 / (1 - share * (1 - 1 / factor))
