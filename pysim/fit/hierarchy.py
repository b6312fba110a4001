"""The hierarchy of groups: how is a constant found for groups with many measurements and for groups with few?

Each constant is a number for all plus what each group of a run adds. Every addition is drawn
toward zero, by a prior that says how far groups of that level usually differ; a group with few
measurements stays near the others, one with many goes where its measurements are. The most
probable values are found by Gauss-Newton steps with Levenberg's damping; measurements far off
count by their distance, not its square (Huber), so a few odd ones do not rule.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from pysim.engines.measured import efficiency_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from pysim.engines.efficiency import Efficiency
    from pysim.fit.runs import Runs

    Array = NDArray[np.float64]
    Predict = Callable[[Runs, Efficiency], Array]
    Table = Mapping[str, Mapping[str, Mapping[str, float]]]

NOISE: Final = 0.08  # how far good measurements of one thing scatter, as a logarithm
FAR: Final = 2.0  # from so many times the noise on, a measurement is odd
STEP: Final = 1e-3
MOST_STEPS: Final = 25
ENOUGH: Final = 1.0  # gain of a step below which the search ends
FIXED: Final = 1e-6  # prior of what is known already
NEGLIGIBLE: Final = 0.002
WIDE: Final = 3.0  # prior of what all groups share: hardly any


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A constant's usual value (as logarithm, or log-odds), and by level how far groups differ there."""

    usual: float
    differ: Mapping[str, float]


class Hierarchy:
    """The groups of some runs, and the values that fit them.

    `given`: values by constant, level and group that are known already and stay as they are.
    """

    def __init__(
        self, runs: Runs, constants: Mapping[str, Constant], predict: Predict, given: Table | None = None
    ) -> None:
        self.runs, self.constants, self.predict = runs, constants, predict
        self.names: list[tuple[str, str, str]] = []
        usual: list[float] = []
        differ: list[float] = []
        place: dict[tuple[str, str, str], int] = {}
        self.columns: dict[str, list[NDArray[np.intp]]] = {}
        for name, constant in constants.items():
            self.columns[name] = []
            for level, width in (("all", WIDE), *constant.differ.items()):
                # Where no run has a group on a level, the level is empty.
                groups = runs.groups.get(level, ("",) * len(runs.measured_s))
                for group in dict.fromkeys(groups):
                    key = (name, level, group)
                    place[key] = len(self.names)
                    self.names.append(key)
                    known = None if given is None else given[name].get(level, {}).get(group)
                    usual.append(known if known is not None else constant.usual if level == "all" else 0.0)
                    # A run without a group on this level takes nothing from it.
                    differ.append(width if known is None and (group or level == "all") else FIXED)
                self.columns[name].append(np.array([place[name, level, group] for group in groups]))
        self.usual, self.differ = np.array(usual), np.array(differ)

    def fit(self, weights: Array, start: Array | None = None) -> Array:
        """The most probable values, given how much each run counts; the search begins at `start`."""
        some = weights > 0
        runs, counts = self.runs.take(some), weights[some]
        columns = {name: [part[some] for part in parts] for name, parts in self.columns.items()}
        target = np.log(runs.measured_s)
        places = np.array([part for parts in columns.values() for part in parts])
        values, damping = (self.usual if start is None else start).copy(), 1e-3
        logs = self._logs(runs, columns, values)
        cost = self._cost(target - logs, counts, values)
        for _ in range(MOST_STEPS):
            slopes = self._slopes(runs, columns, values)
            missed = target - logs
            trust = counts / np.maximum(1.0, np.abs(missed) / (FAR * NOISE)) / NOISE**2
            curve = _gram(slopes, places, trust, len(values))
            curve[np.diag_indices_from(curve)] += 1 / self.differ**2
            pull = np.bincount(places.ravel(), (slopes * trust * missed).ravel(), len(values))
            pull -= (values - self.usual) / self.differ**2
            gain = 0.0
            for _ in range(6):
                damped = curve.copy()
                damped[np.diag_indices_from(damped)] *= 1 + damping
                tried = values + np.clip(np.linalg.solve(damped, pull), -1.0, 1.0)
                tried_logs = self._logs(runs, columns, tried)
                tried_cost = self._cost(target - tried_logs, counts, tried)
                if tried_cost < cost:
                    gain = cost - tried_cost
                    values, logs, cost, damping = tried, tried_logs, tried_cost, max(damping / 5, 1e-8)
                    break
                damping *= 8
            if gain < ENOUGH:
                break
        return values

    def predicted_s(self, values: Array) -> Array:
        """The times of all runs with these values."""
        return np.exp(self._logs(self.runs, self.columns, values))

    def table(self, values: Array) -> dict[str, dict[str, dict[str, float]]]:
        """The values by constant, level and group, but for those too small to matter; "all" has the one group ""."""
        fitted: dict[str, dict[str, dict[str, float]]] = {name: {} for name in self.constants}
        for (name, level, group), value in zip(self.names, values, strict=True):
            if level == "all" or (group and abs(value) >= NEGLIGIBLE):
                fitted[name].setdefault(level, {})[group] = round(float(value), 3)
        return fitted

    def _logs(self, runs: Runs, columns: Mapping[str, list[NDArray[np.intp]]], values: Array) -> Array:
        sums = {name: np.sum([values[part] for part in parts], axis=0) for name, parts in columns.items()}
        return np.log(self.predict(runs, efficiency_of(sums)))

    def _slopes(self, runs: Runs, columns: Mapping[str, list[NDArray[np.intp]]], values: Array) -> Array:
        sums = {name: np.sum([values[part] for part in parts], axis=0) for name, parts in columns.items()}
        slopes = []
        for name, parts in columns.items():
            up, down = (self.predict(runs, efficiency_of(sums | {name: sums[name] + step})) for step in (STEP, -STEP))
            slope = (np.log(up) - np.log(down)) / (2 * STEP)
            slopes += [slope] * len(parts)
        return np.array(slopes)

    def _cost(self, missed: Array, counts: Array, values: Array) -> float:
        distance = np.abs(missed) / NOISE
        penalty = np.where(distance < FAR, distance**2 / 2, FAR * distance - FAR**2 / 2)
        return float(counts @ penalty + np.sum(((values - self.usual) / self.differ) ** 2) / 2)


def _gram(slopes: Array, places: NDArray[np.intp], trust: Array, size: int) -> Array:
    """The matrix of slopes' products. Each run depends on few of the values: `places` says on which, row by row."""
    runs = np.broadcast_to(np.arange(places.shape[1]), places.shape)
    table = np.zeros((places.shape[1], size))
    np.add.at(table, (runs, places), slopes * np.sqrt(trust))
    return table.T @ table
