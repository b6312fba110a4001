"""Does every link inside the built site lead to a file that is there, and to a place on it that exists?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LINKING = {"href", "src", "data-recording", "data-python", "poster"}
ELSEWHERE = ("http:", "https:", "mailto:", "data:", "javascript:", "//")


@dataclass(slots=True)
class PageLinks:
    """What a page points to, with lines, and what it can be pointed at."""

    links: list[tuple[int, str]] = field(default_factory=list)
    places: set[str] = field(default_factory=set)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = PageLinks()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name == "id" or (name == "name" and tag == "a"):
                self.found.places.add(value)
            elif name in LINKING:
                self.found.links.append((self.getpos()[0], value))


def read(page: Path) -> PageLinks:
    reader = _Reader()
    reader.feed(page.read_text(encoding="utf-8"))
    return reader.found


def broken_links(site: Path) -> Iterator[str]:
    """One line per link that leads nowhere. A host serves its 404 page anywhere, so that page links from the root."""
    pages = {page: read(page) for page in sorted(site.rglob("*.html"))}
    for page, found in pages.items():
        for line, link in found.links:
            if not link.startswith(ELSEWHERE) and (trouble := trouble_with(link, page, site, pages)):
                yield f"{page.relative_to(site)}:{line}: {link}: {trouble}"


def trouble_with(link: str, page: Path, site: Path, pages: dict[Path, PageLinks]) -> str | None:
    parts = urlsplit(link)
    path = unquote(parts.path)
    if path.startswith("/"):
        target = site / path.lstrip("/") if page.name == "404.html" else None
    else:
        target = (page.parent / path).resolve() if path else page
    if target is None:
        return "starts at the host's root, which breaks in a subfolder and from the file system"
    if target.is_dir():
        return "a folder, which the file system opens as a list of files"
    if not target.is_file():
        return "no such file"
    fragment = unquote(parts.fragment)
    if fragment and target in pages and fragment not in pages[target].places:
        return f"no place named {fragment} there"
    return None
