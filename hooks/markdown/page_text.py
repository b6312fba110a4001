"""The line of its page in which a piece of text begins. Extensions see pieces and look it up here."""

from __future__ import annotations

import re

from markdown import Markdown
from markdown.preprocessors import Preprocessor

BEFORE_BLOCKS = 29  # our fenced blocks are taken out at 28
NAME = "page-text"


class PageText(Preprocessor):
    """Keeps the page's text as it comes in; all extensions of a page share one."""

    def __init__(self, md: Markdown) -> None:
        super().__init__(md)
        self.text = ""

    @classmethod
    def of(cls, md: Markdown) -> PageText:
        """Return the keeper of this Markdown's text, registered once."""
        if NAME in md.preprocessors:
            keeper = md.preprocessors[NAME]
            assert isinstance(keeper, cls)
            return keeper
        keeper = cls(md)
        md.preprocessors.register(keeper, NAME, BEFORE_BLOCKS)
        return keeper

    def run(self, lines: list[str]) -> list[str]:
        """Keep the text and hand it on unchanged."""
        self.text = "\n".join(lines)
        return lines

    def line_of(self, piece: str) -> int:
        """Return the line (from 1) in which a piece of the text begins, wherever its own lines break; 1 if nowhere."""
        words = [re.escape(word) for word in piece.split()]
        place = re.search(r"[\s>]+".join(words), self.text) if words else None
        return self.text.count("\n", 0, place.start()) + 1 if place else 1
