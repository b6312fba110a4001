"""Ids of a page: each may be there once. A demo's id is its address, so nothing else may have it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from html.parser import HTMLParser

from markdown.extensions.toc import slugify

HEADING = re.compile(r"^[> ]*#{1,6}\s+(?P<text>.*?)\s*#*\s*(?:\{[^}]*#(?P<id>[\w-]+)[^}]*\})?\s*$")


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]


def ids_of(html: str) -> list[str]:
    """Return all ids of a piece of HTML, in order, repeated ones too."""
    parser = _Ids()
    parser.feed(html)
    parser.close()
    return parser.ids


def collisions(html: str, markdown: str, figures: Mapping[str, int]) -> Iterator[tuple[str, int]]:
    """Yield a message and a line (from 1, in `markdown`) for every id that stands more than once.

    `figures` maps the ids of the page's demos to their lines.
    """
    for name, times in Counter(ids_of(html)).items():
        if times < 2:
            continue
        line = _heading_line(markdown, name)
        if name in figures and line:
            advice = "give it its own, as in `## Title { #my-id }`"
            yield f'this heading has the id of a demo, "{name}": {advice}', line
        else:
            yield f'the id "{name}" is used {times} times on this page', line or figures.get(name, 1)


def _heading_line(markdown: str, wanted: str) -> int | None:
    for at, line in enumerate(markdown.split("\n"), start=1):
        heading = HEADING.match(line)
        if heading and (heading["id"] or slugify(heading["text"], "-")) == wanted:
            return at
    return None
