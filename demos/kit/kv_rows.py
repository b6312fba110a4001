"""What does the KV cache look like? One cell per token that went in, grouped when there are too many."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString, b, div

from demos.kit.html import element
from demos.kit.number import count, percent

MOST_CELLS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The cache at a moment: `kept` rows are written, of which `prompt` at most come from the prompt.

    `writing` further rows are being written, `written_fraction` of the way through the layers;
    the last `dropped` of them belong to guesses that will be refused. `total` is the end of the run.
    """

    total: int
    prompt: int
    kept: int
    writing: int = 0
    written_fraction: float = 0.0
    dropped: int = 0


def kv_rows(rows: Rows) -> SafeString:
    """Return the grid of rows, each cell the same number of rows, coloured by where they came from."""
    group = math.ceil(max(rows.total, rows.kept + rows.writing) / MOST_CELLS) or 1
    cells = math.ceil(max(rows.total, rows.kept + rows.writing) / group)
    drawn = [_cell(rows, index * group) for index in range(cells)]
    caption = "one cell per token that went in" if group == 1 else f"one cell per {count(group)} tokens that went in"
    return element(
        div,
        {"class": "kv-part"},
        div({"class": "cap"}, "KV cache: ", caption),
        div({"class": "kv", "aria-hidden": "true"}, *drawn),
    )


def _cell(rows: Rows, first: int) -> SafeString:
    classes: Sequence[str]
    if first < rows.kept:
        return element(b, {"class": "p" if first < rows.prompt else "d"})
    if first < rows.kept + rows.writing:
        refused = first >= rows.kept + rows.writing - rows.dropped
        classes = ["w", "p" if first < rows.prompt else "d", *(["x"] if refused else [])]
        return element(b, {"class": " ".join(classes), "style": f"--written:{percent(rows.written_fraction)}"})
    return element(b, {"class": "n"})
