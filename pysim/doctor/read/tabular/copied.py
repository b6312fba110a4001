"""Which tables does a text hold that were copied from a page: cells between tabs, between blanks, or one on a line?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import TYPE_CHECKING, Final

from pysim.doctor.read.tabular.row import TableRow

if TYPE_CHECKING:
    from pysim.doctor.read.text import Text

_GAP: Final = re.compile(r"\s{2,}")
_SIGN: Final = re.compile(r"\s{0,20}±\s{0,20}")
_STARTS_WITH_NUMBER: Final = re.compile(r"[~≈<>+-]?\d")
_DASHES: Final = re.compile(r"[-=+ :]{3,}\Z")
# Words of a heading by which a line of it is found.
_UNITS: Final = (
    "t/s", "T/s", "tok/s", "Tok/s", "tokens/s", "Tokens/s", "tps", "TPS", "TTFT", "TPOT", "S_PP",
)  # fmt: skip
_MOST_COLUMNS: Final = 60
_MOST_ROWS: Final = 500
# Headings of llama.cpp's programs, where every cell has a line of its own.
_FIRST: Final = frozenset({"model", "pp"})
_HEADS: Final = frozenset({
    "model", "size", "params", "backend", "ngl", "threads", "n_batch", "n_ubatch", "type_k", "type_v", "sm", "fa",
    "mmap", "dev", "ot", "test", "t/s", "mg", "embd", "nkvo", "b", "pp", "tg", "n_kv", "t_pp s", "s_pp t/s", "t_tg s",
    "s_tg t/s", "t s", "s t/s",
})  # fmt: skip
# A row of llama-bench whose blanks were all made single ones.
_PACKED: Final = re.compile(
    r"\W{0,3}(\S.{1,60}?) (\d[\d.]{0,9} [KMGT]iB) (\d[\d.]{0,9} [KMBT]) (\S{2,30}) (?:[\d./a-z-]{1,12} ){0,8}?"
    r"((?:pp|tg) ?\d{1,7}(?: @ d ?\d{1,8})?) (\d[\d.,]{0,14}(?: ± \d[\d.,]{0,12})?)\s{0,3}\Z"
)


def copied_rows(text: Text) -> Iterator[TableRow]:
    """All rows of such tables."""
    yield from _between_tabs(text)
    yield from _between_blanks(text)
    yield from _one_on_a_line(text)
    yield from _packed(text)


def _between_tabs(text: Text) -> Iterator[TableRow]:
    numbered = enumerate(text.places("\t"))
    for _, run in groupby(numbered, lambda pair: pair[1] - pair[0]):
        block = [index for _, index in run]
        rows = [_cells_of(text.lines[index].text, "\t") for index in block]
        header = rows[0] if not any(map(_STARTS_WITH_NUMBER.match, rows[0])) else ()
        body = list(zip(block, rows, strict=True))[1 if header else 0 :]
        for index, cells in body:
            if len(cells) > 1:
                yield TableRow(index, index, cells, header if len(cells) <= len(header) else ())
        if header and not body:
            yield from _below(text, block[-1] + 1, header)


def _cells_of(line: str, gap: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("\n").split(gap, _MOST_COLUMNS)[:_MOST_COLUMNS])


def _between_blanks(text: Text) -> Iterator[TableRow]:
    done = -1
    for at in text.places(*_UNITS):
        line = text.lines[at].text
        if at <= done or "|" in line or "\t" in line or "  " not in line.strip():
            continue
        header = tuple(_GAP.split(line.strip(), _MOST_COLUMNS))
        if len(header) < 3 or any(map(_STARTS_WITH_NUMBER.match, header)):
            continue
        for index in range(at + 1, min(len(text.lines), at + 1 + _MOST_ROWS)):
            row = text.lines[index].text.strip()
            if _DASHES.match(row):
                continue
            cells = tuple(_GAP.split(_SIGN.sub(" ± ", row), _MOST_COLUMNS))
            if len(cells) != len(header):
                break
            yield TableRow(index, index, cells, header, index == len(text.lines) - 1)
            done = index


def _one_on_a_line(text: Text) -> Iterator[TableRow]:
    done = -1
    for at in text.places("model", "Model", "PP"):
        if at <= done or text.lines[at].text.strip().lower() not in _FIRST:
            continue
        header: list[str] = []
        done = at
        while done < len(text.lines) and len(header) < _MOST_COLUMNS:
            name = text.lines[done].text.strip()
            if name and name.lower() not in _HEADS:
                break
            header += [name] if name else []
            done += 1
        if len(header) > 3:
            yield from _below(text, done, tuple(header))


def _below(text: Text, start: int, header: tuple[str, ...]) -> Iterator[TableRow]:
    """Rows whose cells have a line each; they end where a row has no number in its last cell."""
    cells: list[int] = []
    for at in range(start, min(len(text.lines), start + _MOST_ROWS * len(header))):
        if not text.lines[at].text.strip():
            continue
        cells.append(at)
        if len(cells) < len(header):
            continue
        words = tuple(text.lines[index].text.strip() for index in cells)
        if not _STARTS_WITH_NUMBER.match(words[-1]):
            return
        yield TableRow(cells[0], cells[-1], words, header, at == len(text.lines) - 1)
        cells = []


def _packed(text: Text) -> Iterator[TableRow]:
    for at in text.places("iB "):
        line = text.lines[at].text
        if "|" in line or "\t" in line or len(line) > 300:
            continue
        match = _PACKED.match(line)
        if match is not None:
            yield TableRow(at, at, match.groups(), ())
