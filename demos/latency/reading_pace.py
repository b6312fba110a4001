"""An axis of time per token: the stream of each device, and the pace of the reader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from simple_html import SafeString, div, i, span

from demos.kit.html import element
from demos.kit.number import percent
from demos.kit.tokenize.examples import STOCK_ANSWER
from demos.kit.tokenize.tokenizer import pieces
from demos.latency.runs import Run
from pysim import units

LOW_S, HIGH_S = 0.001, 2.0
SECONDS_PER_MINUTE = 60
PARAGRAPH = (
    "A lighthouse keeper once wrote down everything that passed his window in a night. Most of it was water. "
    "Two ships went by, one of them without lights, and a heron that slept on the railing until four. "
    "In the morning he read his notes and found that he had forgotten the heron, and that it was the only thing "
    "in them that nobody else could have known."
)


@cache
def tokens_per_word() -> float:
    """Return how many tokens a word of our prose takes."""
    return len(pieces(STOCK_ANSWER)) / len(STOCK_ANSWER.split())


def reading_s(words_per_minute: float) -> float:
    """Return the time in which a reader takes in one token."""
    return SECONDS_PER_MINUTE / words_per_minute / tokens_per_word()


def pace_axis(runs: Sequence[Run], words_per_minute: float) -> SafeString:
    """Return the axis of time per token, fast on the left, with the runs above it and the reader below."""
    marks = [_mark("decode", run.tpot_s, run.title) for run in runs if run.tpot_s is not None]
    reader = _mark("reader", reading_s(words_per_minute), "you read")
    return element(
        div,
        {"class": "pace"},
        div({"class": "cap"}, "Time per token: the stream, and you reading it"),
        div({"class": "pace-axis"}, *marks, reader),
    )


def _mark(kind: str, time_s: float, label: str) -> SafeString:
    place = math.log(min(max(time_s, LOW_S), HIGH_S) / LOW_S) / math.log(HIGH_S / LOW_S)
    text = f"{label}: {units.show(time_s, 's', digits=2)}"
    # Moved left by its own share, a label never leaves the axis.
    at, moved = {"style": f"left:{percent(place)}"}, {"style": f"transform:translateX(-{percent(place)})"}
    return element(span, {"class": f"pace-mark {kind}", **at}, i({"class": "dot"}), element(span, moved, text))
