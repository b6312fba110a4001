"""Words of families, `heard` in the catalog's entries: the words by which running text is searched for their names.

A model or device of a family that no code knows brings them in its own file: `heard = ["Gaudi"]`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from pysim.catalog.files import Folder, catalogue_keys, names_in, read_head
from pysim.doctor.recognise.names import words
from pysim.errors import BadCatalogue

_NEVER = re.compile(r"(?!)")
_MAKER = r"(?:nvidia |amd |intel |google |apple |qualcomm )?"
# Families of which the catalogue has no model: one that is named is told to be unknown.
NOT_IN_CATALOGUE = ("vicuna",)
SHORT = 3
# A model's name in running text says its size: "Yi-1.5-9B", "yi 34b chat"; then perhaps the format of its weights.
FORMAT_BEHIND = r"(?:[ (,]{1,2}(?:i?q\d\w{0,8}|awq|gptq|fp8|[248]-?bit|bf16|f16|mxfp4)\b)?"
SIZED = r"[\w.:+ -]{0,28}?(?<![\d.])\d{1,3}(?:\.\d{1,2})?b\b[\w.:-]{0,60}" + FORMAT_BEHIND
SIZE = re.compile(r"(?<![\d.])\d{1,4}(?:\.\d{1,2})?[bm]\b")
_GAP = r"[-_ :.]{0,2}"


@lru_cache(maxsize=4)
def heard(folder: Folder) -> tuple[str, ...]:
    """Return the words of a folder's entries in lower case; raises BadCatalogue for what is no list of words."""
    every: list[str] = []
    for key in catalogue_keys(folder):
        own = read_head(folder, key).get("heard", [])
        if not isinstance(own, list) or not all(isinstance(word, str) and word.strip() for word in own):
            raise BadCatalogue(f"{folder}/{key}.toml: heard must be a list of words")
        every += [word.strip().lower() for word in own]
    return tuple(dict.fromkeys(every))


@lru_cache(maxsize=4)
def hints(folder: Folder) -> tuple[str, ...]:
    """Return what a text is searched for first; a word of two letters, as in "Yi-34B", is in many others."""
    return tuple(
        hint for word in heard(folder) for hint in ((f"{word}-", f"{word} ") if len(word) < SHORT else (word,))
    )


@lru_cache(maxsize=1)
def heard_device() -> re.Pattern[str]:
    """Return what finds the beginning of a device's name by the words of its family."""
    return (
        re.compile(rf"(?<![\w.-]){_MAKER}(?:{_any(heard('devices'))})", re.IGNORECASE) if heard("devices") else _NEVER
    )


@lru_cache(maxsize=1)
def named_model() -> re.Pattern[str]:
    """Return what finds names of the catalog that say no size: "GLM-4.5-Air", "Kimi K2", "DeepSeek V3.2"."""
    names = {
        words(name)
        for called in names_in("models").values()
        for name in called
        if not SIZE.search(name.lower()) and len(words(name)) > 1
    }
    parts = (_GAP.join(re.escape(word) for word in name) for name in names)
    any_of = "|".join(sorted(parts, key=len, reverse=True)) or _NEVER.pattern
    return re.compile(
        rf"(?<![\w])(?:[\w.-]{{1,40}}/)?(?:{any_of})(?![a-z0-9])(?:[-_:.][\w.:-]{{0,60}})?{FORMAT_BEHIND}",
        re.IGNORECASE,
    )


@lru_cache(maxsize=1)
def heard_model() -> re.Pattern[str]:
    """Return what finds a model's name by the word of its family and the size behind it."""
    families = _any((*heard("models"), *NOT_IN_CATALOGUE))
    return re.compile(rf"(?<![\w])(?:[\w.-]{{1,40}}/)?(?:meta[- ])?(?:{families}){SIZED}", re.IGNORECASE)


def _any(families: tuple[str, ...]) -> str:
    """Return a pattern of words, the longest first; one of two letters ends before the next letter."""
    ordered = sorted(families, key=len, reverse=True)
    return "|".join(re.escape(word) + ("(?![a-z])" if len(word) < SHORT else "") for word in ordered)
