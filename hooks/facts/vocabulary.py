"""The vocabulary of `=…` in Markdown: the name of each fact that a page may ask for, and what computes it.

Every fact carries its formula in names, the values put in, and where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable

from demos.kit.facts.fact import Fact
from demos.kit.facts.vocabulary import FACTS as COMPUTED
from hooks.facts.measured import measured
from hooks.facts.readout import readout
from pysim import units


def tokens(number: float) -> Fact:
    """A number of tokens."""
    return Fact(value=float(number), unit="tokens", formula=units.show(float(number), "tokens"))


def size(text: str) -> Fact:
    """A size as it is printed somewhere, such as "18.78 GiB"."""
    return Fact(value=units.parse(text, "B"), unit="B", formula=text)


FACTS: dict[str, Callable[..., Fact]] = {
    "tokens": tokens,
    "size": size,
    **COMPUTED,
    "measured": measured,
    "readout": readout,
}
