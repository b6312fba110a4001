"""Questions of the FAQ: each becomes a block that can be linked, copied and opened, and is checked for its parts.

    ### Why must the prompt run through the model at all? { #why-prefill }

    One sentence that answers.

    Whatever more there is to say, with a link to [its lesson](lessons/prefill-and-decode.md): it is folded
    until it is asked for or a link leads to it.

    Also asked as: why can't it start writing at once
    { .also-asked }

The last line is for the search, which finds a question by the words that people use. What an answer lacks is a
warning with its line, so `make site` fails until it is complete. No list of the questions is kept anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
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
LESSONS = "lessons/"


def unlinked(text: str) -> Iterator[tuple[str, int]]:
    """Yield a message and a line (from 1) for every question whose id is not written down."""
    for at, line in enumerate(text.split("\n"), start=1):
        heading = QUESTION.match(line)
        if heading and "#" not in (heading["attributes"] or ""):
            yield f"this question needs its own id, as in `### {heading['text']} {{ #why-it-waits }}`", at


class Questions(Extension):
    """Folds the answers of the FAQ; `here` gives the path of the page being written."""

    def __init__(self, reporter: Reporter, here: Callable[[], str]) -> None:
        super().__init__()
        self.reporter, self.here = reporter, here

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        """Register what reads these in the text of a page."""
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
        answer = [part for part in parts if part not in also]
        line = self.page.line_of(f"### {(heading.text or '').strip()}")
        for message in lacking(heading, answer, also):
            self.extension.reporter.problem(message, line)
        for short in answer[:1]:
            short.set("class", "qa-short")
            block.insert(1, short)
        block.append(_tools(heading))
        if answer[1:]:
            # Every page loads the search index. Question, short answer and other words are enough to find an answer.
            more = SubElement(block, "details", {"class": "qa-more", "data-search-exclude": ""})
            SubElement(more, "summary").text = MORE
            more.extend(answer[1:])
        block.extend(also)


def lacking(heading: Element, answer: Sequence[Element], also: Sequence[Element]) -> Iterator[str]:
    """Yield a message for each part that a question lacks: mark, short answer, other words, link to a lesson."""
    if "?" not in _text(heading):
        yield "a question needs a question mark"
    if not answer or answer[0].tag != "p" or len(also) != 1:
        yield "a question needs a sentence that answers and a line `Also asked as: …` marked { .also-asked }"
    elif not _text(answer[0]).endswith("."):
        yield "the short answer, the first paragraph below the question, is a sentence: it needs a period at its end"
    links = [link.get("href", "") for part in answer for link in part.iter("a")]
    if not any(href.startswith(LESSONS) for href in links):
        yield "an answer needs a link to the lesson that explains it, as in `[…](lessons/prefill-and-decode.md#…)`"


def _text(element: Element) -> str:
    """Return what a reader sees of an element, without the mark that links to a heading."""
    return "".join(text for text in element.itertext() if text != "¶").strip()


def _tools(heading: Element) -> Element:
    tools = Element("div", {"class": "qa-tools", "data-search-exclude": ""})
    label = f"{COPY}: {_text(heading)}"
    button = {"type": "button", "class": "qa-copy", "data-copy": heading.get("id", ""), "aria-label": label}
    SubElement(tools, "button", button).text = COPY
    SubElement(tools, "span", {"class": "qa-status", "role": "status"})
    return tools
