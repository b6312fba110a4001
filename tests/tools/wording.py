"""Wording: which phrases give away that a sentence was not written by the ear, and what to write instead?

The phrases are in `wording.toml`, one entry each. Spelling is American, by the list that codespell keeps.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Final

from hooks.paths import ROOT
from tests.tools.prose import Passage, passages

PHRASES: Final = Path(__file__).with_name("wording.toml")
WORD: Final = re.compile(r'(?<!["\w./])[A-Za-z]{4,}\b')


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """A phrase to avoid: a pattern that finds it, what to write, a sentence that has it and a better one."""

    find: re.Pattern[str]
    write: str
    like: str
    better: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Slip:
    """A phrase in a place, and what to write instead."""

    file: str
    line: int
    phrase: str
    better: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: “{self.phrase}”: write {self.better}"


@cache
def phrases() -> list[Phrase]:
    """The entries of `wording.toml`."""
    entries = tomllib.loads(PHRASES.read_text(encoding="utf-8"))["phrase"]
    return [Phrase(find=re.compile(entry.pop("find"), re.IGNORECASE), **entry) for entry in entries]


@cache
def american() -> dict[str, str]:
    """British spellings and the American ones, by codespell's list."""
    words = (files("codespell_lib") / "data" / "dictionary_en-GB_to_en-US.txt").read_text(encoding="utf-8")
    return dict(line.split("->", 1) for line in words.split("\n") if "->" in line)


def slips(root: Path = ROOT) -> list[Slip]:
    """All slips of the project."""
    return [slip for passage in passages(root) for slip in slips_in(passage)]


def slips_in(passage: Passage) -> Iterator[Slip]:
    """The slips of one passage, in the order of the list; a phrase may wrap, and is where it begins."""
    starts, prose = [], ""
    for line in passage.text.split("\n"):
        starts.append(len(prose))
        prose += f"{line.strip()} "
    for phrase in phrases():
        for match in phrase.find.finditer(prose):
            yield _slip(passage, bisect(starts, match.start()), match[0], phrase.write)
    for match in WORD.finditer(prose):
        if match[0].lower() in american():
            yield _slip(passage, bisect(starts, match.start()), match[0], american()[match[0].lower()])


def _slip(passage: Passage, line: int, phrase: str, better: str) -> Slip:
    return Slip(file=passage.file, line=passage.line + line - 1, phrase=phrase.strip(), better=better)
