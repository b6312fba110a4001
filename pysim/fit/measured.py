"""Measured rows: what has been published, row by row, each with its source?

Each table names a source by its key in sources.csv, where title, address and date stand once. measured.csv is the first
collection, measured_2026.csv has what was collected later.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final

from pysim.errors import MissingFact

HERE: Final = Path(__file__).parent
MEASURED: Final = (HERE / "measured.csv", HERE / "measured_2026.csv")
SOURCES: Final = HERE / "sources.csv"
SAID_BY_EITHER: Final = ("decode_includes_prefill",)  # of a source as a whole, or of one of its rows


@cache
def measured_rows() -> dict[str, dict[str, str]]:
    """Every row by its `row_id`, with the columns of its source; MissingFact where a table is missing."""
    return {row_id: row for table in MEASURED for row_id, row in rows_of(table, SOURCES).items()}


def rows_of(table: Path, sources: Path) -> dict[str, dict[str, str]]:
    """The rows of one table by their `row_id`, with the columns of their sources."""
    known = {row["source"]: row for row in _table(sources)}
    return {
        row["row_id"]: row | known[row["source"]] | {name: said for name in SAID_BY_EITHER if (said := row.get(name))}
        for row in _table(table)
    }


def _table(path: Path) -> list[dict[str, str]]:
    if not path.is_file():
        raise MissingFact(f"the table of measured points is not complete: {path.name} is missing")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, restval=""))
