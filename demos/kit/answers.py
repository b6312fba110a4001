"""Which tokens does an answer show? Those of its written text, then of the stock text, as many as asked for."""

from __future__ import annotations

from functools import cache

from demos.kit.examples import STOCK_ANSWER
from demos.kit.tokenizer import pieces


def answer_pieces(text: str, wanted: int) -> list[str]:
    """Return `wanted` tokens of an answer; where it ends too soon the stock text goes on, again and again."""
    found = list(_pieces(text)[:wanted]) if text else []
    while len(found) < wanted:
        found += _pieces(STOCK_ANSWER)[: wanted - len(found)]
    return found


@cache
def _pieces(text: str) -> tuple[str, ...]:
    return tuple(pieces(text))
