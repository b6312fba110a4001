"""Numbers in prose: `=…` in backticks is computed when the page is built.

`` `=kv_cache_bytes("llama-3.1-8b", 131072)` `` becomes 17.18 GB, with its formula, values and source on
hover and focus. After a bar come wishes for the look: a count of digits, `GiB`, `percent`, `billion`, or
`bare` (no unit). Whole numbers are shown whole unless digits are asked for.
"""

from __future__ import annotations

import html
import re
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from simple_html import render, span

from demos.kit.declare.machines import COMMON
from demos.kit.facts.expression import Asked, NumberError, asked
from demos.kit.html import element
from hooks.facts.claims import claimed
from hooks.facts.vocabulary import FACTS
from hooks.markdown.blocks import Reporter
from hooks.markdown.page_text import PageText
from hooks.markdown.tips import stop, tipped

MARK = r"(?<![\\`])(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)"  # any code, to leave all other code alone
BEFORE_CODE = 195  # inline code has 190


def number_html(given: Asked, expression: str, tip_id: str) -> str:
    """Return a number that tells where it comes from when it is pointed at or focused.

    What is of the reader's machine carries its expression, to be asked again for another one.
    """
    mine = {"data-asks": expression} if given.of_reader else {}
    if not given.story:
        return render(element(span, {"class": "mine"} | mine, given.text))
    return render(tipped(stop(given.text, "computed", tip_id, mine), given.story, tip_id))


def _asked(expression: str) -> Asked:
    """What the common machine gives; every other one on offer by name has to give something too."""
    if (claim := claimed(expression)) is not None:
        return claim
    given = asked(expression, FACTS)
    if given.of_reader:
        for machine in COMMON.values():
            asked(expression, FACTS, machine)
    return given


class Numbers(Extension):
    """Computes the numbers of a page."""

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self.reporter = reporter

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
        md.inlinePatterns.register(_Number(md, self.reporter, PageText.of(md)), "number", BEFORE_CODE)


class _Number(InlineProcessor):
    def __init__(self, md: Markdown, reporter: Reporter, page: PageText) -> None:
        super().__init__(MARK, md)
        self.reporter, self.page = reporter, page
        self.count = 0

    def handleMatch(  # type: ignore[override]  # noqa: N802 (Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str | None, int, int]:
        if m["ticks"] != "`" or not m["text"].startswith("="):
            return None, m.start(0), m.end(0)
        self.count += 1
        try:
            expression = " ".join(m["text"][1:].split())
            shown_html = number_html(_asked(expression), expression, f"number-{self.count}")
        except NumberError as error:
            line = self.page.line_of(m.group())
            whole = self.reporter.problem(f"this number can't be computed: {error}", line)
            shown_html = f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'
        return self.md.htmlStash.store(shown_html), m.start(0), m.end(0)
