"""A small table with row and column heads, for a few things in words and numbers."""

from __future__ import annotations

from collections.abc import Sequence

from simple_html import SafeString, caption, table, tbody, td, th, thead, tr

from demos.kit.html import element


def small_table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> SafeString:
    """Return a table; the first cell of each row is its head."""
    drawn = [tr(th({"scope": "row"}, first), *[td(text) for text in rest]) for first, *rest in rows]
    columns = thead(column_heads(head))
    return element(table, {"class": "small-table"}, caption(title), columns, tbody(*drawn))


def column_heads(head: Sequence[str]) -> SafeString:
    """Return the row of column heads; above the heads of the rows there may be none."""
    return element(tr, {}, *[th({"scope": "col"}, text) if text else td("") for text in head])
