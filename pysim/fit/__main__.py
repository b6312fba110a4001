"""python -m pysim.fit: fit the constants to the measured points and write constants.json."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

import numpy as np

from pysim.engines.constants import CONSTANTS as FILE
from pysim.engines.names import TYPICAL
from pysim.fit.bands import spread_table, typical_scales
from pysim.fit.constants import CONSTANTS
from pysim.fit.folds import left_out_s
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.points import Point, points
from pysim.fit.runs import predicted_s, runs_of
from pysim.fit.typical import only_typical, typical_runs

if TYPE_CHECKING:
    from numpy.typing import NDArray

FOLDS = 5
CELL_FOLDS = 8


def counts(points_: tuple[Point, ...]) -> NDArray[np.float64]:
    """How much each point counts in the fit: reported ones nothing, remarked ones less."""
    return np.array([0.0 if point.reported or not point.sound else 0.3 if point.flag else 1.0 for point in points_])


def main() -> None:
    """Fit, measure the scatter of predictions, write."""
    measured = points()
    weights = counts(measured)
    hierarchy = Hierarchy(runs_of(measured), CONSTANTS, predicted_s)
    _say(f"{len(measured)} points, {int((weights > 0).sum())} of them fitted")
    table = hierarchy.table(hierarchy.fit(weights))
    typical, values, alike = typical_runs(measured, weights, table)
    for name, levels in only_typical(typical.table(values)).items():
        for level, groups in levels.items():
            table[name].setdefault(level, {}).update(groups)
    missed = _left_out(hierarchy, measured, weights)
    about_typical = np.log(typical.runs.measured_s / typical.predicted_s(values))
    batched = np.array([point.batch > 1 for point in measured])
    group_of = [point.group for point in measured]
    spread: dict[str, object] = {}
    for phase in ("prefill", "decode"):
        of_phase = np.array([point.phase == phase for point in measured])
        scatter = spread_table(hierarchy.runs.groups["cell"], group_of, batched, missed, (weights > 0) & of_phase)
        least = float(np.median(list(scatter["cells"].values())))
        counted = np.where(of_phase, alike, 0.0)
        scatter["cells"] |= typical_scales(typical.runs.groups["cell"], about_typical, counted, least)
        spread[phase] = scatter
    fitted = {
        "engines": sorted({*hierarchy.runs.groups["engine"], TYPICAL}),
        "devices": sorted({point.device for point, weight in zip(measured, weights, strict=True) if weight}),
        "spread": spread,
        "constants": table,
    }
    FILE.write_text(json.dumps(fitted, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    _say(f"wrote {FILE.name}, {FILE.stat().st_size:,} bytes")


def _left_out(
    hierarchy: Hierarchy, measured: tuple[Point, ...], weights: NDArray[np.float64]
) -> dict[str, NDArray[np.float64]]:
    """Logarithms of measured by predicted time, by what the fit did not know of a run: its group, device or cell."""
    missed = {}
    for what, names, folds in (
        ("group", [point.group for point in measured], FOLDS),
        ("device", [point.device for point in measured], FOLDS),
        ("cell", hierarchy.runs.groups["cell"], CELL_FOLDS),
    ):
        missed[what] = np.log(hierarchy.runs.measured_s / left_out_s(hierarchy, weights, names, folds))
        _say(f"without its {what}: median error {np.median(np.abs(missed[what][weights > 0])):.3f}")
    return missed


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
