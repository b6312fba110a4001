"""python -m pysim.fit.calibration: how much does one measurement of a machine tell of its other runs?

Every sound point is predicted by a fit that did not know its source. Points of one source on the same devices under the
same engine are a machine: of each pair of them the one is taken for the measurement, and the other for what somebody
wants to know. Written to calibration.json, by what differs between the two.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from pysim.engines.calibration import CONSTANTS as FILE
from pysim.fit.constants import CONSTANTS
from pysim.fit.folds import fold_of, left_out_s
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.machines import Pair, pairs
from pysim.fit.points import points
from pysim.fit.runs import predicted_s, runs_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS: Final = 8
ENOUGH: Final = 30


def constants_of(found: Sequence[Pair]) -> dict[str, dict[str, dict[str, float]]]:
    """By phase and by what differs: the share of a measured factor that carries over, and the band about the rest."""
    table: dict[str, dict[str, dict[str, float]]] = {}
    for phase in ("prefill", "decode"):
        table[phase] = {}
        for differs in sorted({pair.differs for pair in found if pair.phase == phase}):
            own = [pair for pair in found if pair.phase == phase and pair.differs == differs]
            if len(own) >= ENOUGH:
                table[phase][differs] = _line(own)
    return table


def _line(own: Sequence[Pair]) -> dict[str, float]:
    known, sought, weight = (np.array([getattr(pair, name) for pair in own]) for name in ("known", "sought", "weight"))
    # s²machine / (s²machine + s²rest): the slope of a line through nothing, since what runs share is all that carries.
    # Misses beyond the ninth tenth are cut, or a single broken run would decide.
    most = _quantile(np.abs(known), weight, 0.95)
    cut_known, cut_sought = np.clip(known, -most, most), np.clip(sought, -most, most)
    share = float(np.clip(np.sum(weight * cut_known * cut_sought) / np.sum(weight * cut_known**2), 0.0, 1.0))
    left = sought - share * known
    return {
        "share": round(share, 3),
        "low": round(_quantile(left, weight, 0.1), 4),
        "high": round(_quantile(left, weight, 0.9), 4),
        "error_before": round(_quantile(np.abs(np.expm1(sought)), weight, 0.5), 4),
        "error_after": round(_quantile(np.abs(np.expm1(left)), weight, 0.5), 4),
        "pairs": len(own),
    }


def _quantile(values: NDArray[np.float64], weights: NDArray[np.float64], share: float) -> float:
    order = np.argsort(values)
    summed = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(summed, share * summed[-1])])


def main() -> None:
    """Predict all points without their sources, pair them, write."""
    measured = points()
    weights = np.array([0.0 if not point.sound else 0.3 if point.flag else 1.0 for point in measured])
    hierarchy = Hierarchy(runs_of(measured), CONSTANTS, predicted_s)
    fold = np.array([fold_of(point.source, FOLDS) for point in measured])
    predicted = left_out_s(hierarchy, weights, fold, range(FOLDS), hierarchy.fit(weights))
    missed = np.log(hierarchy.runs.measured_s / predicted)
    kept = [index for index, point in enumerate(measured) if point.sound]
    found = list(pairs([measured[index] for index in kept], [float(missed[index]) for index in kept]))
    table: Mapping[str, object] = {
        "recipe": "python -m pysim.fit.calibration",
        **constants_of(found),
    }
    FILE.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")
    for phase in ("prefill", "decode"):
        for differs, line in constants_of(found)[phase].items():
            sys.stdout.write(f"{phase} {differs}: {line}\n")


if __name__ == "__main__":
    main()
