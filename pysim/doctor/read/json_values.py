"""Which JSON objects does a text hold: a document, lines of them, one after a log's prefix, one cut in half?

Bare Infinity and NaN are read; arrays are looked into; a line break that a terminal put into a word is
undone. Objects nested deeper than MOST_DEPTH are left out: they can only be meant to do harm, and
recursion that deep ends the browser's Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

MOST_DEPTH: Final = 40
# How much of the text may be looked at again, all in all, because something in it did not hold what it promised.
_LOOKS: Final = 3
_WRAPPED_CHARACTERS: Final = 8_000
_LINE_CHARACTERS: Final = 8_000
_WRAPPED_TRIES: Final = 100
# A text with more broken objects is no JSON, and objects in it that take several lines are not looked for.
_MOST_BROKEN: Final = 1_000

_START: Final = re.compile(r'\{\s*(?="[^"\\\n]{0,200}"\s*:)')
_MARK: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*+("?)|[\[\]{}]')
_MARK_OR_COMMA: Final = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*+("?)|[\[\]{},]')
_CLOSES: Final = {"{": "}", "[": "]"}
_DECODER: Final = json.JSONDecoder(strict=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonObject:
    """One JSON object, its first and last line; `whole` is False where the text broke off in it."""

    value: dict[str, object]
    line: int
    last_line: int
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Extent:
    end: int
    closed: bool
    deep: bool = False


def objects(plain: str, line_of: Callable[[int], int]) -> tuple[JsonObject, ...]:
    """Every object of a text that is not inside another one, in order; time in proportion to the text."""
    if "{" not in plain:
        return ()
    return tuple(_objects(plain, line_of))


def _objects(plain: str, line_of: Callable[[int], int]) -> Iterator[JsonObject]:
    position, looked, wrapped, broken = 0, 0, 0, 0
    while (start := _START.search(plain, position)) is not None:
        at = start.start()
        quick = _of_one_line(plain, at)
        if quick is not None:
            known, position = quick
            line = line_of(at)
            yield JsonObject(value=known, line=line, last_line=line)
            continue
        if broken >= _MOST_BROKEN:
            position = start.end()
            continue
        extent = _extent(plain, at)
        looked += extent.end - at
        value = _loaded(plain[at : extent.end]) if extent.closed else None
        if value is not None:
            yield JsonObject(value=value, line=line_of(at), last_line=line_of(extent.end - 1))
            position = extent.end
            continue
        if not extent.deep and wrapped < _WRAPPED_TRIES and "\n" in plain[at : at + _WRAPPED_CHARACTERS]:
            wrapped += 1
            joined = _unwrapped(plain, at)
            if joined is not None:
                value, end = joined
                yield JsonObject(value=value, line=line_of(at), last_line=line_of(end - 1))
                position = end
                continue
        value = None if extent.deep else _salvaged(plain, at, extent.end)
        looked += extent.end - at
        if value:
            broken += 1
            yield JsonObject(value=value, line=line_of(at), last_line=line_of(extent.end - 1), whole=False)
        skip = bool(value) or extent.deep or looked > _LOOKS * len(plain)
        position = extent.end if skip else start.end()


def _of_one_line(plain: str, at: int) -> tuple[dict[str, object], int] | None:
    """The object if it ends in its line, and where: most do, and need no look at each of their brackets."""
    end = plain.find("\n", at, at + _LINE_CHARACTERS)
    line = plain[at : end if end >= 0 else at + _LINE_CHARACTERS]
    if "}" not in line or line.count("{") + line.count("[") > MOST_DEPTH:
        return None
    try:
        value, length = _DECODER.raw_decode(line)
    except ValueError:
        return None
    return value, at + length


def _extent(text: str, start: int) -> _Extent:
    """Where the object that begins at `start` ends: closed, or at the place where it cannot go on."""
    open_marks: list[str] = []
    for mark in _MARK.finditer(text, start):
        sign = text[mark.start()]
        if sign == '"':
            if not mark[1]:
                return _Extent(mark.end(), closed=False)
        elif sign in _CLOSES:
            if sign == "{" and open_marks and not _may_stand_before_object(text, mark.start()):
                return _Extent(mark.start(), closed=False)
            open_marks.append(sign)
            if len(open_marks) > MOST_DEPTH:
                return _Extent(mark.end(), closed=False, deep=True)
        elif _CLOSES[open_marks.pop()] != sign:
            return _Extent(mark.start(), closed=False)
        elif not open_marks:
            return _Extent(mark.end(), closed=True)
    return _Extent(len(text), closed=False)


def _may_stand_before_object(text: str, at: int) -> bool:
    """Whether an object may begin here inside another; where not, the one before was cut and a new one begins."""
    at -= 1
    while text[at] in " \t\n":
        at -= 1
    return text[at] in ":,["


def _loaded(text: str) -> dict[str, object] | None:
    try:
        value = _DECODER.decode(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _unwrapped(plain: str, start: int) -> tuple[dict[str, object], int] | None:
    """The object read with line breaks taken out, and where it ends in the text."""
    piece = plain[start : start + _WRAPPED_CHARACTERS]
    extent = _extent(piece.replace("\n", ""), 0)
    value = _loaded(piece.replace("\n", "")[: extent.end]) if extent.closed else None
    if value is None:
        return None
    at, left = start, extent.end
    for line in piece.split("\n"):
        if left <= len(line):
            break
        at, left = at + len(line) + 1, left - len(line)
    return value, at + left


def _salvaged(text: str, start: int, end: int) -> dict[str, object] | None:
    """What is certain of an object that broke off: all up to the last comma or closing bracket, then closed."""
    open_marks: list[str] = []
    cut, depth = start, 0
    for mark in _MARK_OR_COMMA.finditer(text, start, end):
        sign = text[mark.start()]
        if sign == '"':
            continue
        if sign in _CLOSES:
            open_marks.append(sign)
            continue
        if sign == ",":
            cut = mark.start()
        else:
            open_marks.pop()
            cut = mark.end()
        # After the last cut marks only open, so those below its depth are still the same at the end.
        depth = len(open_marks)
        if not depth:
            break
    closing = "".join(_CLOSES[sign] for sign in reversed(open_marks[:depth]))
    return _loaded(text[start:cut] + closing) if cut > start else None
