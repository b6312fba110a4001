"""Which tables does a text hold: Markdown with or without outer bars, behind a log's prefix, wrapped by a terminal?

Those without bars are in `copied`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Final

from pysim.doctor.read.tabular.copied import copied_rows
from pysim.doctor.read.tabular.row import TableRow
from pysim.doctor.read.text import Text

_RULE: Final = re.compile(r"[^|]{0,120}\|[ :|-]*-[ :|-]*\Z")
_RULE_WITHOUT_BAR: Final = re.compile(r"\s*:?-{2,}:?\s*\|[ :|-]*\Z")
_MOST_PIECES: Final = 12


def rows(text: Text) -> Iterator[TableRow]:
    """All rows of all tables; a table that goes on after other lines keeps its header if the columns agree."""
    header: tuple[str, ...] = ()
    leading, prefixed = True, False
    for block in _blocks(text):
        rule = next((place for place, index in enumerate(block) if _is_rule(text.lines[index].text)), None)
        body = block
        if rule:
            after = rule + 1
            while after < len(block) and _is_rule(text.lines[block[after]].text):
                after += 1
            leading = not _RULE_WITHOUT_BAR.match(text.lines[block[rule]].text)
            prefixed = leading and not text.lines[block[rule]].text.lstrip().startswith("|")
            columns = len(_cells(_joined(text, block[rule:after]), leading))
            header = _header(text, block[:rule], columns, leading)
            body = block[after:]
        yield from _body(text, body, header, leading, prefixed)
    yield from copied_rows(text)


def _blocks(text: Text) -> Iterator[list[int]]:
    """Runs of neighboring lines with bars."""
    numbered = enumerate(text.places("|"))
    for _, run in groupby(numbered, lambda pair: pair[1] - pair[0]):
        yield [index for _, index in run]


def _is_rule(line: str) -> bool:
    return "-" in line and "|" in line and bool(_RULE.match(line))


def _joined(text: Text, indices: list[int]) -> str:
    return "".join(text.lines[index].text for index in indices)


def _cells(row: str, leading: bool) -> tuple[str, ...]:
    start = row.find("|") + 1 if leading else 0
    body = row[start:].rstrip()
    return tuple(cell.strip() for cell in body.removesuffix("|").split("|"))


def _header(text: Text, above: list[int], columns: int, leading: bool) -> tuple[str, ...]:
    for first in range(len(above) - 1, max(-1, len(above) - 1 - _MOST_PIECES), -1):
        cells = _cells(_joined(text, above[first:]), leading)
        if len(cells) >= columns:
            return cells if len(cells) == columns else ()
    return ()


def _body(text: Text, body: list[int], header: tuple[str, ...], leading: bool, prefixed: bool) -> Iterator[TableRow]:
    at = 0
    while at < len(body):
        line = text.lines[body[at]].text
        bars = line.lstrip().startswith("|")
        if not header or (leading and not prefixed and not bars):
            yield TableRow(body[at], body[at], _cells(line, bars), (), _is_broken(text, body[at]))
            at += 1
            continue
        taken, cells = _row(text, body[at : at + _MOST_PIECES], len(header), leading)
        last = body[at + taken - 1]
        yield TableRow(body[at], last, cells, header if len(cells) <= len(header) else (), _is_broken(text, last))
        at += taken


def _is_broken(text: Text, index: int) -> bool:
    return index == len(text.lines) - 1 and not text.lines[index].text.rstrip().endswith("|")


def _row(text: Text, pieces: list[int], columns: int, leading: bool) -> tuple[int, tuple[str, ...]]:
    """How many lines make the row, and its cells: pieces that a terminal broke apart are put together."""
    first = text.lines[pieces[0]].text
    row = first
    for taken in range(1, len(pieces) + 1):
        cells = _cells(row, leading)
        whole = len(cells) > columns or (len(cells) == columns and (row.rstrip().endswith("|") or not leading))
        if whole:
            return taken, cells
        if taken < len(pieces):
            piece = text.lines[pieces[taken]].text
            if leading and piece.startswith("| ") and row.rstrip().endswith("|"):
                break
            row += piece
    return 1, _cells(first, leading)
