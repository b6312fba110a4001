"""What does llama-bench say: in Markdown, CSV, JSON, JSON lines or SQL, of any age?"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from pysim.doctor.llama_bench_row import Work, fields_of, run_of, setup_of, work_of
from pysim.doctor.llama_setup import Setups
from pysim.doctor.numbers import amount, count, finite, positive, size_bytes, with_deviation
from pysim.doctor.reading import Gap, Reading, Run, Setup
from pysim.doctor.records import Record, csv_records, sql_records
from pysim.doctor.tables import Row, rows
from pysim.doctor.text import Text

# The table leaves a column out where its value is the tool's own default.
_DEFAULT_CACHE: Final = "f16"
_BUILD: Final = re.compile(r"\bbuild: ([0-9a-f]{6,12} \(\d{1,6}\))")
_UNKNOWN: Final = Setup()
_LINES_BELOW: Final = 60
_OF_THE_FORK: Final = frozenset({"amb", "fmoe", "rtr", "mla"})
_NO_HEADING: Final = "the table's heading is missing: settings unknown"
_CUT: Final = "a row of the table is cut: its speed is not there"


def read(text: Text) -> Reading:
    runs: list[Run] = []
    gaps: list[Gap] = []
    if "|" in text.plain and ("pp" in text.plain or "tg" in text.plain):
        _from_tables(text, runs, gaps)
    if "avg_ts" in text.plain or "avg_ns" in text.plain:
        _from_records(text, runs, gaps)
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


def _from_tables(text: Text, runs: list[Run], gaps: list[Gap]) -> None:
    setups: Setups | None = None
    versions = text.places("build: ")
    setup_by_settings: dict[tuple[object, ...], tuple[Setup, tuple[str, ...]]] = {}
    for row in rows(text):
        named = row.named
        if "s_pp t/s" in named:
            continue
        place = _test_place(row)
        if place is None:
            if named and _is_cut(row):
                gaps.append(Gap(line=text.lines[row.last_index].number, message=_CUT))
            continue
        setups = setups or Setups(text)
        work = work_of(row.cells[place])
        speed, deviation = with_deviation(row.cells[place + 1]) if place + 1 < len(row.cells) else (None, None)
        if work is None or speed is None or speed <= 0:
            gaps.append(Gap(line=text.lines[row.last_index].number, message=_CUT))
            continue
        if not row.header:
            gaps.append(Gap(line=text.lines[row.index].number, message=_NO_HEADING))
        known, version = setups.at(row.index), _version(text, versions, row.index)
        settings = (known, version, row.header, row.cells[:place])
        if settings not in setup_by_settings:
            named = named or _guessed(row.cells[:place])
            setup = setup_of(fields_of(named), _of_table(named, known, whole="backend" in named and bool(row.header)))
            setup_by_settings[settings] = (replace(setup, engine_version=version), _doubts(named))
        setup, doubts = setup_by_settings[settings]
        run = run_of(
            work,
            speed,
            deviation,
            line=text.lines[row.index].number,
            last_line=text.lines[row.last_index].number,
            setup=setup,
            engine="ik_llama.cpp" if _OF_THE_FORK & set(row.header) else setups.engine_at(row.index),
            doubts=doubts,
        )
        runs += [] if run is None else [run]


def _version(text: Text, builds: list[int], index: int) -> str | None:
    """What the line under the table says."""
    after = bisect_left(builds, index)
    if after == len(builds) or builds[after] - index > _LINES_BELOW:
        return None
    found = _BUILD.search(text.lines[builds[after]].text)
    return found[1] if found else None


def _test_place(row: Row) -> int | None:
    """Where the test's name stands: under its heading, or where a cell looks like one before a number."""
    if "test" in row.header:
        place = row.header.index("test")
        return place if place < len(row.cells) and work_of(row.cells[place]) is not None else None
    for place, cell in enumerate(row.cells[:-1]):
        if len(cell) < 30 and cell[:2] in ("pp", "tg") and work_of(cell) and with_deviation(row.cells[place + 1])[0]:
            return place
    return None


def _is_cut(row: Row) -> bool:
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


def _doubts(named: Mapping[str, object]) -> tuple[str, ...]:
    value = str(named.get("nkvo", named.get("no_kv_offload", "0"))).lower()
    return ("the KV cache was kept in the host's memory",) if value in ("1", "true") else ()


def _from_records(text: Text, runs: list[Run], gaps: list[Gap]) -> None:
    engine = Setups(text).engine_at(0)
    for line, last_line, fields, whole in _records(text):
        read, write = count(fields.get("n_prompt")), count(fields.get("n_gen"))
        depth = count(fields.get("n_depth")) or 0
        if read is None or write is None or not read + write:
            continue
        speed = positive(fields.get("avg_ts"))
        nanoseconds = positive(fields.get("avg_ns"))
        if speed is None and nanoseconds is not None:
            speed = (read + write) / (nanoseconds * 1e-9)
        if speed is None:
            gaps.append(Gap(line=last_line, message="a test's record is cut: its speed is not there"))
            continue
        if not whole:
            gaps.append(Gap(line=last_line, message="the last test's record is cut"))
        samples, total_ns = fields.get("samples_ts"), positive(fields.get("avg_ns"))
        run = run_of(
            Work(read=read, write=write, depth=depth),
            speed,
            finite(fields.get("stddev_ts")),
            line=line,
            last_line=last_line,
            setup=setup_of(fields, _UNKNOWN),
            engine=engine,
            repeats=len(samples) or None if isinstance(samples, list) else None,
            total_s=None if total_ns is None else total_ns * 1e-9,
            doubts=_doubts(fields),
        )
        runs += [] if run is None else [run]


def _records(text: Text) -> Iterator[tuple[int, int, Mapping[str, object], bool]]:
    for found in text.objects:
        if "n_gen" in found.value and "n_prompt" in found.value:
            yield found.line, found.last_line, found.value, found.whole
    for reader in (csv_records, sql_records):
        for record in reader(text, "n_prompt"):
            fields = _aligned(record)
            if "n_gen" in fields:
                yield text.lines[record.index].number, text.lines[record.last_index].number, fields, True


def _aligned(record: Record) -> dict[str, str]:
    """Values by name. Some versions printed a value more than they named: then names count from the right.

    What stands before the machine's name is left out there, as nobody can tell which of the switches has no name.
    """
    names, values = record.names, record.values
    surplus = len(values) - len(names)
    if surplus > 0 and "cpu_info" in names:
        first = names.index("cpu_info")
        return dict(zip(names[first:], values[first + surplus :], strict=True)) | dict(
            zip(names[:2], values, strict=False)
        )
    return dict(zip(names, values, strict=False))
