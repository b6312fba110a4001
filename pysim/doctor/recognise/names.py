"""Which entries of the catalog do the words of a text name?

Names are compared word by word, letters apart from numbers, so "Qwen2.5-Coder-7B", "qwen2.5:7b" and
"Qwen 2.5 7B" name one model. Longer names win: "RTX 4080 SUPER" is no "RTX 4080".
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pysim.catalog.files import Folder, names_in

Words = tuple[str, ...]

_WORD: Final = re.compile(r"[a-z]{1,40}|\d{1,12}(?:\.\d{1,12}){0,3}[a-z]{0,8}")
LONGEST_TEXT: Final = 400
# Core counts that nobody stated are a habit of published measurements, not of devices.
_NO_NAMES: Final = "-unspecified"


def words(text: str) -> Words:
    """The words of a name: lower case, letters and numbers apart, a unit stays at its number."""
    return tuple(_WORD.findall(text[:LONGEST_TEXT].lower().replace("(r)", " ").replace("(tm)", " ")))


@lru_cache(maxsize=4)
def known(folder: Folder) -> tuple[tuple[Words, str], ...]:
    """All names of a folder as words, each with its key, the longest first."""
    pairs = {
        (words(name), key) for key, names in names_in(folder).items() if not key.endswith(_NO_NAMES) for name in names
    }
    return tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair)))


def in_order(name: Words, text: Words) -> int | None:
    """The place in `text` of the last word of `name`, if its words are there in order; None if not.

    Other words may stand between, but no number right behind the first word: there it is a version.
    """
    at = -1
    for count, word in enumerate(name):
        try:
            place = text.index(word, at + 1)
        except ValueError:
            return None
        if count == 1 and any(word[0].isdigit() for word in text[at + 1 : place]):
            return None
        at = place
    return at


def together(name: Words, text: Words) -> int | None:
    """The place in `text` of the last word of `name`, if all its words are there side by side; None if not."""
    for start in range(len(text) - len(name) + 1):
        if text[start : start + len(name)] == name:
            return start + len(name) - 1
    return None
