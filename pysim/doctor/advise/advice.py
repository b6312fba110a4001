"""Advice for a case: the two or three changes that would help this run most, and by how much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, get_args

from pysim.doctor.advise.at_limit import at_limit, larger_device
from pysim.doctor.advise.fewer_bytes import memory_changes
from pysim.doctor.advise.less_to_read import reading_changes
from pysim.doctor.advise.lost_time import time_changes
from pysim.doctor.advise.offload import place_changes
from pysim.doctor.advise.without_model import alone_changes
from pysim.doctor.case import TimePart

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, AdviceKind, Case, Figure
    from pysim.doctor.judge.judgement import Judgement

MOST: Final = 3
# A change that makes the whole less than this many times as fast is not worth a reader's evening.
WORTH: Final = 1.04
# These depend on what is asked, not on the device.
_MAYBE: Final[tuple[AdviceKind, ...]] = ("guesses", "prefix")
# These make less to do, not what is done faster.
_ASKED_LESS: Final[tuple[AdviceKind, ...]] = ("answer", "shorter prompt")
# Something wrong, worth knowing even where it costs little of this request.
_WRONG: Final[tuple[AdviceKind, ...]] = ("below typical", "device")
_MUCH: Final = 1.15
# Changes are looked for where the time goes.
LEAST_SHARE: Final = 0.2
_MOST_FACTOR: Final = 1e6
_PARTS_OF: Final[dict[Figure, tuple[TimePart, ...]]] = {
    "prefill": ("prefill",),
    "decode": ("decode",),
    "ttft": ("load", "queue", "prefill"),
    "request": get_args(TimePart),
    "all answers": ("decode",),
}


def advice_for(judgement: Judgement) -> tuple[Advice, ...]:
    """The changes with the largest predicted gain for the whole of this request, at most three, best first."""
    case = judgement.case
    gains = {advice: _gain(case, advice) for advice in _changes(judgement)}
    worth = [advice for advice, gain in gains.items() if gain >= WORTH and _matters(case, advice)]
    best = sorted(worth, key=lambda advice: (advice.kind in _ASKED_LESS, -gains[advice]))
    if all(advice.kind in _MAYBE for advice in best):
        limit = at_limit(judgement)
        best = [*limit[:1], *best[: 1 if limit else MOST], *limit[1:]]
    return tuple(best[:MOST])


def _changes(judgement: Judgement) -> list[Advice]:
    """Every change that this run has not made yet, those left out whose figures contradict each other."""
    changes = [
        *place_changes(judgement),
        *time_changes(judgement),
        *memory_changes(judgement),
        *reading_changes(judgement),
        *alone_changes(judgement),
    ]
    elsewhere = judgement.on_host is not None or judgement.does_not_fit
    if elsewhere and not any(advice.kind == "device" for advice in changes):
        changes += larger_device(judgement)
    return [
        advice
        for advice in changes
        if advice.low is None or advice.high is None or 0 < advice.low <= advice.high < _MOST_FACTOR
    ]


def _gain(case: Case, advice: Advice) -> float:
    """How many times as fast the whole becomes: the rest of the time stays (Amdahl's law)."""
    if advice.low is None or advice.high is None:
        return WORTH
    # How many guesses are right depends on the text: such a gain counts by its lower end.
    factor = advice.low if advice.kind == "guesses" else math.sqrt(advice.low * advice.high)
    return 1 / (1 - _share(case, advice) * (1 - 1 / factor))


def _matters(case: Case, advice: Advice) -> bool:
    """Does the change act on a good part of the time, or put right what is wrong?"""
    return _share(case, advice) >= LEAST_SHARE or (advice.kind in _WRONG and (advice.low or 0.0) > _MUCH)


def _share(case: Case, advice: Advice) -> float:
    """Which part of the request's time the change acts on."""
    if not case.shares:
        return 1.0
    return math.fsum(case.shares.get(part, 0.0) for part in _PARTS_OF[advice.figure])
