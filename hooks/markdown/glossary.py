"""The glossary's terms, read from its page: a heading with an id, then what the term means.

    ### Time to first token (TTFT) { #ttft .term-prefill data-also="first-token latency" }

    The first paragraph, in one or two sentences, is what a lesson shows next to the term.

Whatever follows (a formula, a link) is in the glossary only.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from markdown import Markdown

ADDRESS = "glossary.html"
PAGE = "glossary.md"
HEADING = re.compile(r"^###\s+(?P<name>.+?)\s*\{(?P<attributes>[^}]*)\}\s*$")
ANY_HEADING = re.compile(r"^#{1,6}\s")
IN_BRACKETS = re.compile(r"^(?P<name>.+?)\s*\((?P<short>[^)]+)\)$")
LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")
MOST_CHARACTERS = 400


class GlossaryError(Exception):
    """What is wrong with an entry of the glossary; `line` counts from 1 in the page's text."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A term, the class of its color (or ""), what it means in plain text, and what else it is called."""

    term_id: str
    name: str
    colour: str
    meaning: str
    also: tuple[str, ...] = ()

    @property
    def called(self) -> Iterator[str]:
        """Every text that stands for the term."""
        yield self.term_id
        yield self.name
        yield from self.also
        if both := IN_BRACKETS.match(self.name):
            yield both["name"]
            yield both["short"]


class Glossary(Mapping[str, Term]):
    """The terms under all that they are called, in lower case; `problems` are errors found while reading."""

    def __init__(self, text: str = "") -> None:
        self.terms: list[Term] = []
        self.problems: list[GlossaryError] = []
        self._called: dict[str, Term] = {}
        lines = text.split("\n")
        for at, line in enumerate(lines):
            if heading := HEADING.match(line):
                try:
                    self._add(_term(heading, lines[at + 1 :], at + 1), at + 1)
                except GlossaryError as error:
                    self.problems.append(error)

    def _add(self, term: Term, line: int) -> None:
        for name in dict.fromkeys(called(name) for name in term.called):
            other = self._called.setdefault(name, term)
            if other is not term:
                raise GlossaryError(f'"{name}" already stands for "{other.name}"', line)
        self.terms.append(term)

    def __getitem__(self, name: str) -> Term:
        return self._called[called(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self._called)

    def __len__(self) -> int:
        return len(self._called)


def called(name: str) -> str:
    """Return a name as it is looked up: lower case, one space between words, hyphens as spaces."""
    return " ".join(name.lower().replace("-", " ").split())


def _term(heading: re.Match[str], following: Sequence[str], line: int) -> Term:
    attributes = heading["attributes"]
    term_id = re.search(r"#([A-Za-z][\w-]*)", attributes)
    if term_id is None:
        raise GlossaryError(f'"{heading["name"]}" needs an id, as in `### {heading["name"]} {{ #my-id }}`', line)
    colour = re.search(r"\.(term-[a-z]+)", attributes)
    also = re.search(r'data-also="([^"]*)"', attributes)
    return Term(
        term_id=term_id[1],
        name=heading["name"],
        colour=colour[1] if colour else "",
        meaning=_meaning(heading["name"], following, line),
        also=tuple(name.strip() for name in also[1].split(",")) if also else (),
    )


def _meaning(name: str, following: Sequence[str], line: int) -> str:
    paragraph: list[str] = []
    for text_line in following:
        if ANY_HEADING.match(text_line) or (not text_line.strip() and paragraph):
            break
        if text_line.strip():
            paragraph.append(text_line.strip())
    text = " ".join(paragraph)
    if not text or text.startswith(("$", "|", "-", "`")):
        raise GlossaryError(f'"{name}" needs a paragraph that says what it means', line)
    if "$" in text or "`=" in text:
        raise GlossaryError(f'formulas and computed numbers of "{name}" belong below its first paragraph', line)
    plain = re.sub(r"<[^>]+>", "", Markdown().convert(LINK.sub(r"\1", text)))
    if len(plain) > MOST_CHARACTERS:
        raise GlossaryError(f'the first paragraph of "{name}" has {len(plain)} characters of {MOST_CHARACTERS}', line)
    return html.unescape(plain)
