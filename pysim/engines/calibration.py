"""Calibration: what one measured run of a machine changes in the predictions of its other runs.

A machine's runs have something in common that no catalog knows: its cooling, its drivers, the build of its engine.
How much of what one run shows carries over to another follows from pairs of published runs, and depends on what differs
between the two; calibration.json holds the shares, and `python -m pysim.fit.calibration` makes them.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from pysim.errors import MissingFact

CONSTANTS: Final = Path(__file__).parents[1] / "fit" / "calibration.json"
Phase = Literal["prefill", "decode"]
PHASES: Final[tuple[Phase, ...]] = ("prefill", "decode")
# What differs between the measured run and the one sought, from little to much; a rarer case is taken for the next.
DIFFERENCES: Final = ("length", "format", "model", "kind", "batch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One phase of a measured run: by which logarithm its time lay above the prediction, and what ran."""

    phase: Phase
    log_ratio: float
    model: str
    weight_format: str
    is_moe: bool
    batched: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """What was measured on a machine, held against its predictions; hashable, so answers can be kept by it."""

    measured: tuple[Measured, ...]

    def correction(self, phase: Phase, model: str, weight_format: str, *, is_moe: bool, batched: bool) -> Correction:
        """What the measurements of a phase say of such a run; none of that phase, nothing."""
        given = [run for run in self.measured if run.phase == phase]
        if not given:
            return NOTHING
        found = []
        for run in given:
            differs = difference(
                same_model=run.model == model,
                same_format=run.weight_format == weight_format,
                same_kind=run.is_moe == is_moe,
                same_batch=run.batched == batched,
            )
            share, low, high = _constants(phase, differs)
            found.append((high - low, share * run.log_ratio, low, high))
        # The nearest run tells most; runs that are equally near are averaged.
        width = min(found)[0]
        near = [correction for correction in found if correction[0] == width]
        log_factor = math.fsum(correction[1] for correction in near) / len(near)
        return Correction(log_factor=log_factor, low=near[0][2], high=near[0][3])


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """The logarithm of a factor to times, and of the band about it; the bounds are None where nothing was measured."""

    log_factor: float = 0.0
    low: float | None = None
    high: float | None = None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The band about the factor; None where nothing was measured."""
        return None if self.low is None or self.high is None else (self.low, self.high)

    def narrowed(self, band: tuple[float, float]) -> tuple[float, float]:
        """The band of a calibrated run, never wider than the one of a run that is not."""
        low, high = band
        if self.low is None or self.high is None:
            return band
        return (max(low, self.low), min(high, self.high)) if low < high else band


NOTHING: Final = Correction()


def difference(*, same_model: bool, same_format: bool, same_kind: bool, same_batch: bool) -> str:
    """The greatest difference between two runs of a machine, one of DIFFERENCES."""
    if not same_batch:
        return "batch"
    if not same_kind:
        return "kind"
    if not same_model:
        return "model"
    return "length" if same_format else "format"


def scatter(phase: Phase, differs: str) -> float:
    """Half the width of the band about a run predicted from another one, as a logarithm."""
    _, low, high = _constants(phase, differs)
    return (high - low) / 2


@cache
def _constants(phase: str, differs: str) -> tuple[float, float, float]:
    """The share that carries over, and the band about the rest."""
    if not CONSTANTS.is_file():
        raise MissingFact(
            f"calibrated predictions need {CONSTANTS.name}: create it with python -m pysim.fit.calibration"
        )
    table = json.loads(CONSTANTS.read_text(encoding="utf-8"))[phase]
    known = [name for name in DIFFERENCES[DIFFERENCES.index(differs) :] if name in table]
    line = table[known[0] if known else [name for name in DIFFERENCES if name in table][-1]]
    return line["share"], line["low"], line["high"]
