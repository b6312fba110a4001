"""Does every address that was ever published still lead to its text? A list of promises, kept with the pages.

`docs/addresses.toml` names, for each page, the ids that readers may have in their links, and where an id went that
is there no more:

    [ids]
    "faq.html" = ["why-prefill", …]

    [moved]
    "faq.html#why-read-first" = "faq.html#why-prefill"
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence

from demos.kit.errors import nearest, quoted

FILE = "addresses.toml"
ID_OF_ENTRY = re.compile(r'<h3[^>]*\bid="([^"]+)"')


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

    def broken(self, there: Mapping[str, set[str]], entries: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, int]]:
        """Yield a message and a line for every promise that is broken.

        `there` maps each page's address to its ids, `entries` to the ids of its questions or works.
        """
        for page, ids in self.ids.items():
            for each in ids:
                address = f"{page}#{each}"
                if each not in there.get(page, set()) and address not in self.moved:
                    near = nearest(each, sorted(there.get(page, set())))
                    advice = f'say where it went under [moved], as in "{address}" = "…"'
                    yield f"the published address {quoted(address)} leads nowhere{near}; {advice}", self._line(each)
            for each in entries.get(page, ()):
                if each not in ids:
                    message = f'the id "{each}" of {page} is not listed: add it under [ids], so that links to it last'
                    yield message, self._line(page)
        for old, new in self.moved.items():
            page, _, anchor = new.partition("#")
            if page not in there or (anchor and anchor not in there[page]):
                yield f"{quoted(old)} is said to have moved to {quoted(new)}, which is not there", self._line(old)

    def _line(self, word: str) -> int:
        quoted_word = re.compile(rf'"{re.escape(word)}[#"]')
        return next((at for at, line in enumerate(self._lines, start=1) if quoted_word.search(line)), 1)


def entries_of(html: str) -> list[str]:
    """Return the ids of a page's entries: its headings of the third level."""
    return ID_OF_ENTRY.findall(html)


def as_links(moved: Mapping[str, str], relative: Callable[[str], str]) -> dict[str, str]:
    """Return moved ids, each with a link from its page; `relative` makes one of a page's address."""
    parts = {anchor: new.partition("#") for anchor, new in moved.items()}
    return {anchor: f"{relative(page)}{mark}{new}" for anchor, (page, mark, new) in parts.items()}
