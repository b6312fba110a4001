"""Machines in measured points: which runs were on the same devices under the same program, and what differs in them?"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final

from pysim.engines.calibration import Calibration, Measured, difference
from pysim.engines.names import backend_name, engine_name
from pysim.fit.accuracy import Outcome
from pysim.fit.points import Point
from pysim.formats.names import weight_format
from pysim.load import load_device, load_model

# A machine with hundreds of runs must not outvote the others: all of its pairs together count as so many.
PAIRS_OF_A_MACHINE: Final = 20.0

Machine = tuple[object, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """A measurement and another run of its machine: the logarithms of measured by predicted time."""

    phase: str
    differs: str
    known: float
    sought: float
    weight: float


def machine_of(point: Point) -> Machine:
    """What two points have in common that ran on the same machine under the same program."""
    family = load_device(point.device).family
    backend = backend_name(point.backend, family)
    return (point.source, point.device, point.n_devices, point.split, engine_name(point.engine), backend)


def pairs(measured: Sequence[Point], missed: Sequence[float]) -> Iterator[Pair]:
    """All ordered pairs of points of one machine and phase; `missed`: logs of measured by predicted times."""
    miss_of = {id(point): miss for point, miss in zip(measured, missed, strict=True)}
    for known, sought, weight in _pairs_of(measured):
        yield Pair(
            phase=known.phase,
            differs=_differs(known, sought),
            known=miss_of[id(known)],
            sought=miss_of[id(sought)],
            weight=weight,
        )


def _pairs_of(measured: Sequence[Point]) -> Iterator[tuple[Point, Point, float]]:
    machines: dict[tuple[Machine, str], list[Point]] = defaultdict(list)
    for point in measured:
        if not point.whole:
            machines[machine_of(point), point.phase].append(point)
    for runs in machines.values():
        several = list(permutations(runs, 2))
        weight = min(1.0, PAIRS_OF_A_MACHINE / len(several)) if several else 0.0
        for known, sought in several:
            yield known, sought, weight


def _differs(known: Point, sought: Point) -> str:
    return difference(
        same_model=known.model == sought.model,
        same_format=weight_format(known.weights).name == weight_format(sought.weights).name,
        same_kind=load_model(known.model).is_moe == load_model(sought.model).is_moe,
        same_batch=(known.batch > 1) == (sought.batch > 1),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """Pairs of one phase and difference: errors of the run sought without and with the run known, as fractions.

    `in_band`: the share of runs inside the narrower band, `narrower`: how wide that is as a share of the usual one.
    """

    phase: str
    differs: str
    pairs: int
    error_before: float
    error_after: float
    in_band: float
    narrower: float


def tried(outcomes: Sequence[Outcome]) -> list[Tried]:
    """Calibrate with each run of a machine in turn, and predict its other runs; pairs of a machine count together."""
    found: dict[tuple[str, str], list[tuple[float, float, float, bool, float]]] = defaultdict(list)
    own = {id(outcome.point): outcome for outcome in outcomes}
    for known, sought, weight in _pairs_of([outcome.point for outcome in outcomes]):
        first, second = own[id(known)], own[id(sought)]
        correction = Calibration(measured=(_measured(first),)).correction(
            sought.phase,
            sought.model,
            weight_format(sought.weights).name,
            is_moe=second.is_moe,
            batched=sought.batch > 1,
        )
        band = (math.log(second.low_s / second.predicted_s), math.log(second.high_s / second.predicted_s))
        low, high = correction.narrowed(band)
        left = second.log_miss - correction.log_factor
        narrower = (high - low) / (band[1] - band[0]) if band[1] > band[0] else 1.0
        found[sought.phase, _differs(known, sought)].append(
            (weight, abs(math.expm1(second.log_miss)), abs(math.expm1(left)), low <= left <= high, narrower)
        )
    return [_tried(*name, rows) for name, rows in sorted(found.items())]


def _tried(phase: str, differs: str, rows: Sequence[tuple[float, float, float, bool, float]]) -> Tried:
    total = math.fsum(row[0] for row in rows)
    return Tried(
        phase=phase,
        differs=differs,
        pairs=len(rows),
        error_before=_median([(row[1], row[0]) for row in rows]),
        error_after=_median([(row[2], row[0]) for row in rows]),
        in_band=math.fsum(row[0] for row in rows if row[3]) / total,
        narrower=_median([(row[4], row[0]) for row in rows]),
    )


def _measured(outcome: Outcome) -> Measured:
    point = outcome.point
    return Measured(
        phase=point.phase,
        log_ratio=outcome.log_miss,
        model=point.model,
        weight_format=weight_format(point.weights).name,
        is_moe=outcome.is_moe,
        batched=point.batch > 1,
    )


def _median(weighted: Sequence[tuple[float, float]]) -> float:
    half, summed = math.fsum(weight for _, weight in weighted) / 2, 0.0
    for value, weight in sorted(weighted):
        summed += weight
        if summed >= half:
            return value
    raise ValueError("a median of nothing")
