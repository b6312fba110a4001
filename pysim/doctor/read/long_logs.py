"""How much of a long text is to be read, where results stand close together?

A log may hold tens of thousands of results, of which nobody looks at more than the first dozens. So its beginning is
read first, and all of it only if the beginning holds few.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pysim.doctor.read.run import Gap, Reading
from pysim.doctor.read.text import Text

ENOUGH_RUNS: Final = 80
# Lines of a running server are averaged: these are an hour of what vLLM logs.
ENOUGH_WINDOWS: Final = 400
# The number of lines of a reading that holds a beginning alone.
CUT: Final = -1
_CHARACTERS: Final = (1 << 16, 1 << 18, 1 << 20, 1 << 22)
# What stands nearer to where a beginning ends may go on behind it: no form is longer.
_OPEN_LINES: Final = 150


def beginnings(text: Text) -> Iterator[Text]:
    """Longer and longer beginnings of a text, none longer than half of it."""
    for characters in _CHARACTERS:
        end = text.plain.find("\n", characters, len(text.plain) // 2)
        if end >= 0:
            yield Text(text.raw, text.plain[:end], text.numbers[: text.plain.count("\n", 0, end) + 1])


def ending(text: Text) -> Text:
    """The last part of a text."""
    start = text.plain.find("\n", max(0, len(text.plain) - _CHARACTERS[0])) + 1
    return Text(text.raw, text.plain[start:], text.numbers[text.plain.count("\n", 0, start) :])


def enough(reading: Reading, beginning: Text, text: Text) -> Reading | None:
    """What is certain of a beginning's reading, and a note on the rest; None if that is too little to judge by."""
    end = beginning.numbers[max(0, len(beginning.numbers) - _OPEN_LINES)]
    runs = tuple(run for run in reading.runs if run.last_line < end)
    windows = sum(run.kind == "window" for run in runs)
    if len(runs) - windows < ENOUGH_RUNS and windows < ENOUGH_WINDOWS:
        return None
    left = text.numbers[-1] - end + 1
    rest = Gap(line=end, message=f"{left:,} lines from here on are not read: the lines above are enough")
    return Reading(runs=runs, gaps=(*(gap for gap in reading.gaps if gap.line < end), rest), lines=CUT)
