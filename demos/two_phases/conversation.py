"""Prompt and answer as token cells while the answer is written, those at work marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString, div, p

from demos.kit.draw.tokens import cell, gap, ghost, window
from demos.kit.html import element

PROMPT_HEAD, PROMPT_TAIL, LAST_ANSWER, GHOSTS = 70, 20, 40, 8
STOCK_NOTE = "This demo simulates time and passes; it does not think. The answer shown is a stock text."


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """The texts at a moment: `written` answer tokens stand; `reading` and `feeding` go into the pass at work."""

    prompt: Sequence[str]
    answer: Sequence[str]
    written: int
    reading: range = range(0)
    feeding: int = -1
    stock: bool = False


def conversation(at: Conversation) -> SafeString:
    """Return the cells of prompt and answer; of long texts the parts that can be seen, and what is hidden."""
    first, hidden, last = window(len(at.prompt), PROMPT_HEAD, PROMPT_TAIL)
    cells = [cell(at.prompt[k], "p", now=k in at.reading) for k in first]
    if hidden:
        cells += [gap(hidden), *[cell(at.prompt[k], "p", now=k in at.reading) for k in last]]
    earlier = max(0, at.written - LAST_ANSWER)
    cells += [gap(earlier, "earlier")] if earlier else []
    cells += [cell(at.answer[k], "d", now=k == at.feeding) for k in range(earlier, at.written)]
    cells += [ghost() for _ in range(min(GHOSTS, len(at.answer) - at.written))]
    note = [p({"class": "cap"}, STOCK_NOTE)] if at.stock and at.answer else []
    return element(div, {"class": "conversation"}, div({"class": "tokens"}, *cells), *note)
