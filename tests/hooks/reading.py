"""What does a built page consist of? Its elements, and everything that a browser would fetch for it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

# Elements and attributes whose address a browser follows by itself; `a` and `form` wait for the reader.
FETCHED = {
    ("audio", "src"),
    ("embed", "src"),
    ("iframe", "src"),
    ("image", "href"),
    ("img", "src"),
    ("input", "src"),
    ("object", "data"),
    ("script", "src"),
    ("source", "src"),
    ("track", "src"),
    ("use", "href"),
    ("video", "poster"),
    ("video", "src"),
}
FETCHED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest"}
CSS_ADDRESS = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass(slots=True)
class PageParts:
    """A page's elements with their attributes, its ids and what it fetches."""

    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    title: str = ""

    @property
    def ids(self) -> list[str]:
        return [attributes["id"] for _, attributes in self.elements if attributes.get("id")]

    @property
    def fetched(self) -> list[str]:
        found = [
            attributes[name]
            for tag, attributes in self.elements
            for of, name in FETCHED
            if of == tag and attributes.get(name)
        ]
        for tag, attributes in self.elements:
            if tag == "link" and FETCHED_LINKS & set(attributes.get("rel", "").split()):
                found.append(attributes["href"])
            found += css_addresses(attributes.get("style", ""))
        return found

    def described(self) -> str:
        """The page's description for search engines."""
        metas = [attributes for tag, attributes in self.elements if tag == "meta"]
        return next((each.get("content", "") for each in metas if each.get("name") == "description"), "")


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts = PageParts()
        self.in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.parts.elements.append((tag, {name: value or "" for name, value in attrs}))
        self.in_title = tag == "title" and not self.parts.title

    def handle_data(self, data: str) -> None:
        if self.in_title:
            self.parts.title += data

    def handle_endtag(self, tag: str) -> None:
        self.in_title = False


def page_parts(path: Path) -> PageParts:
    """Read one built page."""
    reader = _Reader()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    return reader.parts


def css_addresses(css: str) -> list[str]:
    """Every address that a style sheet names."""
    return [first or second for first, second in CSS_ADDRESS.findall(css)]
