"""Bands: how far do runs scatter about a prediction that did not know them, near what was measured and far from it?

The logarithm of the scatter is a sum: one number per phase, and one for each distance of a run from what the fit
knew (`pysim.engines.spread.distances`). Both are found from predictions of whole sources that were left out, as the
most probable ones of a Laplace distribution; then each cell's own scatter counts, as far as it has points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from pysim.engines.groups import group_names
from pysim.engines.spread import FLAGS, SIZED, distances

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

PRIOR_POINTS: Final = 25  # a cell with fewer points of its own scatters mostly like all
# Of what was left out. Later sources lie further off: of theirs about four of five runs are to fall inside.
ENDS: Final = (0.05, 0.95)
BOUNDS: Final = (0.6, 3.0)  # of a cell's own factor
DRAW: Final = 4.0  # how strongly the widening by a distance is drawn to none, in points
ROUNDS: Final = 3000


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What a band's width depends on: the facts of a run, its model's parameters, the context's end and the batch."""

    facts: Mapping[str, str]
    parameters: float
    context_tokens: float
    batch: float
    source: str

    @property
    def cell(self) -> str:
        """Engine and family."""
        return group_names(self.facts)["cell"]


def reach_of(runs: Sequence[Run], cells: Sequence[str]) -> dict[str, dict[str, Any]]:
    """How far the measurements of each cell reach."""
    reach: dict[str, dict[str, Any]] = {}
    for cell in sorted(set(cells)):
        own = [run for run, name in zip(runs, cells, strict=True) if name == cell]
        reach[cell] = {
            "deepest": max(run.context_tokens for run in own),
            "batch": max(run.batch for run in own),
            "parameters": [min(run.parameters for run in own), max(run.parameters for run in own)],
            **{
                name: sorted({run.facts[fact] for run in own})
                for name, fact in (
                    ("devices", "device"), ("backends", "backend"), ("formats", "class"), ("kinds", "kind"),
                    ("mixings", "mixing"),
                )
            },
        }  # fmt: skip
    return reach


def features(run: Run, reach: Mapping[str, Any] | None, usual: Mapping[str, float]) -> dict[str, float]:
    """The distances of a run as logarithms of factors, or 0 and 1."""
    far = distances(reach, run.facts, run.parameters)
    deepest, batch = (reach["deepest"], reach["batch"]) if reach else (usual["deepest"], usual["batch"])
    far |= {"depth": run.context_tokens / deepest, "batch": run.batch / batch, "batched": float(run.batch > 1)}
    return {name: float(np.log(max(1.0, value))) if name in SIZED else value for name, value in far.items()}


def spread_table(
    missed: Array, far: Sequence[Mapping[str, float]], cells: Sequence[str], sources: Sequence[str]
) -> dict[str, Any]:
    """The scatter of one phase from logarithms of measured by predicted time of runs that were left out."""
    names = (*FLAGS, *SIZED)
    table = np.array([[1.0, *(each.get(name, 0.0) for name in names)] for each in far])
    many = {source: sources.count(source) for source in set(sources)}
    counts = np.array([1 / np.sqrt(many[source]) for source in sources])
    counts *= len(counts) / counts.sum()
    found = _laplace(np.abs(missed), table, counts)
    scale = np.exp(table @ found)
    known = np.array([not each.get("engine", 0.0) for each in far])
    usual = _quantile(np.abs(missed / scale)[known], counts[known], 0.8)
    own: dict[str, float] = {}
    for cell in sorted(set(cells)):
        some = known & (np.array(cells) == cell)
        if some.any():
            ratio = _quantile(np.abs(missed / scale)[some], counts[some], 0.8) / usual
            own[cell] = float(np.clip((PRIOR_POINTS + some.sum() * ratio) / (PRIOR_POINTS + some.sum()), *BOUNDS))
    scale *= np.array([own.get(cell, 1.0) for cell in cells])
    return {
        "scale": round(float(np.exp(found[0])), 4),
        "by": {
            name: round(float(value if name in SIZED else np.exp(value)), 3)
            for name, value in zip(names, found[1:], strict=True)
        },
        "quantiles": [round(_quantile(missed / scale, counts, end), 4) for end in ENDS],
        "cells": {cell: round(value, 3) for cell, value in own.items()},
    }


def _laplace(distance: Array, table: Array, counts: Array) -> Array:
    """The coefficients, none but the first below 0, of a logarithmic scale under which distances are most probable."""
    found = np.zeros(table.shape[1])
    found[0] = np.log(np.average(distance, weights=counts))
    draw = np.array([0.0, *(DRAW for _ in found[1:])])
    size = counts @ table**2 + draw
    for _ in range(ROUNDS):
        pull = table.T @ (counts * (distance / np.exp(table @ found) - 1)) - draw * found
        found = found + 0.2 * pull / size
        found[1:] = np.clip(found[1:], 0.0, None)
    return found


def _quantile(values: Array, counts: Array, share: float) -> float:
    order = np.argsort(values)
    place = (np.cumsum(counts[order]) - counts[order] / 2) / counts.sum()
    return float(np.interp(share, place, values[order]))


def typical_factor(missed: Array, counts: Array, least: float) -> float:
    """How much further a family's engines lie from a typical one than `least`, the half of a usual band."""
    return max(1.0, _quantile(np.abs(missed), counts, 0.8) / least)
