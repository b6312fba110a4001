"""How does a ```demo block in Markdown become a figure? A Markdown extension that knows nothing of MkDocs.

The fence is taken out before any other extension sees it and comes back as finished HTML at the end,
so it works inside tabs, admonitions, quotes and lists. Drawing waits until the page's structure is
known: a block that turns out to lie in an indented code block gets its text back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, code_escape

from hooks.fences import Fence, fences
from hooks.options import Option, OptionError, Value, read_options

INFO = re.compile(r"demo(?:\s+(?P<rest>.*))?$")
IN_LIST_ITEM = re.compile(r"^(?P<bullet>[> ]*(?:[-*+]|\d+[.)]) +)(?:`{3,}|~{3,})\s*demo\b")
FIGURE_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
BEFORE_SUPERFENCES = 28  # the first built-in step, which only tidies white space, has 30; superfences has 25
BEFORE_HIGHLIGHTING = 35  # the highlighter takes indented code out of reach at 30


class DemoError(Exception):
    """Why a demo can't be drawn as asked: messages, each with the name of the option to blame or None."""

    def __init__(self, *reasons: tuple[str, str | None]) -> None:
        super().__init__("; ".join(message for message, _ in reasons))
        self.reasons = reasons


class Studio(Protocol):
    """Who draws the figures and hears of problems; lines count from 1 in the text given to Markdown."""

    def draw(self, demo_id: str, figure_id: str, options: Mapping[str, Value], line: int) -> str:
        """Return the figure's HTML, or raise DemoError."""

    def problem(self, message: str, line: int) -> str:
        """Report a problem and return the whole message, with file and line."""


@dataclass(frozen=True, slots=True)
class Taken:
    """A fence taken out of the text, the place in the stash that its figure will fill."""

    fence: Fence
    stash_index: int
    placeholder: str


class DemoBlocks(Extension):
    """The extension; one instance serves one build."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self.studio = studio

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        taken: list[Taken] = []
        md.preprocessors.register(_TakeOut(md, self.studio, taken), "demo-take-out", BEFORE_SUPERFENCES)
        md.treeprocessors.register(_Draw(md, self.studio, taken), "demo-draw", BEFORE_HIGHLIGHTING)


class _TakeOut(Preprocessor):
    def __init__(self, md: Markdown, studio: Studio, taken: list[Taken]) -> None:
        super().__init__(md)
        self.studio, self.taken = studio, taken

    def run(self, lines: list[str]) -> list[str]:
        self.taken.clear()
        result: list[str] = []
        done = 0
        for fence in fences(lines):
            result += self._text(lines, done, fence.start)
            done = fence.start if fence.end is None else fence.end + 1
            if INFO.match(fence.info) is None:
                result += lines[fence.start : done]
            elif fence.end is None:
                message = "this demo block is never closed: its last line is as many backticks as its first"
                result += [self._shown(message, fence.start), ""]
                done = fence.start + 1
            else:
                result += self._place(fence)
        return result + self._text(lines, done, len(lines))

    def _text(self, lines: Sequence[str], start: int, end: int) -> list[str]:
        """Return lines as they are, but for blocks begun beside a bullet, where no fence can stand."""
        message = "a demo block starts on a line of its own, in a list indented by four spaces"
        found = list(lines[start:end])
        for at, line in enumerate(found):
            if bullet := IN_LIST_ITEM.match(line):
                found[at] = bullet["bullet"] + self._shown(message, start + at)
        return found

    def _shown(self, message: str, line: int) -> str:
        return self.md.htmlStash.store(problem_box(self.studio.problem(message, line + 1)))

    def _place(self, fence: Fence) -> list[str]:
        index = len(self.md.htmlStash.rawHtmlBlocks)
        placeholder = self.md.htmlStash.store("<figure></figure>")
        self.taken.append(Taken(fence, index, placeholder))
        empty = fence.prefix.rstrip()
        return [empty, fence.prefix + placeholder, empty]


class _Draw(Treeprocessor):
    def __init__(self, md: Markdown, studio: Studio, taken: list[Taken]) -> None:
        super().__init__(md)
        self.studio, self.taken = studio, taken

    def run(self, root: Element) -> None:
        code = [element for element in root.iter("code") if element.text]
        for each in self.taken:
            if not self._given_back(each, code):
                self.md.htmlStash.rawHtmlBlocks[each.stash_index] = self._figure(each.fence)

    def _given_back(self, taken: Taken, code: Sequence[Element]) -> bool:
        for element in code:
            if element.text and taken.placeholder in element.text:
                place = rf"\n?(.*){re.escape(taken.placeholder)}\n?"
                element.text = AtomicString(re.sub(place, lambda m: _source(taken.fence, m[1]), element.text))
                return True
        return False

    def _figure(self, fence: Fence) -> str:
        first_line = fence.start + 1
        try:
            demo_id, figure_id, options = _read(fence)
        except OptionError as error:
            return problem_box(self.studio.problem(str(error), first_line + 1 + error.line))
        lines = {option.name: first_line + 1 + option.line for option in options}
        try:
            values = {option.name: option.value for option in options if option.name != "id"}
            return self.studio.draw(demo_id, figure_id, values, first_line)
        except DemoError as error:
            said = [self.studio.problem(message, lines.get(name or "", first_line)) for message, name in error.reasons]
            return problem_box(*said)


def _read(fence: Fence) -> tuple[str, str, list[Option]]:
    found = INFO.match(fence.info)
    words = ((found["rest"] if found else "") or "").split()
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


def _source(fence: Fence, indent: str) -> str:
    lines = [fence.mark + fence.info, *fence.body, fence.mark]
    return "".join(code_escape(f"{indent}{line}\n") for line in lines)


def problem_box(*messages: str) -> str:
    """Return the box that shows messages in place; they are text, never markup."""
    shown = "".join(f"<p>{escape(message)}</p>" for message in messages)
    return f'<div class="demo-problem" role="note"><strong>This demo can’t be drawn.</strong>{shown}</div>'
