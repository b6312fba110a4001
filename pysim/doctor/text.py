"""How does text that people paste become lines that a reader can trust?

Colours, carriage returns of progress bars and odd spaces are gone; what a line says is left alone.
Every step takes time in proportion to the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_CONTROL: Final = re.compile(r"\x1b\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\x1b[@-_]|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SPACES: Final = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_NOTHING: Final = re.compile("[\u200b\u200e\u200f\u2060\ufeff]")
MOST_COLUMNS: Final = 20_000


@dataclass(frozen=True, slots=True)
class Line:
    """One cleaned line and its number in the pasted text, from 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Text:
    """The pasted text as it came (for JSON), and its cleaned lines."""

    raw: str
    lines: tuple[Line, ...]

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[Line, re.Match[str]]]:
        """Each line in which a pattern is found, with its first match."""
        for line in self.lines:
            found = pattern.search(line.text)
            if found is not None:
                yield line, found


def clean(raw: str) -> Text:
    """Lines of a text; of a line that a progress bar drew again and again each state is a line of that number."""
    lines = [
        Line(number, _cleaned(state))
        for number, line in enumerate(raw.split("\n"), start=1)
        for state in (line.rstrip("\r").split("\r") if "\r" in line else (line,))
    ]
    return Text(raw, tuple(lines))


def _cleaned(line: str) -> str:
    return _NOTHING.sub("", _SPACES.sub(" ", _CONTROL.sub("", line[:MOST_COLUMNS])))
