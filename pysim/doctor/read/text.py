"""How does text that people paste become lines that a reader can trust?

Colors, states of progress bars, odd spaces, quote marks and the prefixes of container logs are gone; what
a line says is left alone. Every step takes time in proportion to the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple, TypeVar, cast

from pysim.doctor.read.json_values import JsonObject, objects
from pysim.doctor.read.tabular.html_rows import LINE, with_bars

_ESCAPES: Final = re.compile(r"\x1b(?:\[[0-9;:?]{0,40}[ -/]{0,4}[@-~]|\][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[@-_])")
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_SPACES: Final = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_NOTHING: Final = re.compile("[\u200b\u200e\u200f\u2060\ufeff]")
_QUOTED: Final = re.compile(r"(?!>>>)(?:> ?){1,4}")
_CONTAINER: Final = re.compile(r"[A-Za-z][\w.-]{0,60}[-_]\d{1,3} {1,40}\|(?: |\Z)")
T = TypeVar("T")
MOST_COLUMNS: Final = 20_000
MOST_STATES: Final = 40


class Line(NamedTuple):
    """One cleaned line and its number in the pasted text, from 1."""

    number: int
    text: str


@dataclass(frozen=True)
class Text:
    """The pasted text as it came, and the cleaned one with the numbers of its lines in the pasted one.

    Of a run of empty lines only the first is kept.
    """

    raw: str
    plain: str
    numbers: Sequence[int]

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """The cleaned lines, each cut at MOST_COLUMNS."""
        whole = self.plain.split("\n")
        if len(self.plain) > MOST_COLUMNS and max(map(len, whole)) > MOST_COLUMNS:
            whole = [line[:MOST_COLUMNS] for line in whole]
        return tuple(map(Line._make, zip(self.numbers, whole, strict=True)))

    def matches(self, pattern: re.Pattern[str]) -> Iterator[tuple[Line, re.Match[str]]]:
        """Each line in which a pattern is found, with its first match."""
        for line in self.lines:
            match = pattern.search(line.text)
            if match is not None:
                yield line, match

    def places(self, *words: str) -> list[int]:
        """Indices of the lines that hold any of some words, in order: far quicker than asking each line."""
        return sorted({index for word in words for index in self._places_of(word)})

    def joined(self, index: int, count: int = 2) -> str:
        """A line and those after it as one: what a narrow terminal broke apart."""
        return "".join([line.text for line in self.lines[index : index + count]])

    def once(self, find: Callable[[Text], Iterable[T]]) -> Sequence[T]:
        """What a function finds in this text; several readers ask for it, and it is looked for once."""
        if find not in self._kept:
            self._kept[find] = tuple(find(self))
        return cast("Sequence[T]", self._kept[find])

    @cached_property
    def objects(self) -> tuple[JsonObject, ...]:
        """Every JSON object in the text that is not inside another one, broken-off ones too."""
        return objects(self.plain, self.number_at)

    @cached_property
    def _kept(self) -> dict[object, Sequence[object]]:
        return {}

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *accumulate(len(line) + 1 for line in self.plain.split("\n"))][:-1]

    def number_at(self, position: int) -> int:
        """The number of the line in which a character of `plain` stands."""
        return self.numbers[bisect_right(self._starts, position) - 1]

    def _places_of(self, word: str) -> Iterator[int]:
        at = self.plain.find(word)
        while at >= 0:
            index = bisect_right(self._starts, at) - 1
            yield index
            if index + 1 == len(self._starts):
                return
            at = self.plain.find(word, self._starts[index + 1])


def clean(raw: str) -> Text:
    """Lines of a text; of a line that a progress bar drew again and again the last states are lines of its number."""
    plain = raw.replace("\r\n", "\n")
    if "\x1b" in plain:
        plain = _ESCAPES.sub("", plain)
    plain = _CONTROL.sub("", plain)
    if not plain.isascii():
        plain = _NOTHING.sub("", _SPACES.sub(" ", plain))
    plain = with_bars(plain)
    quoted = plain.startswith(">") or "\n>" in plain
    contained = "| " in plain or "|\n" in plain
    if not quoted and not contained and "\r" not in plain and LINE not in plain and "\n\n\n" not in plain:
        return Text(raw, plain, range(1, plain.count("\n") + 2))
    lines = list(_unmarked(plain))
    return Text(raw, "\n".join([line for _, line in lines]), [number for number, _ in lines])


def _unmarked(plain: str) -> Iterator[tuple[int, str]]:
    """Number and text of each line without the marks that others put before it."""
    empty = False
    for number, line in enumerate(plain.split("\n"), start=1):
        if not line:
            if not empty:
                yield number, line
            empty = True
            continue
        for state in _states(line):
            content = state
            if content.startswith(">") and (mark := _QUOTED.match(content)):
                content = content[mark.end() :]
            if "|" in content and not content.startswith("|") and (prefix := _CONTAINER.match(content)):
                content = content[prefix.end() :]
            if content or not empty:
                yield number, content
            empty = not content


def _states(line: str) -> list[str]:
    """What a line is to be read as: rows of a table, or the last states of a progress bar."""
    if LINE in line:
        return [part for part in line.split(LINE) if part.strip()] or [""]
    return line.rstrip("\r").split("\r")[-MOST_STATES:] if "\r" in line else [line]


def is_whole(text: Text, at: int, end: int, shown: str, *, decimals: int | None = None) -> bool:
    """False for a number that ends where the whole text ends, at column `end` of line `at`, and so may lack digits.

    `decimals`: how many the tool always prints; a number that has them all is whole wherever it stands.
    """
    if at < len(text.lines) - 1 or end < len(text.lines[at].text):
        return True
    return decimals is not None and len(shown.partition(".")[2]) == decimals
