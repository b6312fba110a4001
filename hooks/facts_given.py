"""Which numbers may a page put in itself? An amount with its unit, to reckon with; alone it computes nothing."""

from __future__ import annotations

from collections.abc import Callable

from hooks.fact import Fact
from pysim import units


def tokens(number: float) -> Fact:
    """A number of tokens."""
    return Fact(value=float(number), unit="tokens", formula=units.show(float(number), "tokens"))


def size(text: str) -> Fact:
    """A size as it is printed somewhere, such as "18.78 GiB"."""
    return Fact(value=units.parse(text, "B"), unit="B", formula=text)


FACTS: dict[str, Callable[..., Fact]] = {each.__name__: each for each in (tokens, size)}
