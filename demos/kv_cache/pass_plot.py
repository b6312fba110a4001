"""A plot of the time of a pass by the length of the text: over all of it, and over its last token alone."""

from __future__ import annotations

from functools import lru_cache

from simple_html import SafeString

import pysim
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, linear_ticks, log_ticks, plot
from demos.kit.number import plural
from demos.kv_cache.runs import pass_times
from pysim import units

FEW, MANY = 6, 20
NAME_HEIGHT = 0.5


@lru_cache(maxsize=16)
def curves(on: pysim.Deployment, most_tokens: int, ridge_tokens: float | None) -> tuple[Curve, Curve]:
    """Times of passes over whole texts, and over the last token of texts whose rows are kept; at typical speed.

    Up to the ridge both run straight, and few points draw them.
    """
    ridge = min(most_tokens, max(1, round(ridge_tokens or most_tokens)))
    flat, whole = between(1, ridge, FEW), between(1, most_tokens, 2 * FEW)
    lengths = [*flat, *between(ridge, most_tokens, MANY)[1:]]
    off_s = pass_times(on, lengths, [0] * len(lengths))
    on_s = pass_times(on, [1] * len(whole), [tokens - 1 for tokens in whole])
    return (
        Curve(points=list(zip(lengths, off_s, strict=True)), kind="math"),
        Curve(points=list(zip(whole, on_s, strict=True)), kind="cache"),
    )


def between(low: int, high: int, points: int) -> list[int]:
    """Whole numbers from `low` to `high`, evenly apart on a logarithmic axis, at most `points`."""
    return sorted({round(low * (high / low) ** (k / (points - 1))) for k in range(points)})


def pass_plot(
    on: pysim.Deployment,
    *,
    most_tokens: int,
    text_tokens: int,
    off_s: float,
    on_s: float,
    ridge_tokens: float | None,
) -> SafeString:
    """Return the plot with the two passes that stand at `text_tokens`, and the ridge."""
    off, kept = curves(on, most_tokens, ridge_tokens)
    high_s = off.points[-1][1]
    named = next(point for point in off.points if point[1] >= NAME_HEIGHT * high_s)
    marks = [
        Mark(x=named[0], y=named[1], kind="", label="off", dot=False),
        Mark(x=most_tokens, y=kept.points[-1][1], kind="", label="on", dot=False),
        Mark(x=text_tokens, y=off_s, kind="math", label=""),
        Mark(x=text_tokens, y=on_s, kind="cache", label=""),
    ]
    rules = [Rule(x=ridge_tokens, label=f"ridge: {plural(round(ridge_tokens), 'token')}")] if ridge_tokens else []
    ticks = [(time_s, units.show(time_s, "s", digits=2) if time_s else "0") for time_s in linear_ticks(high_s, 3)]
    off_text, on_text = (units.show(time_s, "s", digits=3) for time_s in (off_s, on_s))
    summary = f"At {plural(text_tokens, 'token')} of text a pass takes {off_text} without the cache, {on_text} with it."
    return plot(
        Axis(low=1, high=most_tokens, label="tokens of text so far", ticks=log_ticks(1, most_tokens), log=True),
        Axis(low=0, high=high_s, label="time of one pass", ticks=ticks),
        [off, kept],
        summary=summary,
        marks=marks,
        rules=rules,
    )
