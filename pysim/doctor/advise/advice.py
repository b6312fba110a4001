"""Which two or three changes would help this run most, and by how much?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.at_limit import at_limit, larger_device
from pysim.doctor.advise.fewer_bytes import memory_changes
from pysim.doctor.advise.lost_time import time_changes
from pysim.doctor.advise.offload import place_changes
from pysim.doctor.advise.without_model import alone_changes

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, Case, Part
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.setups import Known
    from pysim.doctor.judge.timing import Timing

MOST: Final = 3
# A change that makes the whole less than this many times as fast is not worth a reader's evening.
WORTH: Final = 1.04
# These depend on what is asked, not on the device.
_MAYBE: Final = ("guesses", "prefix")
# These make less to do, not what is done faster.
_ASKED_LESS: Final = ("answer", "shorter prompt")
# Changes are looked for where the time goes.
LEAST_SHARE: Final = 0.2
_MOST_FACTOR: Final = 1e6
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
        *(alone_changes(case, group, time) if not facts.subjects else ()),
    ]
    elsewhere = kept is not None or any(each.kind == "does not fit" for each in case.cannot_tell)
    if elsewhere and not any(each.kind == "device" for each in found):
        found += larger_device(case, facts)
    # Figures that contradict each other can make any factor.
    found = [
        each for each in found if each.low is None or each.high is None or 0 < each.low <= each.high < _MOST_FACTOR
    ]
    gains = {each: _gain(case, each) for each in found}
    worth = [each for each in found if gains[each] >= WORTH and (_share(case, each) >= LEAST_SHARE or _odd(each))]
    best = sorted(worth, key=lambda each: (each.kind in _ASKED_LESS, -gains[each]))
    if all(each.kind in _MAYBE for each in best):
        limit = at_limit(case, group, facts)
        best = [*limit[:1], *best[: 1 if limit else MOST], *limit[1:]]
    return tuple(best[:MOST])


def _gain(case: Case, advice: Advice) -> float:
    """How many times as fast the whole becomes: the rest of the time stays (Amdahl's law)."""
    if advice.low is None or advice.high is None:
        return WORTH
    # How many guesses are right depends on the text: such a gain counts by its lower end.
    factor = advice.low if advice.kind == "guesses" else math.sqrt(advice.low * advice.high)
    return 1 / (1 - _share(case, advice) * (1 - 1 / factor))


def _share(case: Case, advice: Advice) -> float:
    """Which part of the request's time the change acts on."""
    if not case.shares:
        return 1.0
    return math.fsum(case.shares.get(part, 0.0) for part in _PARTS_OF[advice.figure])


def _odd(advice: Advice) -> bool:
    """Something wrong is worth knowing even where it costs little of this request."""
    return advice.kind in ("below typical", "device") and (advice.low or 0.0) > 1.15
