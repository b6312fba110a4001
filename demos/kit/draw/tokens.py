"""Token cells: rounded, with their text, spaces visible, the same in every demo."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from simple_html import Node, SafeString, Tag, i, span

from demos.kit.html import element
from demos.kit.number import count

CONTROL_PICTURES = 0x2400
DELETE = 0x7F
MARKS = {"\n": "↵", "\t": "⇥", "\r": "␍", " ": "·"}
INVISIBLE = {*range(0x80, 0xA0), 0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF}
bdi = Tag("bdi")


@lru_cache(maxsize=8192)
def visible(text: str) -> str:
    """Return `text` with control and direction characters as visible signs, so a cell is never empty.

    Direction overrides are shown as code points: left alone, one of them could turn a whole line around.
    A zero-width joiner inside an emoji stays, since it holds the picture together.
    """
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    shown: list[str] = []
    for position, character in enumerate(text):
        code = ord(character)
        joins = code == 0x200D and 0 < position < len(text) - 1
        if character in MARKS:
            shown.append(MARKS[character])
        elif code < 0x20:
            shown.append(chr(CONTROL_PICTURES + code))
        elif code == DELETE:
            shown.append("␡")
        elif (code in INVISIBLE and not joins) or 0xD800 <= code <= 0xDFFF:
            shown.append(f"⟨{code:04X}⟩")
        else:
            shown.append(character)
    return "".join(shown)


@lru_cache(maxsize=4096)
def cell(text: str, kind: str = "", *, now: bool = False) -> SafeString:
    """Return one token cell. `kind` is "p" (prompt), "d" (decoded) or "ghost" (not there yet)."""
    classes = " ".join(["tok", *([kind] if kind else []), *(["now"] if now else [])])
    body = visible(text)
    lead: list[Node] = []
    while body.startswith("·") and text.startswith(" "):
        lead.append(i("·"))
        body, text = body[1:], text[1:]
    return element(bdi, {"class": classes}, *lead, body)


@lru_cache(maxsize=1)
def ghost() -> SafeString:
    """Return the cell of a token that is still to come."""
    return element(span, {"class": "tok ghost"}, "…")


def gap(hidden: int, noun: str = "more") -> SafeString:
    """Return the cell that stands for `hidden` tokens that are there but not drawn."""
    return element(span, {"class": "tok gap"}, f"… {count(hidden)} {noun} …")


@lru_cache(maxsize=8192)
def quoted_token(text: str) -> str:
    """Return a token's text for a sentence: visible, in quotation marks."""
    return f"“{visible(text)}”"


def window(total: int, head: int, tail: int) -> tuple[Sequence[int], int, Sequence[int]]:
    """Return which of `total` cells to draw: the first, how many are hidden between, the last."""
    if total <= head + tail + 1:
        return range(total), 0, range(0)
    return range(head), total - head - tail, range(total - tail, total)
