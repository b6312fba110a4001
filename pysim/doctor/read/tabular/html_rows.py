"""Which rows do the HTML tables of a text have, as lines with bars: what a page's source or a copy of it holds?"""

from __future__ import annotations

import html
import re
from typing import Final

# What no pasted line holds any more once it is cleaned: lines between these have one number.
LINE: Final = "\v"
_CELL: Final = re.compile(r"<t[hd]\b[^<>]{0,300}>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^<>]{0,300}>")
_AROUND: Final = re.compile(r"</?(?:table|thead|tbody|tfoot)\b[^<>]{0,300}>", re.IGNORECASE)
_NUMERIC: Final = re.compile(r"\s*[~≈]?\d")


def with_bars(plain: str) -> str:
    """The text with each row of a table as a line with bars; the first one of a table is its heading."""
    lower = plain.lower()
    if "<tr" not in lower or "</tr" not in lower or len(lower) != len(plain):
        return plain
    parts: list[str] = []
    at = 0
    in_table = False
    while True:
        start = lower.find("<tr", at)
        end = lower.find("</tr", start) if start >= 0 else -1
        if end < 0:
            break
        between = plain[at:start]
        in_table = in_table and not _TAG.sub("", between).strip() and "<table" not in between.lower()
        cells = [_text(cell) for cell in _CELL.split(plain[start:end])[1:]]
        parts.append(_AROUND.sub("", between))
        if cells:
            parts += [LINE, _row(cells), LINE]
            if not in_table and not any(map(_NUMERIC.match, cells)):
                parts += [_row(["---"] * len(cells)), LINE]
            in_table = True
        # The rest of the text keeps the numbers of its lines.
        parts.append("\n" * plain.count("\n", start, end))
        close = plain.find(">", end)
        at = close + 1 if close >= 0 else len(plain)
    parts.append(_AROUND.sub("", plain[at:]))
    return "".join(parts)


def _text(cell: str) -> str:
    return " ".join(html.unescape(_TAG.sub(" ", cell)).replace("|", "/").split())


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
