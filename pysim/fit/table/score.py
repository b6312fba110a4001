"""The score of somebody else's measurements: how far predictions lie from them, and which rows were left out and why.

A file's rows pass through one by one; what is kept of each is a few numbers, so a million need little memory.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from pysim import units
from pysim.errors import BadValue, PysimError
from pysim.fit.accuracy import Outcome, Summary, by_kind, compare, summary_of
from pysim.fit.points import Point, deployed
from pysim.fit.table.columns import Columns, read_heading
from pysim.fit.table.file import opened, records
from pysim.fit.table.points import LeftOut, RowReader
from pysim.memory.placement import places

WORST: Final = 10
# Different reasons kept in their own words; the names in them may all be different.
MOST_REASONS: Final = 20_000
LONGEST_ID: Final = 40

Group = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One scored point of a row."""

    row: int
    outcome: Outcome


@dataclass(slots=True)
class LeftOutRows:
    """Rows that were not scored, or a phase of theirs, in order: thirteen bytes each, and its id."""

    rows: array[int] = field(default_factory=lambda: array("q"))
    reasons: array[int] = field(default_factory=lambda: array("l"))
    phases: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    texts: dict[str, int] = field(default_factory=dict)

    def add(self, row: int, row_id: str, phase: str, reason: str) -> None:
        """One more; where there are too many different reasons, what comes before the name is kept."""
        if reason not in self.texts and len(self.texts) >= MOST_REASONS:
            reason = reason.partition('"')[0].strip() or "other"
        self.rows.append(row)
        self.phases.append(phase)
        self.ids.append(row_id[:LONGEST_ID])
        self.reasons.append(self.texts.setdefault(reason, len(self.texts)))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[dict[str, object]]:
        texts = list(self.texts)
        for row, row_id, phase, reason in zip(self.rows, self.ids, self.phases, self.reasons, strict=True):
            yield {"row": row, "row_id": row_id or None, "phase": phase or None, "reason": texts[reason]}

    def by_reason(self) -> list[tuple[str, list[int]]]:
        """Each reason with its rows, the most frequent first."""
        rows: list[list[int]] = [[] for _ in self.texts]
        for row, reason in zip(self.rows, self.reasons, strict=True):
            rows[reason].append(row)
        return sorted(zip(self.texts, rows, strict=True), key=lambda entry: -len(entry[1]))


@dataclass(slots=True)
class _Misses:
    """The errors of one group."""

    misses: array[float] = field(default_factory=lambda: array("d"))
    inside: int = 0


@dataclass(slots=True)
class Score:
    """What a table's rows came to. `rows` counts those that are not empty, without the heading."""

    columns: Columns
    rows: int = 0
    rows_scored: int = 0
    assumed: dict[str, int] = field(default_factory=dict)
    left_out: LeftOutRows = field(default_factory=LeftOutRows)
    worst: list[tuple[float, int, Outcome]] = field(default_factory=list)
    groups: dict[Group, _Misses] = field(default_factory=dict)

    @property
    def points(self) -> int:
        """How many speeds were compared."""
        return sum(len(group.misses) for group in self.groups.values())

    def summaries(self) -> list[Summary]:
        """A line per phase × kind of model × batch."""
        return [
            summary_of(name, group.misses, group.inside / len(group.misses))
            for name, group in sorted(self.groups.items())
        ]

    def worst_first(self) -> list[Scored]:
        """The points that lie furthest off, by the ratio of measured and predicted."""
        ordered = sorted(self.worst, key=lambda entry: entry[:2], reverse=True)
        return [Scored(row=-row, outcome=outcome) for _, row, outcome in ordered]

    def add(self, row: int, outcome: Outcome) -> None:
        """Count one compared point."""
        group = self.groups.setdefault(by_kind(outcome), _Misses())
        group.misses.append(outcome.miss)
        group.inside += outcome.in_band
        entry = (abs(outcome.log_miss), -row, outcome)
        if len(self.worst) < WORST:
            heapq.heappush(self.worst, entry)
        elif entry[:2] > self.worst[0][:2]:
            heapq.heapreplace(self.worst, entry)


def score(path: str) -> Score:
    """Score the file of a path, or standard input for "-"; BadValue where it is no table of measurements."""
    name = "standard input" if path == "-" else path
    with opened(path) as data, closing(records(data, name)) as rows:
        heading = next(rows, None)
        if heading is None:
            raise BadValue(f"{name} is empty; its first row names the columns, those of pysim/fit/measured.csv")
        result = Score(read_heading(heading[1], name))
        reader = RowReader()
        for number, cells in rows:
            result.rows += 1
            _score_row(result, reader, number, cells)
    if not result.rows:
        raise BadValue(f"{name} has a header but no rows")
    result.assumed |= reader.assumed
    return result


def _score_row(result: Score, reader: RowReader, number: int, cells: list[str]) -> None:
    columns = result.columns
    row = columns.row(cells)
    if any(cell.strip() for cell in cells[columns.width :]):
        reason = f"{len(cells)} cells in {columns.width} columns"
        result.left_out.add(number, row["row_id"], "", reason)
        return
    if "batch" not in columns.places:
        row["batch"] = "1"
    scored = False
    for part in reader.points(row):
        answer = part if isinstance(part, LeftOut) else _compared(part)
        if isinstance(answer, LeftOut):
            result.left_out.add(number, row["row_id"], answer.phase, answer.reason)
        else:
            result.add(number, answer)
            scored = True
    result.rows_scored += scored


def _compared(point: Point) -> Outcome | LeftOut:
    try:
        outcome = compare(point)
    except PysimError as error:
        return LeftOut(phase=point.phase, reason=str(error))
    # Whoever measured it ran it: what is too large by pysim's reckoning of an engine's own memory alone is compared.
    if outcome.fits is False and (reason := _too_large(point)):
        return LeftOut(phase=point.phase, reason=reason)
    return outcome


def _too_large(point: Point) -> str:
    """Why a run cannot have been in the device's memory; "" where weights and cache alone fit."""
    on = deployed(point)
    has = on.device.memory_bytes
    tokens = point.prompt_depth + point.prompt_tokens + max(0, point.output_tokens - 1)
    need = max(place.weights_bytes + place.cache_bytes(tokens, point.batch) for place in places(on))
    if has is None or need <= has:
        return ""
    needs, memory = units.show(need, "B", binary=True), units.show(has, "B", binary=True)
    return f"does not fit: {needs} of weights and cache in {memory}; part of it ran elsewhere"
