"""python -m pysim.fit: fit the constants to the measured points and write constants.json."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from pysim.engines.constants import CONSTANTS as FILE
from pysim.engines.names import TYPICAL
from pysim.fit.bands import Run, features, reach_of, spread_table, typical_factor
from pysim.fit.constants import CONSTANTS
from pysim.fit.folds import fold_of, left_out_s
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.points import Point, deployed, kept_out_groups, points
from pysim.fit.runs import predicted_s, runs_of
from pysim.fit.typical import only_typical, typical_runs
from pysim.memory.weights import weights_bytes
from pysim.models.parameters import parameters
from pysim.roofline.facts import facts_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

FOLDS = 8
SHALLOW_TOKENS = 4096


def counts(points_: tuple[Point, ...]) -> Array:
    """How much each point counts in the fit: of what is fitted all, remarked ones less."""
    return np.array([_count(point) for point in points_])


def _count(point: Point) -> float:
    if point.group in kept_out_groups() or not point.sound:
        return 0.0
    on = deployed(point, engine=False)
    memory = on.device.memory_bytes
    if memory and weights_bytes(on.model, on.weight_format) > memory * on.n_devices:
        return 0.0
    return 0.3 if point.flag else 1.0


def main() -> None:
    """Fit, measure the scatter of predictions, write."""
    measured = points()
    weights = counts(measured)
    hierarchy = Hierarchy(runs_of(measured), CONSTANTS, predicted_s)
    _say(f"{len(measured)} points, {int((weights > 0).sum())} of them fitted")
    start = hierarchy.fit(weights)
    table = hierarchy.table(start)
    typical, values, alike = typical_runs(measured, weights, table)
    for name, levels in only_typical(typical.table(values)).items():
        for level, groups in levels.items():
            table[name].setdefault(level, {}).update(groups)
    about_typical = np.log(typical.runs.measured_s / typical.predicted_s(values))
    spread: dict[str, Any] = {}
    runs = [_run(point) for point in measured]
    missed, knew = _left_out(hierarchy, measured, runs, weights, start)
    for phase in ("prefill", "decode"):
        of_phase = np.array([point.phase == phase for point in measured])
        spread[phase] = _spread(runs, missed, knew, of_phase & (weights > 0))
        half = spread[phase]["scale"] * (spread[phase]["quantiles"][1] - spread[phase]["quantiles"][0]) / 2
        for family in sorted({run.facts["family"] for run in runs}):
            some = of_phase & (alike > 0) & np.array([run.facts["family"] == family for run in runs])
            if some.any():
                factor = typical_factor(about_typical[some], alike[some], half)
                spread[phase]["cells"][f"{TYPICAL}/{family}"] = round(factor, 3)
    fitted = {
        "engines": sorted({*hierarchy.runs.groups["engine"], TYPICAL}),
        "spread": spread,
        "constants": table,
    }
    FILE.write_text(json.dumps(fitted, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    _say(f"wrote {FILE.name}, {FILE.stat().st_size:,} bytes")


def _run(point: Point) -> Run:
    """What decides how wide the band of a point is."""
    context = point.prompt_depth + point.prompt_tokens + (point.output_tokens if point.phase == "decode" else 0)
    on = deployed(point, engine=False)
    return Run(
        facts=facts_of(on, on.device, point.engine),
        parameters=parameters(on.model).total,
        context_tokens=context,
        batch=point.batch,
        source=point.source,
    )


def _left_out(
    hierarchy: Hierarchy, measured: tuple[Point, ...], runs: list[Run], weights: Array, start: Array
) -> tuple[list[Array], list[NDArray[np.intp]]]:
    """Logarithms of measured by predicted time of runs that a fit did not know, and the fold of what it did.

    Once without the run's source, once without all longer contexts.
    """
    fold = np.array([fold_of(point.source, FOLDS) for point in measured])
    deep = np.array([int(run.context_tokens > SHALLOW_TOKENS) for run in runs])
    logs = np.log(hierarchy.runs.measured_s)
    by_source = logs - np.log(left_out_s(hierarchy, weights, fold, range(FOLDS), start))
    _say(f"without its source: median error {np.median(np.abs(by_source[weights > 0])):.3f}")
    by_depth = logs - np.log(left_out_s(hierarchy, weights, deep, (1,), start))
    _say(f"beyond {SHALLOW_TOKENS} tokens: median error {np.median(np.abs(by_depth[(weights > 0) & (deep > 0)])):.3f}")
    return [by_source, by_depth], [fold, deep]


def _spread(
    runs: list[Run], missed: list[Array], knew: list[NDArray[np.intp]], some: NDArray[np.bool_]
) -> dict[str, Any]:
    """The scatter of the chosen runs, each by how far it lies from what its fit knew."""
    errors: list[float] = []
    far: list[dict[str, float]] = []
    left: list[Run] = []
    whole = _reach(runs, some)
    usual = {name: float(np.median([each[name] for each in whole.values()])) for name in ("deepest", "batch")}
    for kind, (error, fold) in enumerate(zip(missed, knew, strict=True)):
        for out in range(FOLDS) if kind == 0 else (1,):
            reach = _reach(runs, some & (fold != out))
            for place in np.flatnonzero(some & (fold == out)):
                errors.append(float(error[place]))
                far.append(features(runs[place], reach.get(runs[place].cell), usual))
                left.append(runs[place] if kind == 0 else replace(runs[place], source=f"{runs[place].source} deep"))
    table = spread_table(np.array(errors), far, [run.cell for run in left], [run.source for run in left])
    families = _reach(runs, some, typical=True)
    return {**table, **usual, "reach": whole | families}


def _reach(runs: list[Run], some: NDArray[np.bool_], *, typical: bool = False) -> dict[str, dict[str, Any]]:
    chosen = [runs[place] for place in np.flatnonzero(some)]
    return reach_of(chosen, [f"{TYPICAL}/{run.facts['family']}" if typical else run.cell for run in chosen])


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
