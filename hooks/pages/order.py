"""Reading order and menu: lessons by their number in the course, other pages by their own `order`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import PurePosixPath
from typing import Any

from mkdocs.structure.files import File
from mkdocs.utils.meta import get_data

AFTER_LESSONS = 50


def menu(pages: Iterable[File]) -> list[Any]:
    """Return the menu as MkDocs takes it: a page is its path, a folder a title with its pages."""
    entries: list[Any] = []
    folders: dict[str, list[str]] = {}
    for page in in_reading_order(pages):
        folder = PurePosixPath(page.src_uri).parent.name
        if not folder:
            entries.append(page.src_uri)
        elif folder in folders:
            folders[folder].append(page.src_uri)
        else:
            folders[folder] = [page.src_uri]
            entries.append({folder.replace("-", " ").capitalize(): folders[folder]})
    return entries


def in_reading_order(pages: Iterable[File]) -> list[File]:
    """Return the Markdown pages in reading order, the home page first.

    A page's front matter may have `number` (a lesson's, like "01.03") or `order` (a whole number: below
    50 before the lessons, above after them).
    """
    return sorted(pages, key=_place)


def _place(page: File) -> tuple[float, str, str]:
    _, meta = get_data(page.content_string)
    return (_order(page, meta), str(meta.get("number", "")), page.src_uri)


def _order(page: File, meta: dict[str, Any]) -> float:
    if page.src_uri == "index.md":
        return 1.0
    if "number" in meta:
        return float(AFTER_LESSONS)
    return float(meta.get("order", AFTER_LESSONS + 1))
