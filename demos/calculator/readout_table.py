"""A table of readouts: row and column heads, and in each cell a readout or a plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from simple_html import SafeString, caption, small, table, tbody, td, th, thead, tr

from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, texts_of
from demos.kit.draw.small_table import column_heads
from demos.kit.html import element, output

TableCell = str | tuple[str, ReadoutValue] | tuple[str, ReadoutValue, str]


def readout_table(
    title: str, head: Sequence[str], rows: Sequence[tuple[str, Sequence[TableCell]]], declared: Mapping[str, Readout]
) -> SafeString:
    """Return the table. A cell is a text, or a readout's name and value, with or without its own note."""
    drawn = [tr(th({"scope": "row"}, label), *[_cell(cell, declared) for cell in cells]) for label, cells in rows]
    columns = thead(column_heads(head))
    return element(table, {"class": "small-table"}, caption(title), columns, tbody(*drawn))


def _cell(cell: TableCell, declared: Mapping[str, Readout]) -> SafeString:
    if isinstance(cell, str):
        return element(td, {}, cell)
    name, value, *notes = cell
    raw, shown = texts_of(declared[name], value)
    reason = value.reason if isinstance(value, Missing) else notes[0] if notes else ""
    note = [" ", small({"class": "cell-note"}, reason)] if reason else []
    return element(td, {}, output({"data-readout": name, "data-value": raw}, shown), *note)
