"""Folds of a cross-validation: how well are runs predicted whose like was left out of the fit?"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pysim.fit.hierarchy import Hierarchy

    Array = NDArray[np.float64]


def fold_of(name: str, folds: int) -> int:
    """A fold that depends on the name alone."""
    return int(hashlib.sha256(f"fold {name}".encode()).hexdigest(), 16) % folds


def left_out_s(hierarchy: Hierarchy, weights: Array, names: Sequence[str], folds: int) -> Array:
    """Predicted times of all runs, each by a fit without the runs whose names share its fold."""
    fold = np.array([fold_of(name, folds) for name in names])
    predicted = np.zeros(len(names))
    for left_out in range(folds):
        out = fold == left_out
        if out.any():
            values = hierarchy.fit(np.where(out, 0.0, weights))
            predicted[out] = hierarchy.predicted_s(values)[out]
    return predicted
