"""Facts: a computed number with its unit, formula and source, and the arithmetic of two of them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pysim import units

URL = re.compile(r"https?://(?P<host>[^/\s]+)(?P<path>/\S*)?")
SHOWN_FOLDERS = 2


class UnitError(Exception):
    """Two numbers whose units do not go together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A number with its unit, the formula in names, the values put in, what they are of, and their source."""

    value: float
    unit: str
    formula: str
    inserted: str = ""
    about: str = ""
    source: str = ""


Answer = Fact | float

# What units give, besides a unit and a bare number, which keep the unit.
QUOTIENTS = {
    ("B", "B/s"): "s",
    ("FLOP", "FLOP/s"): "s",
    ("tokens", "tokens/s"): "s",
    ("B", "s"): "B/s",
    ("FLOP", "s"): "FLOP/s",
    ("tokens", "s"): "tokens/s",
    ("FLOP", "B"): "FLOP/B",
    ("FLOP/s", "B/s"): "FLOP/B",
}
PRODUCTS = {(rate, time): amount for (amount, rate), time in QUOTIENTS.items() if rate.endswith("/s")} | {
    ("s", rate): amount for (amount, rate), time in QUOTIENTS.items() if time == "s"
}


def combined(symbol: str, left: Answer, right: Answer) -> Fact:
    """Return the fact that an operator (+ − × ÷) makes of two; raises UnitError where their units don't fit."""
    a, b = (side if isinstance(side, Fact) else _bare(side) for side in (left, right))
    unit = _unit(symbol, a.unit, b.unit)
    value = {
        "+": lambda: a.value + b.value,
        "−": lambda: a.value - b.value,
        "×": lambda: a.value * b.value,
        "÷": lambda: a.value / b.value,
    }[symbol]()
    return Fact(
        value=value,
        unit=unit,
        formula=f"{_part(a.formula)} {symbol} {_part(b.formula)}",
        inserted=f"{plain(a)} {symbol} {plain(b)}",
        about="; ".join(dict.fromkeys(side.about for side in (a, b) if side.about)),
        source="; ".join(dict.fromkeys(part for side in (a, b) for part in side.source.split("; ") if part)),
    )


def plain(fact: Fact) -> str:
    """Return a fact's value as text, with its unit."""
    return (
        units.show(fact.value, fact.unit)
        if fact.unit
        else f"{fact.value:,.4g}"
        if fact.value % 1
        else f"{fact.value:,.0f}"
    )


def _unit(symbol: str, a: str, b: str) -> str:
    if symbol in "+−":
        unit = a if a == b else None
    elif symbol == "×":
        unit = a or b if not (a and b) else PRODUCTS.get((a, b))
    else:
        unit = "" if a == b else a if not b else QUOTIENTS.get((a, b))
    if unit is None:
        raise UnitError(f"{a or 'a bare number'} {symbol} {b or 'a bare number'} has no unit here")
    return unit


def _part(text: str) -> str:
    """Return a text as one part of a longer one."""
    return f"({text})" if re.search(r" [+−×÷] |, ", text) else text


def _bare(number: float) -> Fact:
    return Fact(value=float(number), unit="", formula=f"{number:g}")


def short_source(text: str) -> str:
    """Return a source in few words: of an address its host, the first folders and the last name."""

    def shortened(url: re.Match[str]) -> str:
        parts = [part for part in (url["path"] or "").split("/") if part]
        first = "/".join([url["host"].removeprefix("www."), *parts[:SHOWN_FOLDERS]])
        return first if len(parts) <= SHOWN_FOLDERS else f"{first} … {parts[-1]}"

    return URL.sub(shortened, text)
