"""How long does a lesson take to read? Counted from its words and demos, and written where its Markdown asks for it."""

from __future__ import annotations

import math
import re

MARK = "<!-- reading-time -->"
WORDS_PER_MINUTE = 200
DEMO_MINUTES = 1
# The story ends where the reference part begins.
END = re.compile(r"^## Common questions", re.MULTILINE)
FENCE = re.compile(r"^```(\w+).*?^```", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"[A-Za-z][\w’'-]*")


def filled(markdown: str) -> str:
    """Return a page's Markdown with its reading time put in; a page without the mark stays as it is."""
    if MARK not in markdown:
        return markdown
    return markdown.replace(MARK, f"About {minutes(markdown)} minutes, with the demos.\n{{ .lesson-time }}")


def minutes(markdown: str) -> int:
    """Minutes for the story of a lesson: its words outside of blocks, and a minute for each demo."""
    story = END.split(markdown)[0]
    demos = [match[1] for match in FENCE.finditer(story)].count("demo")
    words = len(WORD.findall(re.sub(r"`[^`]*`|\]\([^)]*\)", " ", FENCE.sub(" ", story))))
    return math.ceil(words / WORDS_PER_MINUTE) + demos * DEMO_MINUTES
