"""What does llama-bench say: in Markdown, CSV, JSON, JSON lines or SQL, of any age?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from pysim.doctor.read.llama_cpp.bench_row import Work, doubts_of, run_of, setup_of
from pysim.doctor.read.llama_cpp.bench_table import from_tables
from pysim.doctor.read.llama_cpp.setup import Setups
from pysim.doctor.read.numbers import count, finite, positive
from pysim.doctor.read.records import Record, csv_records, sql_records
from pysim.doctor.read.run import Gap, Reading, Run, Setup
from pysim.doctor.read.text import Text

TOOLS: Final = {"llama-bench": "llama-bench"}
# Rows with bars are in many a log; a test's name is not.
_TESTS: Final = re.compile(r"(?:pp|tg) {0,2}\d")
_UNKNOWN: Final = Setup()


def read(text: Text) -> Reading:
    """One run per test."""
    runs: list[Run] = []
    gaps: list[Gap] = []
    if _TESTS.search(text.plain) or ("test" in text.plain and "t/s" in text.plain):
        from_tables(text, runs, gaps)
    if "avg_ts" in text.plain or "avg_ns" in text.plain:
        _from_records(text, runs, gaps)
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


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
            gaps.append(Gap(line=last_line, message="a test's record is cut off: its speed is missing"))
            continue
        if not whole:
            gaps.append(Gap(line=last_line, message="the last test's record is cut off"))
        samples, total_ns = fields.get("samples_ts"), positive(fields.get("avg_ns"))
        run = run_of(
            Work(read=read, write=write, depth=depth),
            speed,
            finite(fields.get("stddev_ts")),
            line=line,
            last_line=last_line,
            setup=setup_of(fields, _UNKNOWN),
            engine=engine,
            repeats=len(samples) or None if whole and isinstance(samples, list) else None,
            total_s=None if total_ns is None else total_ns * 1e-9,
            doubts=doubts_of(fields),
        )
        runs += [] if run is None else [run]


def _records(text: Text) -> Iterator[tuple[int, int, Mapping[str, object], bool]]:
    for entry in text.objects:
        if "n_gen" in entry.value and "n_prompt" in entry.value:
            yield entry.line, entry.last_line, entry.value, entry.whole
    for reader in (csv_records, sql_records):
        for record in reader(text, "n_prompt"):
            fields = _aligned(record)
            if "n_gen" in fields:
                yield text.lines[record.index].number, text.lines[record.last_index].number, fields, True


def _aligned(record: Record) -> dict[str, str]:
    """Values by name. Some versions printed a value more than they named: then names count from the right.

    What comes before the machine's name is left out there, as nobody can tell which of the switches has no name.
    """
    names, values = record.names, record.values
    surplus = len(values) - len(names)
    if surplus > 0 and "cpu_info" in names:
        first = names.index("cpu_info")
        return dict(zip(names[first:], values[first + surplus :], strict=True)) | dict(
            zip(names[:2], values, strict=False)
        )
    return dict(zip(names, values, strict=False))
