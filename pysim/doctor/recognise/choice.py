"""Choice of the names that a run has, of all that a text gives: those that weigh most for it, and what is left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.recognise.weight import COMMAND, HEADING, LISTED, SAID

if TYPE_CHECKING:
    from pysim.doctor.read.run import Run
    from pysim.doctor.recognise.nearby_devices import Name

LEFT_OUT: Final = "not taken for the"
_BELOW: Final = 0.1
_MOST_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """Lines of a run, the last line of the run before it (0: none), and the first line of the last run."""

    first: int
    last: int
    before: int
    end: int


def regions(runs: Sequence[Run]) -> Iterator[Region]:
    """The region of each run, in their order."""
    before: dict[int, int] = {}
    reached = 0
    for first in sorted({run.line for run in runs}):
        before[first] = reached
        reached = max([reached, *(run.last_line for run in runs if run.line == first)]) if len(runs) < 50 else first
    end = max((run.line for run in runs), default=0)
    for run in runs:
        yield Region(first=run.line, last=run.last_line, before=before[run.line], end=end)


def asked_about(names: Sequence[Name]) -> list[Name]:
    """The names, of which two that a line compares with each other count alike: either may be the run's."""
    kept: list[Name] = []
    for name in names:
        other = kept[-1] if kept else None
        if name.weight.compared and other is not None and other.line == name.line and other.weight.value == SAID:
            kept.append(replace(name, weight=other.weight))
        else:
            kept.append(name)
    return kept


def chosen(names: Sequence[Name], region: Region) -> list[Name]:
    """The names that weigh most for a run."""
    values = {id(name): _value(name, region) for name in names}
    most = max(values.values(), default=0.0)
    kept = [name for name in names if values[id(name)] == most] if most else []
    if most == COMMAND:
        # A new command replaces the last one; of its own names those of the catalog say most.
        nearest = max(name.line for name in kept)
        kept = [name for name in kept if name.line == nearest]
        return [name for name in kept if name.keys] or kept
    if most == HEADING and any(name.line > region.before for name in kept):
        return [name for name in kept if name.line > region.before]
    return kept


def left_out(names: Sequence[Name], kept: Sequence[Name], what: str) -> tuple[str, ...]:
    """A sentence on the names that a run was not given though the text has them; none if there are none."""
    keys = frozenset(key for name in kept for key in name.keys)
    others = [name for name in names if name.weight.why and not name.keys & keys]
    told = dict.fromkeys(f'"{name.words}" in line {name.line} ({name.weight.why})' for name in others)
    if not told:
        return ()
    return (f"{LEFT_OUT} {what} of this run: {', '.join(list(told)[:_MOST_SHOWN])}",)


def _value(name: Name, region: Region) -> float:
    value = name.weight.value
    if region.first <= name.line <= region.last and value:
        return max(value, LISTED)
    if name.line < region.first:
        return value
    if name.weight.heading and (name.line < region.end or name.weight.opens):
        return 0.0
    return value * _BELOW
