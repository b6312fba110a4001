"""The rows of a CSV file of unknown origin: read one by one, whatever is in it.

Nothing is kept but the line in hand, so a file may have a million rows; what is no table is refused in one line.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from pysim.errors import BadValue, quoted

LONGEST_LINE: Final = 100_000
MOST_ROWS: Final = 2_000_000
# As spreadsheets write "Unicode text"; all else is UTF-8, with a byte-order mark or without.
_UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")
_SEPARATORS: Final = {",": "commas", ";": "semicolons", "\t": "tabs"}
# An undecodable byte, as "surrogateescape" hands it on.
_STRAY: Final = range(0xDC80, 0xDD00)


@contextmanager
def opened(path: str) -> Iterator[IO[bytes]]:
    """A file's bytes, or those of standard input for "-"; BadValue for a folder, a pipe, a device."""
    if path == "-":
        yield sys.stdin.buffer
        return
    try:
        where = Path(path)
        # A device has no end, and a pipe waits for somebody to write.
        if where.is_dir():
            raise BadValue(f"{quoted(path)} is a folder, not a table")
        if where.exists() and not where.is_file():
            raise BadValue(f"{quoted(path)} is a device or a pipe, not a file; - reads standard input")
        file = where.open("rb")
    except OSError as error:
        raise BadValue(f"{quoted(path)}: {error.strerror or error}") from error
    except ValueError as error:
        raise BadValue(f"{quoted(path)} is not a file name: {error}") from error
    with file:
        yield file


def records(data: IO[bytes], name: str) -> Generator[tuple[int, list[str]], None, None]:
    """Row number and cells of each row that is not empty, the heading (row 1) first; BadValue says what is no table.

    Rows are counted as a spreadsheet counts them. Cells are separated by what separates the heading's.
    """
    lines = _lines(data, name)
    first = next(lines, "")
    separator = max(_SEPARATORS, key=first.count)
    reader = csv.reader(_again(first, lines), delimiter=separator, strict=True)
    row, begun = 0, 1
    while True:
        try:
            cells = next(reader, None)
        except csv.Error as error:
            unclosed = "unexpected end" in str(error) or "field larger" in str(error)
            what = "a quotation mark that begins here is not closed" if unclosed else str(error)
            raise BadValue(f"{name}, line {begun}: {what}") from error
        begun = reader.line_num + 1
        if cells is None:
            return
        row += 1
        if row > MOST_ROWS:
            raise BadValue(f"{name} has more than {MOST_ROWS:,} rows; split it")
        if any(map(str.strip, cells)):
            yield row, cells


def _again(first: str, lines: Iterator[str]) -> Iterator[str]:
    if first:
        yield first
    yield from lines


def _lines(data: IO[bytes], name: str) -> Iterator[str]:
    buffered = data if isinstance(data, io.BufferedReader) else io.BufferedReader(data)  # type: ignore[type-var]
    encoding = "utf-16" if buffered.peek(2)[:2] in _UTF_16 else "utf-8-sig"
    text = io.TextIOWrapper(buffered, encoding=encoding, errors="surrogateescape", newline=None)
    number = 0
    try:
        while line := text.readline(LONGEST_LINE + 1):
            number += 1
            if "\0" in line:
                raise BadValue(f"{name}, line {number}: zero bytes; this is not a table of text")
            if len(line) > LONGEST_LINE:
                raise BadValue(f"{name}, line {number}: longer than {LONGEST_LINE:,} characters; this is not a table")
            if not line.isascii() and any(ord(character) in _STRAY for character in line):
                raise BadValue(f"{name}, line {number}: not UTF-8; save the table as CSV in UTF-8")
            yield line
    except UnicodeError as error:
        raise BadValue(f"{name}, line {number + 1}: not UTF-16 throughout; save the table as CSV in UTF-8") from error
    except OSError as error:
        raise BadValue(f"{name}: {error.strerror or error}") from error
    finally:
        text.detach()
