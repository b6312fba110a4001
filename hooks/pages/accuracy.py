"""The accuracy page's tables and plots, computed when the site is built.

A mark such as `<!-- accuracy:summary -->` alone on a line of a page stands for a piece made here;
`filled(markdown)` puts the pieces in.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from statistics import median
from typing import Final

from simple_html import (
    Node,
    a,
    details,
    div,
    li,
    p,
    render,
    summary,
    ul,
)

from hooks.pages import accuracy_serving, fresh
from hooks.pages.accuracy_plot import scatter
from hooks.pages.accuracy_table import FIGURES, NAMES, accuracy_table, figures, phase_term
from pysim.fit.accuracy import (
    Outcome,
    by_cell,
    by_kind,
    noise_floor,
    outcomes,
    summarize,
)
from pysim.fit.known_values import fixtures
from pysim.fit.points import REPORT_ONE_IN, Phase, points

MARK: Final = re.compile(r"^<!-- accuracy:([a-z]+)(?: ([a-z]+))? -->$", re.MULTILINE)
# A cell whose median error is larger than this is listed as weak, if it has points enough to tell.
WEAK: Final = 0.25
ENOUGH: Final = 4


def filled(markdown: str) -> str:
    """Replace the marks by the accuracy pieces; pages without one come back as they are."""
    return MARK.sub(lambda mark: render_piece(mark[1], mark[2]), markdown)


def render_piece(name: str, what: str | None = None) -> str:
    """The HTML of one piece; ValueError names the pieces there are."""
    make = PIECES.get(name)
    if make is None:
        raise ValueError(f'unknown piece "accuracy:{name}"; allowed: {", ".join(PIECES)}')
    return render(div({"class": "accuracy"}, *make(what or "decode")))


def _counts(_: str) -> list[Node]:
    measured = points()
    sound = [point for point in measured if point.sound]
    reported = [point for point in sound if point.reported]
    sources = len({point.source for point in sound})
    text = (
        f"{len(measured):,} measured points have a model and a device of the catalog; {len(sound):,} of them, from "
        f"{sources} sources, passed our checks. Of the first collection a fixed fifth of the groups (same device, "
        f"model, weight format and engine) was kept out of the fit: {len(reported)} points. The numbers in this part "
        "are about these."
    )
    if REPORT_ONE_IN != 5:
        raise ValueError("the page says that a fifth was kept out of the fit")
    return [p(text)]


def _summary(_: str) -> list[Node]:
    lines = summarize(outcomes(), by_kind)
    rows = [[phase_term(row.name[0]), NAMES[row.name[1]], NAMES[row.name[2]], *figures(row)] for row in lines]
    return [
        accuracy_table("Errors on points that were not fitted", ("phase", "model", "batch", *FIGURES), rows, texts=3)
    ]


def _cells(_: str) -> list[Node]:
    lines = summarize(outcomes(), by_cell)
    rows = [[phase_term(row.name[0]), row.name[1], row.name[2], *figures(row)] for row in lines]
    return [
        accuracy_table("The same by engine and device family", ("phase", "engine", "family", *FIGURES), rows, texts=3)
    ]


def _scatter(what: str) -> list[Node]:
    shown = [outcome for outcome in outcomes() if outcome.point.phase == what]
    if not shown:
        raise ValueError(f'nothing to plot for "{what}"; allowed: decode, prefill')
    rows: list[list[Node]] = [
        [
            a({"href": outcome.point.url, "rel": "noopener"}, f"{outcome.point.source}, {outcome.point.row}"),
            *(str(part) for part in (outcome.point.device, outcome.point.model, outcome.point.weights, outcome.engine)),
            _lengths(outcome),
            f"{outcome.measured_per_s:,.4g}",
            f"{outcome.predicted_per_s:,.4g}",
            f"{outcome.miss:+.0%}",
        ]
        for outcome in shown
    ]
    head = ("source", "device", "model", "weights", "engine", "tokens", "measured", "predicted", "error")
    listed = accuracy_table(f"All {len(rows)} points: {what}, in tokens per second", head, rows, texts=6)
    return [scatter(shown, what), details(summary(f"The {len(rows)} points as a table"), listed)]


def _noise(_: str) -> list[Node]:
    phases: tuple[Phase, ...] = ("decode", "prefill")
    items = []
    for phase in phases:
        ratio, pairs = noise_floor(phase)
        if math.isfinite(ratio):
            items.append(li(f"{phase}: a factor of {ratio:.2f} (median of {pairs} pairs)"))
    return [ul(*items)]


def _bands(_: str) -> list[Node]:
    reported = outcomes()
    inside = sum(outcome.in_band for outcome in reported) / len(reported)
    by_phase = [f"{phase} {median_share(reported, phase):.0%}" for phase in ("prefill", "decode")]
    return [
        p(
            f"Of the {len(reported)} points, {inside:.0%} lie within their band ({', '.join(by_phase)}); "
            "it is meant to hold 80%."
        )
    ]


def median_share(reported: tuple[Outcome, ...], phase: str) -> float:
    """The share of a phase's points that are within their bands."""
    own = [outcome.in_band for outcome in reported if outcome.point.phase == phase]
    return sum(own) / len(own)


