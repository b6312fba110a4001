"""python -m pysim.fit.routing: how independently do the tokens of a batch choose their experts?

Fits with several exponents; the one with the least misfit of models with experts is in `pysim.roofline.work`.
"""

from __future__ import annotations

import sys

import numpy as np

from pysim.fit.constants import CONSTANTS
from pysim.fit.hierarchy import Hierarchy
from pysim.fit.points import points
from pysim.fit.runs import predicted_s, runs_of
from pysim.load import load_model

EXPONENTS = (0.7, 0.8, 0.85, 0.9, 1.0)


def main() -> None:
    """Print the misfit of batched runs of models with experts for each exponent."""
    measured = points()
    weights = np.array([0.0 if point.reported or not point.sound else 1.0 for point in measured])
    batched = np.array([point.batch > 1 and load_model(point.model).is_moe for point in measured]) & (weights > 0)
    for exponent in EXPONENTS:
        hierarchy = Hierarchy(runs_of(measured, exponent), CONSTANTS, predicted_s)
        values = hierarchy.fit(weights)
        missed = np.log(hierarchy.runs.measured_s / hierarchy.predicted_s(values))[batched]
        sys.stdout.write(f"{exponent}: misfit {np.sqrt(np.mean(missed**2)):.4f} over {batched.sum()} runs\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
