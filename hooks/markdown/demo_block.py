"""The ```demo block of Markdown, which becomes a figure. Knows nothing of MkDocs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Protocol
from xml.etree.ElementTree import Element

from markdown import Markdown

from hooks.markdown.blocks import FencedBlocks, Reporter, Taken
from hooks.markdown.fences import Fence
from hooks.markdown.options import Option, OptionError, Value, read_options

FIGURE_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


class DemoError(Exception):
    """Why a demo can't be drawn as asked: messages, each with the name of the option to blame or None."""

    def __init__(self, *reasons: tuple[str, str | None]) -> None:
        super().__init__("; ".join(message for message, _ in reasons))
        self.reasons = reasons


class Figures(Reporter, Protocol):
    """Who draws the figures and hears of problems; lines count from 1 in the text given to Markdown."""

    def draw(self, demo_id: str, figure_id: str, options: Mapping[str, Value], line: int) -> str:
        """Return the figure's HTML, or raise DemoError."""


class DemoBlocks(FencedBlocks):
    """The extension; one instance serves one build."""

    word = "demo"
    failure = "This demo can’t be drawn."

    def __init__(self, figures: Figures) -> None:
        super().__init__(figures)
        self.figures = figures

    def fill(self, md: Markdown, root: Element, taken: Taken) -> None:
        """Put the figure, finished, where the mark's HTML would go."""
        md.htmlStash.rawHtmlBlocks[taken.stash_index] = self._figure(taken)

    def _figure(self, taken: Taken) -> str:
        try:
            demo_id, figure_id, options = _read(taken.fence)
        except OptionError as error:
            return self.problem_box(self.figures.problem(str(error), taken.line + 1 + error.line))
        lines = {option.name: taken.line + 1 + option.line for option in options}
        try:
            values = {option.name: option.value for option in options if option.name != "id"}
            return self.figures.draw(demo_id, figure_id, values, taken.line)
        except DemoError as error:
            messages = [
                self.figures.problem(message, lines.get(name or "", taken.line)) for message, name in error.reasons
            ]
            return self.problem_box(*messages)


def _read(fence: Fence) -> tuple[str, str, list[Option]]:
    words = fence.info.split()[1:]
    if len(words) != 1:
        given = f'"{" ".join(words)}"' if words else "nothing"
        raise OptionError(f"a demo block names one demo, as in ```demo two-phases; here it names {given}", -1)
    options = read_options(fence.body)
    figure_id = words[0]
    for option in options:
        if option.name == "id":
            figure_id = str(option.value)
            if not FIGURE_ID.fullmatch(figure_id):
                raise OptionError("the id must be a letter followed by letters, digits, - and _", option.line)
    return words[0], figure_id, options
