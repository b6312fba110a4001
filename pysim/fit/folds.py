"""Folds of a cross-validation: how well are runs predicted whose like was left out of the fit?"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pysim.fit.hierarchy import Hierarchy

    Array = NDArray[np.float64]


def fold_of(name: str, folds: int) -> int:
    """A fold that depends on the name alone."""
    return int(hashlib.sha256(f"fold {name}".encode()).hexdigest(), 16) % folds


def left_out_s(
    hierarchy: Hierarchy, weights: Array, fold: NDArray[np.intp], left_out: Iterable[int], start: Array | None = None
) -> Array:
    """Predicted times of all runs, those of each fold that is left out by a fit without them; of the others 1 s."""
    predicted = np.ones(len(fold))
    for out in left_out:
        own = fold == out
        if own.any():
            values = hierarchy.fit(np.where(own, 0.0, weights), start)
            predicted[own] = hierarchy.predicted_s(values)[own]
    return predicted
