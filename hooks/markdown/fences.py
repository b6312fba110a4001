"""The fenced blocks of a Markdown text: where each begins and ends, and which one is inside another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OPENING = re.compile(r"^(?P<prefix>[> ]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\n`]*)$")
COMMENT = re.compile(r"<!--.*?(?:-->|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fence:
    """One outermost fence: its lines counted from 0, its prefix (indent, quote marks) and what it holds.

    `end` is the closing fence's line, or None where the fence is never closed.
    """

    start: int
    end: int | None
    prefix: str
    mark: str
    info: str
    body: tuple[str, ...]


def fences(lines: Sequence[str]) -> Iterator[Fence]:
    """Yield the outermost fences, top to bottom; a fence in an HTML comment is none.

    The rules are those of the Markdown extension that draws all other fences: a closing fence is as
    long as the opening one, and everything between is indented at least as far.
    """
    at, in_comment = 0, False
    while at < len(lines):
        opening = None if in_comment else OPENING.match(lines[at])
        if opening is None:
            in_comment = _comment_open_after(lines[at], in_comment)
            at += 1
            continue
        fence = _read(lines, at, opening)
        yield fence
        at = at + 1 if fence.end is None else fence.end + 1


def _read(lines: Sequence[str], start: int, opening: re.Match[str]) -> Fence:
    prefix, mark, info = opening["prefix"], opening["fence"], opening["info"].strip()
    body: list[str] = []
    for at in range(start + 1, len(lines)):
        line = lines[at]
        if line.strip("> ") == "" and not line.startswith(prefix):
            body.append("")
            continue
        if not line.startswith(prefix):
            break
        inner = line[len(prefix) :]
        if inner.rstrip() == mark:
            return Fence(start=start, end=at, prefix=prefix, mark=mark, info=info, body=tuple(body))
        body.append(inner)
    return Fence(start=start, end=None, prefix=prefix, mark=mark, info=info, body=())


def _comment_open_after(line: str, was_open: bool) -> bool:
    """Return whether an HTML comment is still open at the end of `line`."""
    rest = line
    if was_open:
        _, closed, rest = line.partition("-->")
        if not closed:
            return True
    return any("-->" not in comment for comment in COMMENT.findall(rest))
