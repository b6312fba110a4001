"""Fenced blocks of the site's own, such as ```demo: kept from all other Markdown extensions, and filled.

The fence is taken out before any other extension sees it and leaves a mark, which comes through
everything, so it works inside tabs, admonitions, quotes and lists. Filling waits until the page's
structure is known: a block that turns out to be part of an indented code block gets its text back.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString, code_escape

from hooks.markdown.fences import Fence, fences

BEFORE_SUPERFENCES = 28  # the first built-in step, which only tidies white space, has 30; superfences has 25
BEFORE_HIGHLIGHTING = 35  # the highlighter takes indented code out of reach at 30


class Reporter(Protocol):
    """Who hears of problems; lines count from 1 in the text given to Markdown."""

    def problem(self, message: str, line: int) -> str:
        """Report a problem and return the whole message, with file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """A fence taken out of the text, and the mark that takes its place."""

    fence: Fence
    stash_index: int
    mark: str

    @property
    def line(self) -> int:
        """The line of the opening fence, from 1."""
        return self.fence.start + 1


class FencedBlocks(Extension, ABC):
    """The blocks whose first line names `word`; one instance serves one build."""

    word = ""
    failure = ""

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self.reporter = reporter

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        taken: list[Taken] = []
        md.preprocessors.register(_TakeOut(md, self, taken), f"{self.word}-take-out", BEFORE_SUPERFENCES)
        md.treeprocessors.register(_Fill(md, self, taken), f"{self.word}-fill", BEFORE_HIGHLIGHTING)

    @abstractmethod
    def fill(self, md: Markdown, root: Element, taken: Taken) -> None:
        """Put something in the place of the mark."""

    def problem_box(self, *messages: str) -> str:
        """Return the box that shows messages in place; they are text, never markup."""
        shown = "".join(f"<p>{escape(message)}</p>" for message in messages)
        return f'<div class="demo-problem" role="note"><strong>{self.failure}</strong>{shown}</div>'


class _TakeOut(Preprocessor):
    def __init__(self, md: Markdown, blocks: FencedBlocks, taken: list[Taken]) -> None:
        super().__init__(md)
        self.blocks, self.taken = blocks, taken
        self.info = re.compile(rf"{blocks.word}(?:\s|$)")
        self.in_list_item = re.compile(rf"^(?P<bullet>[> ]*(?:[-*+]|\d+[.)]) +)(?:`{{3,}}|~{{3,}})\s*{blocks.word}\b")

    def run(self, lines: list[str]) -> list[str]:
        self.taken.clear()
        result: list[str] = []
        done = 0
        for fence in fences(lines):
            result += self._text(lines, done, fence.start)
            done = fence.start if fence.end is None else fence.end + 1
            if self.info.match(fence.info) is None:
                result += lines[fence.start : done]
            elif fence.end is None:
                message = (
                    f"this {self.blocks.word} block is never closed: its last line is as many backticks as its first"
                )
                result += [self._shown(message, fence.start), ""]
                done = fence.start + 1
            else:
                result += self._place(fence)
        return result + self._text(lines, done, len(lines))

    def _text(self, lines: Sequence[str], start: int, end: int) -> list[str]:
        """Return lines as they are, but for blocks begun next to a bullet, where no fence can be."""
        message = f"a {self.blocks.word} block starts on its own line, in a list indented by four spaces"
        text = list(lines[start:end])
        for at, line in enumerate(text):
            if bullet := self.in_list_item.match(line):
                text[at] = bullet["bullet"] + self._shown(message, start + at)
        return text

    def _shown(self, message: str, line: int) -> str:
        return self.md.htmlStash.store(self.blocks.problem_box(self.blocks.reporter.problem(message, line + 1)))

    def _place(self, fence: Fence) -> list[str]:
        index = len(self.md.htmlStash.rawHtmlBlocks)
        mark = self.md.htmlStash.store("<figure></figure>")
        self.taken.append(Taken(fence=fence, stash_index=index, mark=mark))
        empty = fence.prefix.rstrip()
        return [empty, fence.prefix + mark, empty]


class _Fill(Treeprocessor):
    def __init__(self, md: Markdown, blocks: FencedBlocks, taken: list[Taken]) -> None:
        super().__init__(md)
        self.blocks, self.taken = blocks, taken

    def run(self, root: Element) -> None:
        code = [element for element in root.iter("code") if element.text]
        for fence in self.taken:
            if not _given_back(fence, code):
                self.blocks.fill(self.md, root, fence)


def _given_back(taken: Taken, code: Sequence[Element]) -> bool:
    for element in code:
        if element.text and taken.mark in element.text:
            place = rf"\n?(.*){re.escape(taken.mark)}\n?"
            element.text = AtomicString(re.sub(place, lambda m: _source(taken.fence, m[1]), element.text))
            return True
    return False


def _source(fence: Fence, indent: str) -> str:
    lines = [fence.mark + fence.info, *fence.body, fence.mark]
    return "".join(code_escape(f"{indent}{line}\n") for line in lines)
