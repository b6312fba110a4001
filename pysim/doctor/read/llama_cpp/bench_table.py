"""What do llama-bench's tables say: its own of all ages, shortened ones, ones without a heading, turned ones?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from pysim.doctor.read.llama_cpp.bench_row import Work, doubts_of, fields_of, run_of, setup_of, work_of
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import amount, number, size_bytes, with_deviation
from pysim.doctor.read.run import Gap, Run, Setup
from pysim.doctor.read.tabular.row import TableRow
from pysim.doctor.read.tabular.tables import rows
from pysim.doctor.read.text import Text

# The table leaves a column out where its value is the tool's own default.
_DEFAULT_CACHE: Final = "f16"
_OF_THE_FORK: Final = frozenset({"amb", "fmoe", "rtr", "mla"})
_BUILD: Final = re.compile(r"\bbuild: ([0-9a-f]{6,12} \(\d{1,6}\))")
_SPEED: Final = re.compile(r"\b(?:t|tok|tokens?)/s\b|speed(?!-?up)|throughput")
_UNIT: Final = re.compile(r"\s*[(\[]?(?:t|tok|tokens)/s[)\]]?\s*\Z")
_WHOLE: Final = re.compile(r"\.\d\d\Z")
_LINES_BELOW: Final = 60
_NO_HEADING: Final = "the table's heading is missing: settings unknown"
_CUT: Final = "a row of the table is cut off: its speed is missing"


def from_tables(text: Text, runs: list[Run], gaps: list[Gap]) -> None:
    """Add the runs of all tables, and their gaps."""
    setups: Setups | None = None
    versions = text.places("build: ")
    setup_by_settings: dict[tuple[object, ...], tuple[Setup, tuple[str, ...]]] = {}
    for row in text.once(rows):
        tests = list(_tests(row))
        line, last_line = text.lines[row.index].number, text.lines[row.last_index].number
        if not tests:
            gaps += [Gap(line=last_line, message=_CUT)] if _is_cut(row) else []
            continue
        setups = setups or Setups(text)
        if not row.header:
            gaps.append(Gap(line=line, message=_NO_HEADING))
        for work, cell, before in tests:
            speed, deviation = _whole_speed(cell) if row.broken and cell == row.cells[-1] else with_deviation(cell)
            if speed is None or speed <= 0:
                gaps.append(Gap(line=last_line, message=_CUT))
                continue
            known, version = setups.at(row.index), _version(text, versions, row.index)
            settings = (known, version, row.header, row.cells[:before])
            if settings not in setup_by_settings:
                named = row.named or _guessed(row.cells[:before])
                whole = "backend" in row.named
                setup = setup_of(fields_of(named), _of_table(named, known, whole=whole))
                setup_by_settings[settings] = (replace(setup, engine_version=version), doubts_of(named))
            setup, doubts = setup_by_settings[settings]
            engine = "ik_llama.cpp" if _OF_THE_FORK & set(row.header) else setups.engine_at(row.index)
            run = run_of(
                work, speed, deviation, line=line, last_line=last_line, setup=setup, engine=engine, doubts=doubts
            )
            runs += [] if run is None else [run]


def _tests(row: TableRow) -> Iterator[tuple[Work, str, int]]:
    """Each test of a row, the cell of its speed (empty where it is cut off), and how many cells come before."""
    for place, cell in enumerate(row.cells):
        work = work_of(cell) if cell[:2] in ("pp", "tg") and len(cell) < 40 else None
        if work is not None:
            column = _speed_column(row.header, place) if row.header else _speed_beside(row.cells, place)
            if column is not None:
                yield work, row.cells[column] if column < len(row.cells) else "", place
            return
    columns = _turned(row.header)
    for place, work in columns:
        if place < len(row.cells) and with_deviation(row.cells[place])[0]:
            yield work, row.cells[place], columns[0][0]


@lru_cache(maxsize=256)
def _speed_column(header: tuple[str, ...], place: int) -> int | None:
    """The column after the test's that says it holds tokens per second."""
    columns = [at for at in range(place + 1, len(header)) if _SPEED.search(header[at].lower())]
    # Several such columns are a comparison that somebody made.
    return columns[0] if len(columns) == 1 or (columns and "t/s" in header) else None


def _speed_beside(cells: tuple[str, ...], place: int) -> int | None:
    """Without a heading the cell next to the test's name is its speed if it is the last one or has a deviation."""
    if place + 1 >= len(cells):
        return None
    return place + 1 if place + 2 == len(cells) or with_deviation(cells[place + 1])[1] is not None else None


@lru_cache(maxsize=32)
def _turned(header: tuple[str, ...]) -> tuple[tuple[int, Work], ...]:
    """The columns of a table turned by hand, which has one for each test."""
    if any(name.lower() == "s_pp t/s" for name in header):
        return ()
    named = ((place, work_of(_UNIT.sub("", name))) for place, name in enumerate(header) if len(name) < 40)
    return tuple((place, work) for place, work in named if work is not None)


def _whole_speed(cell: str) -> tuple[float | None, float | None]:
    """What is certain of a cell that the text ends in: the tool prints two decimals."""
    mean, sign, deviation = cell.partition("±")
    if not sign:
        return (number(mean) if _WHOLE.search(mean) else None), None
    return number(mean), number(deviation) if _WHOLE.search(deviation) else None


def _version(text: Text, builds: list[int], index: int) -> str | None:
    """What the line under the table says."""
    after = bisect_left(builds, index)
    if after == len(builds) or builds[after] - index > _LINES_BELOW:
        return None
    match = _BUILD.search(text.lines[builds[after]].text)
    return match[1] if match else None


def _is_cut(row: TableRow) -> bool:
    names = row.named
    return "test" in row.header and "t/s" in row.header and len(row.cells) < len(row.header) and "model" in names


def _guessed(cells: tuple[str, ...]) -> dict[str, str]:
    """Cells of a row without a heading: the first is the model; a size and a count of parameters show themselves."""
    named = {"model": cells[0]} if cells and cells[0] and not cells[0].isdigit() else {}
    for place, cell in enumerate(cells):
        if cell.endswith("iB") and size_bytes(cell):
            named["size"] = cell
            if place + 2 < len(cells) and cells[place + 1].endswith((" B", " M")):
                named |= {"params": cells[place + 1], "backend": cells[place + 2]}
    return named


def _of_table(named: Mapping[str, str], known: Setup, *, whole: bool) -> Setup:
    """The table's own columns; one that somebody made shorter says nothing by what it leaves out."""
    default = _DEFAULT_CACHE if whole else None
    return replace(
        known,
        weights_bytes=size_bytes(named.get("size", "")) or known.weights_bytes,
        parameters=amount(named.get("params", "")) or known.parameters,
        kv_keys=known.kv_keys or default,
        kv_values=known.kv_values or default,
    )
