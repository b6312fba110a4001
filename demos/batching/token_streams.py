"""Answers written at the same time: a line of tokens each, the newest in sight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div, span

from demos.kit.draw.tokens import cell, ghost
from demos.kit.html import element, joined
from demos.kit.number import plural

# As many of the newest tokens as the widest picture has room for; earlier ones have moved out of sight.
MOST_IN_SIGHT = 14


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """One answer at a moment: `written` of its tokens stand.

    `kind` "alone" sets a line apart from the others, "empty" only keeps its place free.
    """

    name: str
    tokens: Sequence[str]
    written: int
    kind: str = ""


def streams(drawn: Sequence[Stream]) -> SafeString:
    """Return the answers below each other; on each line the newest tokens and how many there are."""
    return element(div, {"class": "streams"}, *[_stream(stream) for stream in drawn])


def _stream(at: Stream) -> SafeString:
    if at.kind == "empty":
        return element(div, {"class": "stream empty", "aria-hidden": "true"})
    first = max(0, at.written - MOST_IN_SIGHT)
    return element(
        div,
        {"class": f"stream {at.kind}".strip()},
        span({"class": "stream-name"}, at.name),
        div({"class": "stream-line"}, _line(tuple(at.tokens[first : at.written]))),
        span({"class": "stream-count"}, plural(at.written, "token")),
    )


@lru_cache(maxsize=256)
def _line(tokens: tuple[str, ...]) -> SafeString:
    return joined(element(div, {"class": "tokens"}, *[cell(text, "d") for text in tokens], ghost()))
