"""python -m pysim.fit.validate: how well are runs predicted whose group, device or source the fit did not know?

Every sound point is predicted, the reported ones too: this judges the method, not the constants shipped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from pysim.fit.constants import CONSTANTS
from pysim.fit.folds import fold_of, left_out_s
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.points import Point, points
from pysim.fit.runs import predicted_s, runs_of
from pysim.load import load_model

FOLDS = 8


def kind_of(point: Point) -> str:
    """Phase, kind of model and batch of a point, as a line of the table."""
    kind = "experts" if load_model(point.model).is_moe else "dense"
    return f"{point.phase} {kind}, batch {'1' if point.batch == 1 else '> 1'}"


def main(chosen: Sequence[str]) -> None:
    """Print median and p90 errors by what was left out."""
    measured = points()
    weights = np.array([0.0 if not point.sound else 0.3 if point.flag else 1.0 for point in measured])
    hierarchy = Hierarchy(runs_of(measured), CONSTANTS, predicted_s)
    kinds = np.array([kind_of(point) for point in measured])
    names = {
        "group": [point.group for point in measured],
        "device": [point.device for point in measured],
        "source": [point.source for point in measured],
    }
    start = hierarchy.fit(weights)
    for what in chosen or names:
        fold = np.array([fold_of(name, FOLDS) for name in names[what]])
        predicted = left_out_s(hierarchy, weights, fold, range(FOLDS), start)
        error = np.abs(hierarchy.runs.measured_s / predicted - 1)
        sys.stdout.write(f"without its {what}\n")
        for kind in sorted(set(kinds)):
            own = error[(kinds == kind) & (weights > 0)]
            middle, most = np.quantile(own, [0.5, 0.9])
            sys.stdout.write(f"  {kind}: {len(own)} points, median {middle:.1%}, p90 {most:.0%}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1:])
