"""Promised addresses: every id that was ever published still leads to its text. `docs/addresses.toml` holds them.

It names, for each page, the ids that readers may have in their links, and where an id went that is there no more:

    [ids]
    "faq.html" = [
      "why-prefill",
    ]

    [moved]
    "faq.html#why-read-first" = "faq.html#why-prefill"

A new answer, work or term needs no entry: `make promise` adds the ids of all of them before a release.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence

from demos.kit.errors import nearest
from pysim.errors import quoted

FILE = "addresses.toml"
ENTRY = re.compile(r"^###\s.*\{[^}]*#(?P<id>[A-Za-z][\w-]*)[^}]*\}\s*$", re.MULTILINE)


class Addresses:
    """The published ids of each page, and where those went that have moved."""

    def __init__(self, text: str = "") -> None:
        self.problems: list[tuple[str, int]] = []
        self._lines = text.split("\n")
        try:
            read = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            read = {}
            self.problems.append((f"this is not valid TOML: {error}", 1))
        self.ids: Mapping[str, Sequence[str]] = read.get("ids", {})
        self.moved: Mapping[str, str] = read.get("moved", {})

    def moved_from(self, page: str) -> dict[str, str]:
        """Return, for a page's address, its ids that have moved and where to."""
        pairs = ((old.partition("#"), new) for old, new in self.moved.items())
        return {anchor: new for (at, _, anchor), new in pairs if at == page}

    def broken(self, present: Mapping[str, set[str]]) -> Iterator[tuple[str, int]]:
        """Yield a message and a line for every promise that is broken; `present` maps a page's address to its ids."""
        for page, ids in self.ids.items():
            for anchor in ids:
                address = f"{page}#{anchor}"
                if anchor not in present.get(page, set()) and address not in self.moved:
                    near = nearest(anchor, sorted(present.get(page, set())))
                    advice = f'say where it went under [moved], as in "{address}" = "…"'
                    yield f"the published address {quoted(address)} leads nowhere{near}; {advice}", self._line(anchor)
        for old, new in self.moved.items():
            page, _, anchor = new.partition("#")
            if page not in present or (anchor and anchor not in present[page]):
                yield f"{quoted(old)} is said to have moved to {quoted(new)}, which is missing", self._line(old)

    def _line(self, word: str) -> int:
        quoted_word = re.compile(rf'"{re.escape(word)}[#"]')
        return next((at for at, line in enumerate(self._lines, start=1) if quoted_word.search(line)), 1)


def entries_of(markdown: str) -> list[str]:
    """Return the ids of a page's entries, its questions, works or terms: the headings of level 3."""
    return [heading["id"] for heading in ENTRY.finditer(markdown)]


def promised(text: str, entries: Mapping[str, Sequence[str]]) -> str:
    """Return the list with all `entries` (page address → ids) in it; its other lines stay as they are."""
    ids = Addresses(text).ids
    for page, anchors in entries.items():
        new = [anchor for anchor in anchors if anchor not in ids.get(page, ())]
        added = "".join(f'  "{anchor}",\n' for anchor in new)
        opening = re.search(rf'^"{re.escape(page)}" = \[\n(?:  "[^"\n]*",\n)*', text, re.MULTILINE)
        if opening:
            text = text[: opening.end()] + added + text[opening.end() :]
        elif new:
            text = text.replace("[ids]\n", f'[ids]\n"{page}" = [\n{added}]\n', 1)
    return text


def as_links(moved: Mapping[str, str], relative: Callable[[str], str]) -> dict[str, str]:
    """Return moved ids, each with a link from its page; `relative` makes one of a page's address."""
    parts = {anchor: new.partition("#") for anchor, new in moved.items()}
    return {anchor: f"{relative(page)}{mark}{new}" for anchor, (page, mark, new) in parts.items()}
