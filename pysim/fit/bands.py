"""Bands: how far do runs scatter about a prediction that did not know them?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypedDict

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Chosen = NDArray[np.bool_]

ENOUGH_GROUPS: Final = 4
PRIOR_POINTS: Final = 12  # a cell with fewer points of its own scatters mostly like all
HOLDS_80: Final = 1.2816  # the middle 80% of a normal distribution lie within so many standard deviations


class SpreadTable(TypedDict):
    """The scatter of one phase; scales are multiplied by the quantiles to give a band."""

    quantiles: list[float]
    batched: float
    other_device: float
    unknown: float
    cells: dict[str, float]


def spread_table(
    cells: Sequence[str], groups: Sequence[str], batched: Chosen, missed: Mapping[str, Array], counted: Chosen
) -> SpreadTable:
    """The scatter of one phase, from logarithms of measured by predicted time.

    `missed`: by fits without the run's "group", without its "device", without its engine on its family ("cell").
    """
    known = missed["group"]
    # Where a cell has few groups, a fit without one of them hardly knows the cell: that is another case.
    held = {cell: {group for own, group in zip(cells, groups, strict=True) if own == cell} for cell in set(cells)}
    every = counted
    counted = every & np.array([len(held[cell]) >= ENOUGH_GROUPS for cell in cells])
    usual = _scale(known[counted])
    scales: dict[str, float] = {}
    for cell in sorted(set(cells)):
        own = known[every & (np.array(cells) == cell)]
        if len(own):
            within_80 = float(np.quantile(np.abs(own), 0.8)) / HOLDS_80
            scales[cell] = (PRIOR_POINTS * usual + len(own) * within_80) / (PRIOR_POINTS + len(own))
    scale = np.array([scales.get(cell, usual) for cell in cells])
    several = _ratio(known / scale, counted & batched, counted & ~batched)
    scale = np.where(batched, scale * several, scale)
    low, high = np.quantile((known / scale)[counted], [0.1, 0.9])
    other = max(1.0, _scale((missed["device"] / scale)[counted]) / _scale((known / scale)[counted]))
    return {
        "quantiles": [round(float(low), 4), round(float(high), 4)],
        "batched": round(several, 3),
        "other_device": round(other, 3),
        "unknown": round(_scale(missed["cell"][every]), 4),
        "cells": {cell: round(value, 4) for cell, value in scales.items()},
    }


def typical_scales(cells: Sequence[str], missed: Array, weights: Array, least: float) -> dict[str, float]:
    """The scatter of all engines of a family about its typical one; not below what one engine's runs have."""
    scales = {}
    for cell in sorted(set(cells)):
        own = (weights > 0) & (np.array(cells) == cell)
        if own.any():
            order = np.argsort(np.abs(missed[own]))
            share = np.cumsum(weights[own][order]) / np.sum(weights[own])
            within_80 = np.abs(missed[own])[order][min(int(np.searchsorted(share, 0.8)), len(order) - 1)]
            scales[cell] = round(max(float(within_80) / HOLDS_80, least), 4)
    return scales


def _scale(missed: Array) -> float:
    """A robust standard deviation: half the distance that holds the middle 80%, by what it is for a normal one."""
    if len(missed) == 0:
        return 0.0
    low, high = np.quantile(missed, [0.1, 0.9])
    return float((high - low) / 2 / HOLDS_80)


def _ratio(missed: Array, some: Chosen, others: Chosen) -> float:
    if some.sum() < 5 or others.sum() < 5:
        return 1.0
    return max(1.0, _scale(missed[some]) / _scale(missed[others]))
