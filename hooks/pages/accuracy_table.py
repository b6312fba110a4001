"""The tables of the accuracy page: their figures, names and markup."""

from __future__ import annotations

from typing import Final

from simple_html import Node, caption, div, span, table, tbody, td, th, thead, tr

from pysim.fit.accuracy import Summary

NAMES: Final = {"experts": "mixture of experts", "dense": "dense", "1": "1", "larger": "more than 1"}
FIGURES: Final = ("points", "median error", "p90 error", "bias", "in band")


def figures(summary: Summary) -> list[Node]:
    """The figures of a line as cells."""
    errors = (f"{summary.median_error:.1%}", f"{summary.p90_error:.0%}", f"{summary.bias:+.1%}")
    return [f"{summary.points}", *errors, f"{summary.in_band:.0%}"]


def phase_term(name: str) -> Node:
    """A phase in its color."""
    return span({"class": f"term-{name}"}, name)


def accuracy_table(title: str, head: tuple[str, ...], rows: list[list[Node]], *, texts: int) -> Node:
    """A table that scrolls by itself where the page is narrow; the first `texts` columns are words."""

    def cell(place: int, content: Node) -> Node:
        return td({} if place < texts else {"style": "text-align:right;font-variant-numeric:tabular-nums"}, content)

    return div(
        {
            "class": "md-typeset__scrollwrap",
            "style": "overflow-x:auto",
            "tabindex": "0",
            "role": "region",
            "aria-label": title,
        },
        div(
            {"class": "md-typeset__table"},
            table(
                caption(title),
                thead(tr(*(th({"scope": "col"}, name) for name in head))),
                tbody(*(tr(*(cell(place, content) for place, content in enumerate(row))) for row in rows)),
            ),
        ),
    )
