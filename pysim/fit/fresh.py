"""Fresh points: how far are predictions from sources that nobody fitted to, whole sources held out?

fresh.csv and fresh_sources.csv have the form of measured.csv and sources.csv. No constant may ever be made from them:
what is moved into the fit is replaced here by newer sources.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pysim.engines.names import engine_name
from pysim.errors import PysimError
from pysim.fit.accuracy import Outcome, compare
from pysim.fit.measured import HERE, rows_of
from pysim.fit.points import Point, points
from pysim.fit.table.columns import READ
from pysim.fit.table.points import LeftOut, RowReader
from pysim.load import load_device

FRESH: Final = HERE / "fresh.csv"
FRESH_SOURCES: Final = HERE / "fresh_sources.csv"
# Lengths that people mean by short, usual, long and very long.
DEPTHS: Final = (1_024, 4_096, 16_384)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """What was compared, and which rows were not, with the reason."""

    outcomes: tuple[Outcome, ...]
    left_out: tuple[tuple[str, str], ...]
    dates: tuple[str, ...]


@lru_cache(maxsize=1)
def fresh_rows() -> dict[str, dict[str, str]]:
    """Every fresh row by its `row_id`, with the columns of its source."""
    return rows_of(FRESH, FRESH_SOURCES)


@lru_cache(maxsize=1)
def fresh() -> Fresh:
    """All fresh rows, compared."""
    reader = RowReader()
    outcomes: list[Outcome] = []
    left_out: list[tuple[str, str]] = []
    for row_id, row in fresh_rows().items():
        for part in reader.points(dict.fromkeys(READ, "") | row):
            if isinstance(part, LeftOut):
                left_out.append((row_id, part.reason))
                continue
            try:
                outcomes.append(compare(part))
            except PysimError as error:
                left_out.append((row_id, str(error)))
    dates = sorted({row["source_date"] for row in fresh_rows().values() if row["source_date"]})
    return Fresh(outcomes=tuple(outcomes), left_out=tuple(left_out), dates=tuple(dates))


def length_of(point: Point) -> int:
    """How many tokens are in the cache when a prompt was read, or when an answer begins."""
    return point.prompt_depth + point.prompt_tokens


def unknown_to_the_fit(point: Point, family: str, engine: str) -> tuple[str, ...]:
    """What the fit did not know of a run: facts that its prediction had to guess from relatives."""
    fitted = [known for known in _fitted() if known[:2] == (engine, family)]
    said: list[str] = []
    if not fitted:
        said.append(f"no run of {engine} on {family}")
    if point.device not in _devices():
        said.append("no run of this device")
    deepest = max((known[2] for known in fitted), default=0)
    if fitted and length_of(point) > deepest:
        said.append(f"no context of such runs beyond {deepest:,} tokens")
    if point.n_devices > 1 and not any(known[3] > 1 for known in fitted):
        said.append("no such run on several devices")
    return tuple(said)


@lru_cache(maxsize=1)
def _devices() -> frozenset[str]:
    return frozenset(point.device for point in points() if point.sound and not point.reported)


@lru_cache(maxsize=1)
def _fitted() -> tuple[tuple[str, str, int, int], ...]:
    """Engine, family, length and number of devices of every fitted point."""
    return tuple(
        (outcome_engine, family, length_of(point), point.n_devices)
        for point in points()
        if point.sound and not point.reported
        for outcome_engine, family in (_cell(point),)
    )


def _cell(point: Point) -> tuple[str, str]:
    return engine_name(point.engine), load_device(point.device).family
