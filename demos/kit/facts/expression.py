"""Expressions: `kv_cache_bytes(my_model, 1000) | 3` → the fact it asks for, and how it is shown.

An expression has numbers, + - * / and facts. Where a fact takes a model, a device or a weight format, `my_model`,
`my_device` and `my_weights` stand for the reader's machine, and `mac_model` or `pc_device` for one of the common ones
(`demos.kit.declare.machines`).
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from demos.kit.declare.machines import FIRST, OWN, Machine, names_of, words_of
from demos.kit.errors import nearest
from demos.kit.facts.fact import Answer, Fact, UnitError, combined
from pysim import units
from pysim.errors import PysimError, quoted

Facts = Mapping[str, Callable[..., Fact]]
OF_READER = re.compile(rf"\b{OWN}_")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What an expression gave: the text to show, the lines that tell where it comes from, and the bare value."""

    text: str
    story: tuple[str, ...] = ()
    value: float | None = None
    of_reader: bool = False


def asked(text: str, facts: Facts, own: Machine = FIRST) -> Asked:
    """What `text` asks for, with the reader's machine put in; raises NumberError saying what is wrong."""
    expression, _, wishes = text.partition("|")
    of_reader = bool(OF_READER.search(expression))
    words = words_of(own)
    if expression.strip() in words:
        return Asked(text=words[expression.strip()], of_reader=of_reader)
    fact = valued(expression, facts, own)
    shown_text = shown(fact, _look(wishes)).replace("-", "\N{MINUS SIGN}")
    return Asked(text=shown_text, story=told(fact, shown_text), value=fact.value, of_reader=of_reader)


def valued(expression: str, facts: Facts, own: Machine = FIRST) -> Fact:
    """The fact that an expression computes; raises NumberError saying what is wrong."""
    if len(expression) > MOST_CHARACTERS:
        raise NumberError(f"the expression has {len(expression)} characters; allowed are {MOST_CHARACTERS}")
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NumberError(f"{quoted(expression.strip())} is not an expression") from error
    answer = _value(tree.body, _Known(facts=facts, names=names_of(own)))
    if not isinstance(answer, Fact) or not answer.source:
        raise NumberError(f"{quoted(expression.strip())} computes nothing: write the number itself, or ask for a fact")
    if not math.isfinite(answer.value):
        raise NumberError(f"{quoted(expression.strip())} is not finite")
    return answer


def told(fact: Fact, text: str) -> tuple[str, ...]:
    """Where a number comes from, line by line."""
    step = f"= {fact.inserted} = {text}" if fact.inserted else f"= {text}"
    story = (fact.formula, step, fact.about, f"Source: {fact.source}")
    return tuple(line for line in story if line and line != "Source: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    facts: Facts
    names: Mapping[str, str]


def _value(node: ast.expr, known: _Known) -> Answer:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in OPERATORS:
            try:
                return combined(OPERATORS[type(operator)], _value(left, known), _value(right, known))
            except ZeroDivisionError:
                raise NumberError(f"{quoted(ast.unparse(node))} divides by zero") from None
            except UnitError as error:
                raise NumberError(str(error)) from None
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            return _call(name, arguments, keywords, known)
    there = ", ".join(known.facts)
    raise NumberError(f"{quoted(ast.unparse(node))} is not allowed; there are numbers, + - * / and {there}")


def _call(name: str, arguments: Sequence[ast.expr], keywords: Sequence[ast.keyword], known: _Known) -> Fact:
    facts = known.facts
    if name not in facts:
        raise NumberError(
            f"there is no fact {quoted(name)}{nearest(name, facts) or '; there are: ' + ', '.join(facts)}"
        )
    try:
        positional = [_argument(argument, known) for argument in arguments]
        named = {keyword.arg: _argument(keyword.value, known) for keyword in keywords if keyword.arg}
        return facts[name](*positional, **named)
    except (PysimError, TypeError, ValueError, AttributeError) as error:
        raise NumberError(f"{name}: {error}") from error


def _argument(node: ast.expr, known: _Known) -> object:
    if not isinstance(node, ast.Name):
        return ast.literal_eval(node)
    if node.id not in known.names:
        advice = nearest(node.id, known.names) or f"; there are {', '.join(known.names)}"
        raise ValueError(f"{quoted(node.id)} is not defined{advice}")
    return known.names[node.id]


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
                f"{quoted(wish)} is not a number format; there are: 1 to 9 (digits), GiB, bare, {', '.join(SCALES)}"
            )
    return look


def shown(fact: Fact, look: Look) -> str:
    """Return the text of a number; a unit never parts from it at the end of a line."""
    value = fact.value if look.digits is None else _rounded(fact.value, look.digits)
    if look.scale:
        if fact.unit:
            raise NumberError(f"{look.scale} is a format for numbers without a unit, not for {fact.unit}")
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
