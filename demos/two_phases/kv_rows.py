"""The KV cache as a grid: one cell per token that went in, grouped when there are too many."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, b, div

from demos.kit.html import element
from demos.kit.number import count, percent

MOST_CELLS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRows:
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


def kv_rows(rows: CacheRows, kept_in: str = "") -> SafeString:
    """Return the grid of rows, each cell the same number of rows, colored by where they came from.

    `kept_in` says which layers keep such rows where not all do.
    """
    group = math.ceil(max(rows.total, rows.kept + rows.writing) / MOST_CELLS) or 1
    cells = math.ceil(max(rows.total, rows.kept + rows.writing) / group)
    drawn = [_cell(rows, index * group) for index in range(cells)]
    caption = "one cell per token that went in" if group == 1 else f"one cell per {count(group)} tokens that went in"
    return element(
        div,
        {"class": "kv-part"},
        div({"class": "cap"}, "KV cache: ", caption, f". {kept_in}." if kept_in else ""),
        div({"class": "kv", "aria-hidden": "true"}, *drawn),
    )


def _cell(rows: CacheRows, first: int) -> SafeString:
    origin = "p" if first < rows.prompt else "d"
    if first < rows.kept:
        return _drawn(origin)
    if first < rows.kept + rows.writing:
        refused = first >= rows.kept + rows.writing - rows.dropped
        return _drawn(f"w {origin}{' x' if refused else ''}", percent(rows.written_fraction))
    return _drawn("n")


@lru_cache(maxsize=256)
def _drawn(classes: str, written: str = "") -> SafeString:
    return element(b, {"class": classes, **({"style": f"--written:{written}"} if written else {})})
