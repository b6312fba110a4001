"""Typical runs: what does a device of a family reach under an engine that is not named?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from pysim.engines.names import TYPICAL, engine_name
from pysim.fit.constants import CONSTANTS
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.runs import predicted_s, runs_of
from pysim.load import load_device

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pysim.fit.hierarchy import Table
    from pysim.fit.points import Point

    Array = NDArray[np.float64]


def typical_runs(points: Sequence[Point], weights: Array, given: Table) -> tuple[Hierarchy, Array, Array]:
    """The points taken for runs of one engine, "typical": their hierarchy, its values and each run's weight.

    What families, devices and formats add is given; what "typical" adds is found from runs in which
    the engines of a family count alike, however often each was measured. Runs with a remark, such as
    those of a reference implementation that waits for itself, are no typical ones.
    """
    weights = np.array([0.0 if point.flag else weight for point, weight in zip(points, weights, strict=True)])
    cells = [(family, engine_name(point.engine)) for family, point in zip(_families(points), points, strict=True)]
    total: dict[tuple[str, str], float] = {}
    for cell, weight in zip(cells, weights, strict=True):
        total[cell] = total.get(cell, 0.0) + weight
    largest = {family: max(total[cell] for cell in total if cell[0] == family) for family, _ in cells}
    gain = np.array([largest[cell[0]] / total[cell] if total[cell] else 0.0 for cell in cells])
    # Not more than a few times its own weight: one odd run must not stand for an engine.
    alike = weights * np.minimum(gain, 5.0)
    runs = runs_of([replace(point, engine=TYPICAL, backend=None) for point in points])
    hierarchy = Hierarchy(runs, CONSTANTS, predicted_s, given=given)
    return hierarchy, hierarchy.fit(alike), alike


def only_typical(table: Table) -> dict[str, dict[str, dict[str, float]]]:
    """What belongs to "typical" in a table of constants."""
    return {
        name: {level: own for level, groups in levels.items() if (own := _own(groups))}
        for name, levels in table.items()
    }


def _own(groups: Mapping[str, float]) -> dict[str, float]:
    return {group: value for group, value in groups.items() if group.split("/")[0] == TYPICAL}


def _families(points: Sequence[Point]) -> list[str]:
    return [load_device(point.device).family for point in points]
