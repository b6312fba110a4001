"""How does a number in prose come from the simulator? `=…` in backticks is computed when the page is built.

`` `=kv_cache_bytes("llama-3.1-8b", 131072)` `` becomes 17.18 GB, with its formula, values and source on
hover and focus. After a bar come wishes for the look: a count of digits, `GiB`, or `bare` (no unit).
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.preprocessors import Preprocessor
from simple_html import render, span

from demos.kit.errors import nearest, quoted
from hooks.facts import FACTS, Answer, Fact, combined
from pysim import units
from pysim.errors import PysimError

MARK = r"(?<![\\`])`=(?P<text>[^`\n]+)`(?!`)"
BEFORE_CODE = 195  # inline code has 190
BEFORE_SUPERFENCES = 29
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "×", ast.Div: "÷"}
DEFAULT_DIGITS = 4
MOST_CHARACTERS = 300


class NumberError(Exception):
    """Why a number can't be computed as written."""


class Reporter(Protocol):
    """Who hears of a broken number; lines count from 1 in the text given to Markdown."""

    def problem(self, message: str, line: int) -> str:
        """Report a problem and return the whole message, with file and line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a number is shown."""

    digits: int = DEFAULT_DIGITS
    binary: bool = False
    bare: bool = False


def computed(text: str) -> tuple[Fact, str]:
    """Return the fact that `text` asks for and how it is shown; raises NumberError saying what is wrong."""
    expression, _, wishes = text.partition("|")
    if len(expression) > MOST_CHARACTERS:
        raise NumberError(f"the expression has {len(expression)} characters; allowed are {MOST_CHARACTERS}")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NumberError(f"{quoted(expression.strip())} is not an expression") from error
    answer = _value(tree.body)
    if not isinstance(answer, Fact):
        raise NumberError(f"{quoted(expression.strip())} computes nothing: write the number itself, or ask for a fact")
    return answer, shown(answer, _look(wishes))


def _value(node: ast.expr) -> Answer:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            try:
                return combined(OPERATORS[type(operator)], _value(left), _value(right))
            except ZeroDivisionError:
                raise NumberError("a division by zero") from None
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            return _call(name, arguments, keywords)
    raise NumberError(f"{quoted(ast.unparse(node))} is not allowed; there are numbers, + - * / and {', '.join(FACTS)}")


def _call(name: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Fact:
    if name not in FACTS:
        raise NumberError(
            f"there is no fact {quoted(name)}{nearest(name, FACTS) or '; there are: ' + ', '.join(FACTS)}"
        )
    try:
        positional = [ast.literal_eval(each) for each in arguments]
        named = {each.arg: ast.literal_eval(each.value) for each in keywords if each.arg}
        return FACTS[name](*positional, **named)
    except (PysimError, TypeError, ValueError, AttributeError) as error:
        raise NumberError(f"{name}: {error}") from error


def _look(wishes: str) -> Look:
    digits, binary, bare = DEFAULT_DIGITS, False, False
    for wish in wishes.split():
        if wish.isdecimal() and 1 <= int(wish) <= 9:
            digits = int(wish)
        elif wish == "GiB":
            binary = True
        elif wish == "bare":
            bare = True
        else:
            raise NumberError(f"{quoted(wish)} is no look of a number; there are: 1 to 9 (digits), GiB, bare")
    return Look(digits=digits, binary=binary, bare=bare)


def shown(fact: Fact, look: Look) -> str:
    """Return the text of a number; a unit never parts from it at the end of a line."""
    if not fact.unit:
        return f"{fact.value:,.{max(0, look.digits - len(str(int(abs(fact.value)))))}f}" if fact.value else "0"
    text = units.show(fact.value, fact.unit, digits=look.digits, binary=look.binary)
    number, _, unit = text.partition(" ")
    return number if look.bare else f"{number}\N{NO-BREAK SPACE}{unit}"


def number_html(fact: Fact, text: str, tip_id: str) -> str:
    """Return a number that tells where it comes from when it is pointed at or focused."""
    tip = span(
        {"class": "computed-how", "role": "tooltip", "id": tip_id, "data-search-exclude": ""},
        span({"class": "computed-line"}, f"{fact.formula}"),
        span({"class": "computed-line"}, f"= {fact.inserted}"),
        span({"class": "computed-line"}, f"Source: {fact.source}"),
    )
    value = span({"class": "computed-value", "tabindex": "0", "aria-describedby": tip_id}, text)
    return render(span({"class": "computed"}, value, tip))


class Numbers(Extension):
    """Computes the numbers of a page."""

    def __init__(self, reporter: Reporter) -> None:
        super().__init__()
        self.reporter = reporter

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (Markdown's name)
        text: list[str] = []
        md.preprocessors.register(_KeepText(md, text), "number-text", BEFORE_SUPERFENCES)
        md.inlinePatterns.register(_Number(MARK, md, self.reporter, text), "number", BEFORE_CODE)


class _KeepText(Preprocessor):
    def __init__(self, md: Markdown, text: list[str]) -> None:
        super().__init__(md)
        self.text = text

    def run(self, lines: list[str]) -> list[str]:
        self.text[:] = lines
        return lines


class _Number(InlineProcessor):
    def __init__(self, pattern: str, md: Markdown, reporter: Reporter, text: list[str]) -> None:
        super().__init__(pattern, md)
        self.reporter, self.text = reporter, text
        self.count = 0

    def handleMatch(  # type: ignore[override]  # noqa: N802 (Markdown's name)
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str, int, int]:
        self.count += 1
        try:
            fact, text = computed(m["text"])
            shown_html = number_html(fact, text, f"number-{self.count}")
        except NumberError as error:
            whole = self.reporter.problem(f"this number can't be computed: {error}", self._line(m["text"]))
            shown_html = f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'
        return self.md.htmlStash.store(shown_html), m.start(0), m.end(0)

    def _line(self, text: str) -> int:
        return next((at for at, line in enumerate(self.text, start=1) if f"`={text}`" in line), 1)
