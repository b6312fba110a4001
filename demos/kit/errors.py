"""Errors in a demo's declaration or values, and the nearest names for their messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

MAX_COMPARED_CHARACTERS = 80


class KitError(Exception):
    """A demo, option or value that cannot be used; the message is meant for the person who wrote it."""


def nearest(name: str, names: Iterable[str]) -> str:
    """Return "; did you mean …?" for the nearest of `names`, or "" where none is near.

    The search cost grows with the name's length, so a very long one is not compared at all.
    """
    if len(name) > MAX_COMPARED_CHARACTERS:
        return ""
    matches = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f'; did you mean "{matches[0]}"?' if matches else ""
