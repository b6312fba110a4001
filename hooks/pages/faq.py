"""FAQ data for search engines: the page's questions and answers in the schema.org format."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

SILENT = ("small", "summary", "script", "style")  # explanations that show on demand, and what is no text
VOID = ("br", "img", "input", "hr", "wbr")
BLOCKS = ("p", "li", "tr", "table", "details", "ul", "ol", "div")
CELLS = ("td", "th")


@dataclass(slots=True, kw_only=True)
class Answered:
    """A question, its id, and the text of its answer."""

    question_id: str
    question: str = ""
    answer: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The answer, one paragraph a line."""
        lines = (" ".join(line.split()).strip(" ·") for line in "".join(self.answer).split("\n"))
        return "\n".join(line for line in lines if line)


class _Reader(HTMLParser):
    """Follows the tags: a block of class `qa` is a question, its heading the name, the rest the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.questions: list[Answered] = []
        self.open: list[tuple[str, str]] = []

    @property
    def _question(self) -> bool:
        return any(kind == "qa" for _, kind in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag in VOID:
            return
        if tag == "h3" and self._question:
            self.questions.append(Answered(question_id=given.get("id", "")))
        self.open.append((tag, given.get("class", "")))
        if tag in BLOCKS:
            self._say("\n")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag in BLOCKS:
            self._say("\n")
        elif tag in CELLS:
            self._say(" · ")

    def handle_data(self, data: str) -> None:
        tags = [tag for tag, _ in self.open]
        kinds = {kind for _, kind in self.open}
        if any(tag in SILENT for tag in tags) or kinds & {"headerlink", "qa-tools", "also-asked"}:
            return
        if self.questions and "h3" in tags and self._question:
            self.questions[-1].question += data
        else:
            self._say(data.replace("\n", " "))

    def _say(self, text: str) -> None:
        if self.questions and self._question:
            self.questions[-1].answer.append(text)


def answered(html: str) -> list[Answered]:
    """Return the questions and answers of a finished page, as a reader sees them."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.questions


def structured_data(html: str, address: str) -> str:
    """Return a page's FAQPage as JSON that fits in a script element; `address` is "" where it is not known."""
    entries: list[dict[str, Any]] = []
    for entry in answered(html):
        link = {"url": f"{address}#{entry.question_id}"} if address else {}
        answer = {"@type": "Answer", "text": entry.text, **link}
        entries.append({"@type": "Question", "name": entry.question.strip(), "acceptedAnswer": answer})
    page = {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": entries}
    return json.dumps(page, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
