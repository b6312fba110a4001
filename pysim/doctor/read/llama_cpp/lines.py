"""Which lines of llama.cpp give the time of a phase, and which of them belong together?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pysim.doctor.read.numbers import NUMBER, number, positive
from pysim.doctor.read.text import Text

Task = tuple[str, str]

_TIME: Final = re.compile(
    rf"\b(prompt eval|generation eval|predict|eval|sampling|sample|load|total) time\s{{0,12}}=\s{{0,14}}({NUMBER}) ms"
    rf"(?:\s{{0,4}}/\s{{0,10}}({NUMBER}) (tokens?|runs?|ms per token))?"
)
_SPEED: Final = re.compile(rf"({NUMBER}) tokens per second")
_TASK: Final = re.compile(r"\bid {1,3}(\d{1,4}) \| task {1,3}(-?\d{1,9})")
_OLD_TASK: Final = re.compile(r'\bid_slot"?[=:] ?(\d{1,4}),? ?"?(?:id_task|task_id)"?[=:] ?(\d{1,9})')
_NAMES: Final = {"generation eval": "eval", "sampling": "sample", "prompt eval": "prompt"}
_COUNTED: Final = ("prompt eval", "generation eval", "eval", "predict")
_ORDER: Final = {"sample": 0, "load": 0, "prompt": 1, "eval": 2, "predict": 2, "total": 3}
# Lines that may stand between two of one block: an empty one, a prompt, another slot's.
_LINES_BETWEEN: Final = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingLine:
    """One printed time, how many tokens or runs it was for, the speed printed next to it, and whose it was."""

    index: int
    what: str
    seconds: float
    count: float | None
    unit: str
    speed: float | None
    task: Task | None
    of_server: bool


@dataclass(frozen=True, slots=True)
class TimingBlock:
    """The times of one request."""

    timings: dict[str, TimingLine]

    @property
    def first(self) -> int:
        """The place of its first line."""
        return min(timing.index for timing in self.timings.values())

    @property
    def last(self) -> int:
        """The place of its last line."""
        return max(timing.index for timing in self.timings.values())

    @property
    def task(self) -> Task | None:
        """The slot and the task of a server that the lines are of; None where they name none."""
        return next((timing.task for timing in self.timings.values() if timing.task), None)


def task_of(line: str) -> Task | None:
    """Slot and task that a line of the server is about."""
    match = _TASK.search(line) or _OLD_TASK.search(line)
    return (match[1], match[2]) if match else None


def blocks(text: Text) -> list[TimingBlock]:
    """All blocks in order; lines of several slots may be mixed."""
    done: list[TimingBlock] = []
    open_blocks: dict[Task | None, TimingBlock] = {}
    for timing in _timings(text):
        block = open_blocks.get(timing.task)
        if block is None or not _belongs(timing, block):
            block = TimingBlock({})
            open_blocks[timing.task] = block
            done.append(block)
        block.timings[timing.what] = timing
    return sorted(
        (block for block in done if {"prompt", "eval", "predict"} & set(block.timings)), key=lambda b: b.first
    )


def _belongs(timing: TimingLine, block: TimingBlock) -> bool:
    last = list(block.timings.values())[-1]
    near = timing.index - last.index <= _LINES_BETWEEN
    return near and timing.what not in block.timings and _ORDER[timing.what] >= _ORDER[last.what]


def _timings(text: Text) -> Iterator[TimingLine]:
    heading: tuple[int, Task | None] = (-100, None)
    for index in _candidates(text):
        line = text.lines[index].text
        if "print_timing: id" in line:
            heading = (index, task_of(line))
        if "=" not in line and "=" not in text.joined(index + 1, 1):
            continue
        match = _TIME.search(line)
        if " time" in line and (match is None or (match[3] is None and match[1] in _COUNTED)):
            joined = _TIME.search(text.joined(index))
            match = joined if joined is not None and joined.start() < len(line) and joined[3] is not None else match
        seconds = number(match[2]) if match else None
        if match is None or seconds is None or seconds < 0:
            continue
        speed = _SPEED.search(line, match.end() if match.end() <= len(line) else 0)
        yield TimingLine(
            index=index,
            what=_NAMES.get(match[1], match[1]),
            seconds=seconds / 1e3,
            count=number(match[3]) if match[3] else None,
            unit=(match[4] or "").rstrip("s"),
            speed=positive(speed[1]) if speed else None,
            task=task_of(line) or (heading[1] if index - heading[0] <= 4 else None),
            of_server="print_timing" in line and "llama_print" not in line,
        )


def _candidates(text: Text) -> Iterable[int]:
    if " time" not in text.plain:
        return ()
    kinds = ("eval time", "sample time", "sampling time", "load time", "total time", "predict time")
    return text.places(*kinds, "print_timing: id")
