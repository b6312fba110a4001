"""A lighter search index: the beginning of each section as it is, of the rest only the words that are new.

A search finds a section by any of its words, and shows its beginning; a page must not carry the whole site's prose.
"""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any, Final

KEPT: Final = 250
# Pages whose sections are the answers that people look for: how often a word is in them ranks them.
ANSWERS: Final = ("faq.html", "glossary.html")
_TAG: Final = re.compile(r"<(/?)([a-zA-Z][\w-]*)[^>]*?(/?)>")
# A number stays with its unit.
_WORD: Final = re.compile(r"\d[\d.,]*(?:\u00a0[^\W\d_][\w/]*)?|[^\W\d_][\w’'.+-]{2,}")


def lighten(path: Path) -> None:
    """Rewrite an index in place."""
    index: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    for entry in index["docs"]:
        if not entry["location"].startswith(ANSWERS):
            entry["text"] = lighter(entry["text"])
    path.write_text(json.dumps(index, ensure_ascii=False, separators=(",", ":")), encoding="utf-8")


def lighter(text: str) -> str:
    """The text up to where no tag is open after `KEPT` characters, then each new word once."""
    end = _end(text)
    seen = {word.lower() for word in _words(text[:end])}
    new: list[str] = []
    for word in _words(text[end:]):
        if word.lower() not in seen:
            seen.add(word.lower())
            new.append(word)
    return f"{text[:end]} {' '.join(new)}" if new else text[:end]


def _words(text: str) -> list[str]:
    return [word.rstrip(".’'+-") for word in _WORD.findall(html.unescape(_TAG.sub(" ", text)))]


def _end(text: str) -> int:
    """The first place after `KEPT` characters at which every tag is closed; the end where there is none."""
    open_tags = 0
    for tag in _TAG.finditer(text):
        if tag[3] or tag[2].lower() in ("br", "hr", "img", "wbr"):
            continue
        open_tags += -1 if tag[1] else 1
        if open_tags == 0 and tag.end() >= KEPT:
            return tag.end()
    return len(text)
