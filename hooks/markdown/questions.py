"""How does a question become an answer that can be linked, copied and opened? The FAQ's structure, from its Markdown.

    ### Why must the prompt run through the model at all? { #why-prefill }

    One sentence that answers.

    Whatever more there is to say: it stands folded until it is asked for or a link leads to it.

    Also asked as: why can't it start writing at once
    { .also-asked }

The last line is for the search, which finds a question by the words that people use.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from hooks.markdown.blocks import Reporter
from hooks.markdown.page_text import PageText

PAGE = "faq.md"
AFTER_IDS = 3  # the table of contents gives ids at 5
QUESTION = re.compile(r"^###\s+(?P<text>.+?)\s*(?:\{(?P<attributes>[^}]*)\})?\s*$")
MORE = "More, with numbers"
COPY = "Copy link"


def unlinked(text: str) -> Iterator[tuple[str, int]]:
    """Yield a message and a line (from 1) for every question whose id is not written down."""
    for at, line in enumerate(text.split("\n"), start=1):
        found = QUESTION.match(line)
        if found and "#" not in (found["attributes"] or ""):
            yield f"this question needs an id of its own, as in `### {found['text']} {{ #why-it-waits }}`", at


class Questions(Extension):
    """Folds the answers of the FAQ; `here` gives the path of the page being written."""

    def __init__(self, reporter: Reporter, here: Callable[[], str]) -> None:
        super().__init__()
        self.reporter, self.here = reporter, here

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        md.treeprocessors.register(_Fold(md, self, PageText.of(md)), "questions", AFTER_IDS)


class _Fold(Treeprocessor):
    def __init__(self, md: Markdown, extension: Questions, page: PageText) -> None:
        super().__init__(md)
        self.extension, self.page = extension, page

    def run(self, root: Element) -> None:
        if self.extension.here() != PAGE:
            return
        for message, line in unlinked(self.page.text):
            self.extension.reporter.problem(message, line)
        children, answer = list(root), list[Element]()
        for child in children:
            root.remove(child)
        for child in children:
            if child.tag in ("h1", "h2", "h3"):
                self._finish(answer)
                answer = []
            if child.tag == "h3":
                block = SubElement(root, "div", {"class": "qa"})
                block.append(child)
                answer = [block]
            elif answer:
                answer.append(child)
            else:
                root.append(child)
        self._finish(answer)

    def _finish(self, answer: list[Element]) -> None:
        """Put what follows a question into its block: the short answer, the tools, the rest folded."""
        if not answer:
            return
        block, *parts = answer
        heading = block[0]
        also = [part for part in parts if part.get("class") == "also-asked"]
        said = [part for part in parts if part not in also]
        if not said or said[0].tag != "p" or len(also) != 1:
            name = (heading.text or "").strip()
            message = "a question needs a sentence that answers and a line `Also asked as: …` marked { .also-asked }"
            self.extension.reporter.problem(message, self.page.line_of(f"### {name}"))
        for at, part in enumerate(said[:1]):
            part.set("class", "qa-short")
            block.insert(1 + at, part)
        block.append(_tools(heading))
        if said[1:]:
            more = SubElement(block, "details", {"class": "qa-more"})
            SubElement(more, "summary", {"data-search-exclude": ""}).text = MORE
            more.extend(said[1:])
        block.extend(also)


def _tools(heading: Element) -> Element:
    tools = Element("div", {"class": "qa-tools", "data-search-exclude": ""})
    asked = "".join(text for text in heading.itertext() if text != "¶").strip()
    given = {"type": "button", "class": "qa-copy", "data-copy": heading.get("id", ""), "aria-label": f"{COPY}: {asked}"}
    SubElement(tools, "button", given).text = COPY
    SubElement(tools, "span", {"class": "qa-status", "role": "status"})
    return tools
