"""A demo's numbers as CSV, in which a spreadsheet takes no text for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

Cell = str | int | float
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def csv_text(rows: Sequence[Sequence[Cell]]) -> str:
    """Return `rows` (the first one holds the column names, with units) as RFC 4180 text.

    A text that a spreadsheet would run as a formula gets a leading apostrophe.
    """
    target = io.StringIO()
    csv.writer(target).writerows([[_safe(cell) for cell in row] for row in rows])
    return target.getvalue()


def _safe(cell: Cell) -> str:
    if isinstance(cell, str):
        return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell
    return format(cell, ".9g") if isinstance(cell, float) else str(cell)
