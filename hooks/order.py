"""In which order do the pages stand in the menu? Lessons by their number in the course, the rest as each page says."""

from __future__ import annotations

from typing import Any

from mkdocs.structure.files import File
from mkdocs.utils.meta import get_data

AFTER_LESSONS = 50


def in_reading_order(files: list[File]) -> list[File]:
    """Return all files, Markdown pages in reading order.

    A page's front matter may have `number` (a lesson's, like "01.03") or `order` (a whole number: below
    50 before the lessons, above after them). The home page comes first.
    """
    return sorted(files, key=_place)


def _place(file: File) -> tuple[float, str, str]:
    if not file.is_documentation_page():
        return (0.0, "", "")
    _, meta = get_data(file.content_string)
    return (_order(file, meta), str(meta.get("number", "")), file.src_uri)


def _order(file: File, meta: dict[str, Any]) -> float:
    if file.src_uri == "index.md":
        return 1.0
    if "number" in meta:
        return float(AFTER_LESSONS)
    return float(meta.get("order", AFTER_LESSONS + 1))