def _weak(_: str) -> list[Node]:
    weak = [
        cell for cell in summarize(outcomes(), _by_cell_and_kind) if cell.points >= ENOUGH and cell.median_error > WEAK
    ]
    weak.sort(key=lambda cell: -cell.median_error)
    items = [
        li(
            f"{cell.name[0]} of {NAMES[cell.name[3]]} models, batch {NAMES[cell.name[4]]}, under {cell.name[1]} on "
            f"{cell.name[2]}: median error {cell.median_error:.0%} over {cell.points} points, "
            f"predictions mostly {'too fast' if cell.bias > 0 else 'too slow'}"
        )
        for cell in weak
    ]
    few = [cell for cell in summarize(outcomes(), _by_cell_and_kind) if cell.points < ENOUGH]
    middle = median([cell.median_error for cell in few]) if few else 0.0
    remark = f"{len(few)} more cells have fewer than {ENOUGH} points, too few to judge (median error {middle:.0%})."
    none = [p(f"No cell with at least {ENOUGH} points has a median error above {WEAK:.0%}.")]
    return [*([ul(*items)] if items else none), *([p(remark)] if few else [])]


def _fixtures(_: str) -> list[Node]:
    rows: list[list[Node]] = [
        ["✓" if value.right else "✗ wrong", value.question, value.expected, value.given, _linked(value.source)]
        for value in fixtures()
    ]
    return [accuracy_table("Values that are known", ("right", "question", "known", "pysim", "source"), rows, texts=5)]


PIECES: Final[Mapping[str, Callable[[str], list[Node]]]] = {
    "counts": _counts, "summary": _summary, "cells": _cells, "scatter": _scatter, "noise": _noise, "bands": _bands,
    "weak": _weak, "fixtures": _fixtures, **fresh.PIECES,
    "replays": accuracy_serving.replays, "loadtests": accuracy_serving.tests,
}  # fmt: skip


def _by_cell_and_kind(outcome: Outcome) -> tuple[str, ...]:
    return (*by_cell(outcome), *by_kind(outcome)[1:])


def _lengths(outcome: Outcome) -> str:
    point = outcome.point
    batch = f" × {point.batch}" if point.batch > 1 else ""
    if point.phase == "prefill":
        return f"{point.prompt_tokens}{f' after {point.prompt_depth}' if point.prompt_depth else ''}{batch}"
    return f"{point.prompt_tokens} + {point.output_tokens - (not point.whole)}{batch}"


def _linked(source: str) -> Node:
    if not source.startswith("https://"):
        return source
    return a({"href": source, "rel": "noopener"}, source.removeprefix("https://").removeprefix("github.com/"))
