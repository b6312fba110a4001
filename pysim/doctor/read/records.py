"""Which records does a text hold as comma-separated lines or as SQL inserts?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from pysim.doctor.read.text import Text


@dataclass(frozen=True, slots=True)
class Record:
    """One record: its first and last index in the text's lines, and its names and values, which may differ in count."""

    index: int
    last_index: int
    names: tuple[str, ...]
    values: tuple[str, ...]


_MOST_VALUES: Final = 200
_MOST_PIECES: Final = 40
_CSV_CELL: Final = re.compile(r'\s*(?:"([^"]*(?:""[^"]*)*)"|([^,"]*))\s*(,|\Z)')
_SQL_VALUE: Final = re.compile(r"\s*(?:'([^']*(?:''[^']*)*)'|([^,')]*))\s*(,|\))")
_INSERT: Final = re.compile(r"INSERT INTO\s+\S{1,80}\s*\(([^()]{1,4000})\)\s*VALUES\s*\(", re.IGNORECASE)


def csv_records(text: Text, word: str) -> Iterator[Record]:
    """Each line below a heading line that holds `word`."""
    for place in text.places(word):
        header = _csv_cells(_from_word(text.lines[place].text))
        if header is None or len(header) < 3 or word.strip(",") not in header:
            continue
        for index in range(place + 1, len(text.lines)):
            line = text.lines[index].text
            if word in line or not line.strip():
                break
            cells = _csv_cells(line)
            if cells is None or len(cells) < 3:
                break
            yield Record(index, index, tuple(header), tuple(cells))


def _from_word(line: str) -> str:
    """The heading without a prompt or a log's prefix before its first name."""
    comma = line.find(",")
    return line[line.rfind(" ", 0, comma) + 1 :] if comma >= 0 else line


def _csv_cells(line: str) -> list[str] | None:
    cells: list[str] = []
    at = 0
    while len(cells) < _MOST_VALUES:
        match = _CSV_CELL.match(line, at)
        if match is None:
            return None if '"' not in line[at:] or not cells else cells
        cells.append(match[1].replace('""', '"') if match[1] is not None else match[2].strip())
        if match[3] == "":
            return cells
        at = match.end()
    return None


def sql_records(text: Text, word: str) -> Iterator[Record]:
    """Each insert whose columns hold `word`."""
    for index in text.places("INSERT INTO"):
        pieces = 1
        statement = text.lines[index].text
        while ";" not in statement[-3:] and pieces < _MOST_PIECES and index + pieces < len(text.lines):
            more = text.lines[index + pieces].text
            if "INSERT INTO" in more:
                break
            statement += more
            pieces += 1
        start = statement.find("INSERT INTO")
        match = _INSERT.match(statement, start) if start >= 0 else None
        if match is None or word not in match[1]:
            continue
        columns = tuple(name.strip().strip('"`') for name in match[1].split(","))
        yield Record(index, index + pieces - 1, columns, _sql_values(statement, match.end()))


def _sql_values(statement: str, at: int) -> tuple[str, ...]:
    """Values up to the closing bracket, or as far as the statement goes."""
    values: list[str] = []
    while len(values) < _MOST_VALUES and (match := _SQL_VALUE.match(statement, at)) is not None:
        values.append(match[1].replace("''", "'") if match[1] is not None else match[2].strip())
        if match[3] == ")":
            break
        at = match.end()
    return tuple(values)
