"""Evidence: what a cause is judged by: a judged run, and the words of the text around it."""

from __future__ import annotations

import re
import sys
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.doctor.case import Case, PhaseName
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.read.run import Setup

# Of a long log only its beginning and its end are searched: that is where commands and settings are.
MOST_CHARACTERS: Final = 200_000
_SHOWN: Final = 70
_MOST_PLACES: Final = 20
_LONGEST_COMMAND: Final = 1000
_NOT_SAID: Final = re.compile(
    r"\?\s{0,3}\Z|\b(?:should|would|could|if) I\b|\bnot using\b|\bno longer\b|\btried\b", re.IGNORECASE
)
_COMMAND: Final = re.compile(r"(?:^|\s)(?:-m|--model|-hf|serve|run)[ =]\S")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """Words found in the text: the line's number, and the match."""

    line: int
    match: re.Match[str]

    @property
    def words(self) -> str:
        """The words as a reader sees them, cut where they are long."""
        words = " ".join(self.match[0].split())
        return words if len(words) <= _SHOWN else words[: _SHOWN - 1] + "…"


@dataclass(frozen=True)
class Words:
    """Lines of a text, with their numbers in it."""

    numbers: tuple[int, ...]
    lines: tuple[str, ...]

    @cached_property
    def plain(self) -> str:
        """All lines as one text."""
        return "\n".join(self.lines)

    @cached_property
    def _starts(self) -> list[int]:
        starts, at = [], 0
        for line in self.lines:
            starts.append(at)
            at += len(line) + 1
        return starts

    def find(self, pattern: re.Pattern[str]) -> Found | None:
        """The first place of a pattern in a line that is no question and no denial."""
        for match in islice(pattern.finditer(self.plain), _MOST_PLACES):
            at = bisect_right(self._starts, match.start()) - 1
            if not _NOT_SAID.search(self.lines[at]):
                return Found(line=self.numbers[at], match=match)
        return None

    def between(self, first: int, last: int) -> Words:
        """The lines from one number to another."""
        kept = [at for at, number in enumerate(self.numbers) if first <= number <= last]
        return Words(tuple(self.numbers[at] for at in kept), tuple(self.lines[at] for at in kept))

    def followed_by(self, other: Words) -> Words:
        """These lines and those of another part of the text."""
        return Words((*self.numbers, *other.numbers), (*self.lines, *other.lines))


def words_of(raw: str) -> Words:
    """The lines of a pasted text; of a long one the first and the last."""
    lines = raw.splitlines() if len(raw) <= MOST_CHARACTERS else None
    if lines is not None:
        return Words(tuple(range(1, len(lines) + 1)), tuple(lines))
    half = MOST_CHARACTERS // 2
    head, tail = raw[:half].splitlines(), raw[-half:].splitlines()
    count = raw.count("\n") + (not raw.endswith("\n"))
    numbers = (*range(1, len(head) + 1), *range(count - len(tail) + 1, count + 1))
    return Words(numbers, (*head, *tail))


def command_in(words: Words) -> str | None:
    """The last line that starts a program with a model."""
    commands = (line for line in reversed(words.lines) if _COMMAND.search(line))
    command = next(commands, None)
    return None if command is None else command.strip()[:_LONGEST_COMMAND]


def words_of_each(places: Sequence[tuple[int, int]], words: Words) -> list[Words]:
    """The lines that tell of each run, by its first and last line: those from the run before to its end.

    What is above all runs tells of each that has no command itself; what follows the last one tells of it.
    """
    if len(places) == 1:
        return [words]
    told: list[Words] = []
    first_line = min((first for first, _ in places), default=1)
    above = words.between(1, first_line - 1)
    before = 0
    for at, (_, last) in enumerate(places):
        end = sys.maxsize if at == len(places) - 1 else last
        own = words.between(before + 1 if at else first_line, max(last, end))
        told.append(own if _COMMAND.search(own.plain) else above.followed_by(own))
        before = max(before, last)
    return told


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A judged run, and the words that tell of it."""

    judgement: Judgement
    words: Words

    @property
    def case(self) -> Case:
        """The run's case."""
        return self.judgement.case

    @property
    def setup(self) -> Setup:
        """What the text says of what ran on what."""
        return self.judgement.run.setup

    def find(self, pattern: re.Pattern[str]) -> Found | None:
        """The first place of a pattern in the words that tell of this run."""
        return self.words.find(pattern)

    def may_be_slow(self, name: PhaseName) -> bool:
        """Was a phase timed, and is it not known to be as fast as others?"""
        phase = self.judgement.phase(name)
        return phase is not None and phase.doubt is None and phase.verdict in (None, "slower")

    def is_slow(self, name: PhaseName) -> bool:
        """Is a phase known to be slower than nine of ten such runs?"""
        phase = self.judgement.phase(name)
        return phase is not None and phase.verdict == "slower"
