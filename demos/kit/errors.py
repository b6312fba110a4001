"""Errors in a demo's declaration or values, and quoted values and nearest names for their messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MAX_QUOTED_CHARACTERS = 40


class KitError(Exception):
    """A demo, option or value that cannot be used; the message is meant for the person who wrote it."""


def quoted(value: object) -> str:
    """Return `value` short and harmless enough to stand in a message.

    Control characters are escaped and long texts are cut, so that a message stays one line.
    """
    text = value if isinstance(value, str) else repr(value)
    cut = text[:MAX_QUOTED_CHARACTERS]
    safe = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in cut)
    more = f"… ({len(text):,} characters)" if len(text) > MAX_QUOTED_CHARACTERS else ""
    return f'"{safe}{more}"'


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean …?" for the nearest of `names`, or "" where none is near.

    The search cost grows with the name's length, so a very long one is not compared at all.
    """
    if len(name) > 2 * MAX_QUOTED_CHARACTERS:
        return ""
    matches = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f'; did you mean "{matches[0]}"?' if matches else ""
