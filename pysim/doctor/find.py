"""Finding of runs: what all readers together find in a text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from types import ModuleType
from typing import Final

from pysim.doctor import readers
from pysim.doctor.read.llama_cpp.only_setup import loaded
from pysim.doctor.read.long_logs import CUT, beginnings, ending, enough
from pysim.doctor.read.prose import spoken
from pysim.doctor.read.run import Reading, Run, Setup
from pysim.doctor.read.tabular.by_hand import tabulated
from pysim.doctor.read.text import Text, clean
from pysim.doctor.recognise.nearby import with_names
from pysim.modules import modules_in

_APART: Final = 3
Reader = Callable[[Text], Reading]


def read(raw: str) -> Reading:
    """All runs of a text in its order, none of them twice, and the places where it broke off."""
    text = clean(raw)
    read_so_far = (enough(_read_by_all(beginning), beginning, text) for beginning in beginnings(text))
    reading_of_text = next((reading for reading in read_so_far if reading is not None), None) or _read_by_all(text)
    if reading_of_text.lines == CUT:
        reading_of_text = _with_end(text, reading_of_text)
    told = _with_tables(text, reading_of_text.runs) or spoken(text) or loaded(text)
    runs = with_names(text, told)
    return replace(reading_of_text, runs=tuple(runs), lines=raw.count("\n") + 1)


def _with_end(text: Text, beginning: Reading) -> Reading:
    """A beginning's reading, and what other tools print at the end: a result behind a long log is the better one."""
    tools = {run.tool for run in beginning.runs}
    end = ending(text)
    last = max((run.last_line for run in beginning.runs), default=0)
    others = [run for run in _read_by_all(end).runs if run.tool not in tools and run.line > last]
    return replace(beginning, runs=(*beginning.runs, *others))


def _with_tables(text: Text, runs: Sequence[Run]) -> list[Run]:
    """The runs of tools, and those of tables that people made next to their lines, in the text's order."""
    tables = tabulated(text)
    if not runs:
        return tables
    beside = [run for run in tables if run.kind != "combined" and not _near(run, runs)]
    return sorted([*runs, *beside], key=lambda run: run.line) if beside else list(runs)


def _near(run: Run, others: Sequence[Run]) -> bool:
    """Does a table's row touch a tool's lines and so belong to the tool's own table?"""
    return any(other.line - _APART <= run.last_line and run.line <= other.last_line + _APART for other in others)


def _read_by_all(text: Text) -> Reading:
    readings = [reader(text) for reader in all_readers().values()]
    runs = _without_rivals([run for reading in readings for run in reading.runs])
    # Whose every run was another tool's knows nothing of what is missing.
    kept = set(map(id, runs))
    heard = [reading for reading in readings if not reading.runs or any(id(run) in kept for run in reading.runs)]
    gaps = sorted({gap for reading in heard for gap in reading.gaps}, key=lambda gap: (gap.line, gap.message))
    return Reading(runs=tuple(runs), gaps=tuple(gaps))


@cache
def all_readers() -> dict[str, Reader]:
    """The readers by the names of their files; the folder is the list."""
    return {name: module.read for name, module in _reader_modules().items()}


def tools(reader: str) -> Mapping[str, str]:
    """The tools of a reader, as it calls them in its runs, each with the name of the program for people."""
    named: Mapping[str, str] = _reader_modules()[reader].TOOLS
    return named


@cache
def programs() -> tuple[str, ...]:
    """What people call the programs whose output is read, in alphabetical order; each reader names its own."""
    named = {program for reader in all_readers() for program in tools(reader).values()}
    return tuple(sorted(named, key=str.casefold))


@cache
def _reader_modules() -> Mapping[str, ModuleType]:
    return modules_in(readers)


def _without_rivals(runs: list[Run]) -> list[Run]:
    """Where two tools claim the same lines the one that says more about them is kept."""
    ordered = sorted(runs, key=lambda run: (run.line, run.last_line))
    lost: set[int] = set()
    reached: list[int] = []
    for place, run in enumerate(ordered):
        reached = [other for other in reached if ordered[other].last_line >= run.line and other not in lost]
        rivals = [other for other in reached if ordered[other].tool != run.tool]
        if rivals and max(_facts(ordered[other]) for other in rivals) >= _facts(run):
            lost.add(place)
            continue
        lost.update(rivals)
        reached.append(place)
    return [run for place, run in enumerate(ordered) if place not in lost]


def _facts(run: Run) -> int:
    own = sum(getattr(run, field.name) is not None for field in fields(Run))
    return own + sum(getattr(run.setup, field.name) is not None for field in fields(Setup))
