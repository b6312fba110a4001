"""Numbers in prose: `=…` in backticks is computed when the page is built.

`` `=kv_cache_bytes("llama-3.1-8b", 131072)` `` becomes 17.18 GB, with its formula, values and source on
hover and focus. After a bar come wishes for the look: a count of digits, `GiB`, `percent`, `billion`, or
`bare` (no unit). Whole numbers are shown whole unless digits are asked for.
"""

from __future__ import annotations

import ast
import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from simple_html import render

from demos.kit.errors import nearest
from hooks.facts.fact import Answer, Fact, UnitError, combined
from hooks.facts.vocabulary import FACTS
from hooks.markdown.blocks import Reporter
from hooks.markdown.page_text import PageText
from hooks.markdown.tips import stop, tipped
from pysim import units
from pysim.errors import PysimError, quoted

MARK = r"(?<![\\`])(?P<ticks>`+)(?!`)(?P<text>.+?)(?<!`)(?P=ticks)(?!`)"  # any code, to leave all other code alone
BEFORE_CODE = 195  # inline code has 190
OPERATORS = {ast.Add: "+", ast.Sub: "−", ast.Mult: "×", ast.Div: "÷"}
USUAL_DIGITS = 4
MOST_CHARACTERS = 300
NOTHING = 1e-12  # what is left of a difference of equal numbers
SCALES = {"percent": (100.0, "%"), "billion": (1e-9, "\N{NO-BREAK SPACE}billion")}


class NumberError(Exception):
    """Why a number can't be computed as written."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a number is shown; `digits` None shows whole numbers whole."""

    digits: int | None = None
    binary: bool = False
    bare: bool = False
    scale: str = ""


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
    if not isinstance(answer, Fact) or not answer.source:
        raise NumberError(f"{quoted(expression.strip())} computes nothing: write the number itself, or ask for a fact")
    if not math.isfinite(answer.value):
        raise NumberError(f"{quoted(expression.strip())} is not finite")
    return answer, shown(answer, _look(wishes)).replace("-", "\N{MINUS SIGN}")


def _value(node: ast.expr) -> Answer:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            try:
                return combined(OPERATORS[type(operator)], _value(left), _value(right))
            except ZeroDivisionError:
                raise NumberError(f"{quoted(ast.unparse(node))} divides by zero") from None
            except UnitError as error:
                raise NumberError(str(error)) from None
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            return _call(name, arguments, keywords)
    raise NumberError(f"{quoted(ast.unparse(node))} is not allowed; there are numbers, + - * / and {', '.join(FACTS)}")


def _call(name: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword]) -> Fact:
    if name not in FACTS:
        raise NumberError(
            f"there is no fact {quoted(name)}{nearest(name, FACTS) or '; there are: ' + ', '.join(FACTS)}"
        )
    try:
        positional = [ast.literal_eval(argument) for argument in arguments]
        named = {keyword.arg: ast.literal_eval(keyword.value) for keyword in keywords if keyword.arg}
        return FACTS[name](*positional, **named)
    except (PysimError, TypeError, ValueError, AttributeError) as error:
        raise NumberError(f"{name}: {error}") from error


def _look(wishes: str) -> Look:
    look = Look()
    for wish in wishes.split():
        if wish.isdecimal() and 1 <= int(wish) <= 9:
            look = replace(look, digits=int(wish))
        elif wish == "GiB":
            look = replace(look, binary=True)
        elif wish == "bare":
            look = replace(look, bare=True)
        elif wish in SCALES:
            look = replace(look, scale=wish)
        else:
            raise NumberError(
                f"{quoted(wish)} is no look of a number; there are: 1 to 9 (digits), GiB, bare, {', '.join(SCALES)}"
            )
    return look


def shown(fact: Fact, look: Look) -> str:
    """Return the text of a number; a unit never parts from it at the end of a line."""
    value = fact.value if look.digits is None else _rounded(fact.value, look.digits)
    if look.scale:
        if fact.unit:
            raise NumberError(f"{look.scale} is a look of numbers without a unit, not of {fact.unit}")
        factor, ending = SCALES[look.scale]
        return _plain(_rounded(factor * value, look.digits or USUAL_DIGITS), look) + ending
    if not fact.unit:
        return _plain(value, look)
    text = units.show(value, fact.unit, digits=look.digits or USUAL_DIGITS, binary=look.binary)
    number, _, unit = text.partition(" ")
    return number if look.bare else f"{number}\N{NO-BREAK SPACE}{unit}"


def _plain(value: float, look: Look) -> str:
    """Return a number without a unit: whole ones whole, others with as many digits as asked for."""
    digits = look.digits or USUAL_DIGITS
    if float(value).is_integer():
        return f"{value:,.0f}"
    whole = math.floor(math.log10(abs(value))) + 1
    return f"{value:,.{max(0, digits - whole)}f}"


def _rounded(value: float, digits: int) -> float:
    if abs(value) < NOTHING:
        return 0.0
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))


def number_html(fact: Fact, text: str, tip_id: str) -> str:
    """Return a number that tells where it comes from when it is pointed at or focused."""
    step = f"= {fact.inserted} = {text}" if fact.inserted else f"= {text}"
    story = [fact.formula, step, fact.about, f"Source: {fact.source}"]
    story = [line for line in story if line and line != "Source: "]
    return render(tipped(stop(text, "computed", tip_id), story, tip_id))


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
            fact, text = computed(" ".join(m["text"][1:].split()))
            shown_html = number_html(fact, text, f"number-{self.count}")
        except NumberError as error:
            line = self.page.line_of(m.group())
            whole = self.reporter.problem(f"this number can't be computed: {error}", line)
            shown_html = f'<span class="demo-problem" role="note">{html.escape(whole)}</span>'
        return self.md.htmlStash.store(shown_html), m.start(0), m.end(0)
