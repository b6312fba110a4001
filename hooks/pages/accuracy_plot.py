"""The accuracy page's plot of predicted against measured speeds, which keeps its text size on a phone.

Positions in the picture are percentages of its size, text and points are in pixels: they keep
their size at any width. The picture is for the eye; a table next to it carries the same links for
the keyboard and for screen readers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from simple_html import Node, Tag, div, figcaption, figure

from pysim.fit.accuracy import Outcome

svg, line, text, circle, rect, title, link = (
    Tag(name) for name in ("svg", "line", "text", "circle", "rect", "title", "a")
)
HEIGHT: Final = "height:min(30rem,100vw)"
LEFT, BOTTOM, TOP, RIGHT = 12.0, 10.0, 3.0, 3.0  # per cent of the picture left for the axes' texts
DOT: Final = 3.5


def scatter(shown: Sequence[Outcome], phase: str) -> Node:
    """Predicted against measured tokens per second, on logarithmic axes; each point leads to its source."""
    values = [value for outcome in shown for value in (outcome.measured_per_s, outcome.predicted_per_s)]
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))

    def across(value: float) -> float:
        return LEFT + (100 - LEFT - RIGHT) * (math.log10(value) - low) / (high - low)

    def down(value: float) -> float:
        return 100 - BOTTOM - (100 - BOTTOM - TOP) * (math.log10(value) - low) / (high - low)

    parts: list[Node] = []
    for power in range(low, high + 1):
        parts += _tick(across(10.0**power), down(10.0**power), f"{10.0**power:,g}")
    ends = (10.0**low, 10.0**high)
    for factor in (1.0, 1.25, 0.8):
        first, last = max(ends[0], ends[0] / factor), min(ends[1], ends[1] / factor)
        places = (across(first), across(last), down(first * factor), down(last * factor))
        parts.append(_diagonal(*places, dashed=factor != 1.0))
    ordered = sorted(shown, key=lambda outcome: (outcome.is_moe, outcome.point.batch > 1))
    parts += [_point(across(outcome.measured_per_s), down(outcome.predicted_per_s), outcome) for outcome in ordered]
    picture = svg(
        {
            "width": "100%",
            "style": f"display:block;overflow:visible;{HEIGHT}",
            "aria-hidden": "true",
            "focusable": "false",
        },
        *parts,
    )
    return figure(
        {"class": "accuracy-plot", "style": "margin:1.5em 0;width:100%;max-width:none"},
        div({"style": "font-size:.7rem;color:var(--ink-2);text-align:left"}, "predicted tokens per second"),
        picture,
        div({"style": "font-size:.7rem;color:var(--ink-2);text-align:right"}, "measured tokens per second"),
        figcaption(
            {"style": "max-width:none;font-style:normal;text-align:left"},
            f"{phase.capitalize()}: predicted against measured speed of {len(shown)} runs that were not fitted. "
            "On the solid line both are equal, between the dashed ones they differ by at most a quarter. "
            "Filled: batch 1, hollow: more; round: dense models, square: mixtures of experts. "
            "A point leads to its source.",
        ),
    )


def _tick(x: float, y: float, label: str) -> list[Node]:
    grid = "stroke:var(--line);stroke-width:1"
    words = "fill:var(--ink-2);font-size:.65rem"
    return [
        line({"x1": _at(x), "x2": _at(x), "y1": _at(TOP), "y2": _at(100 - BOTTOM), "style": grid}),
        line({"x1": _at(LEFT), "x2": _at(100 - RIGHT), "y1": _at(y), "y2": _at(y), "style": grid}),
        text({"x": _at(x), "y": _at(100 - BOTTOM), "dy": "1.3em", "text-anchor": "middle", "style": words}, label),
        text({"x": _at(LEFT), "y": _at(y), "dx": "-.4em", "dy": ".35em", "text-anchor": "end", "style": words}, label),
    ]


def _diagonal(x1: float, x2: float, y1: float, y2: float, *, dashed: bool) -> Node:
    style = f"stroke:var(--edge);stroke-width:1{';stroke-dasharray:4 4' if dashed else ''}"
    return line({"x1": _at(x1), "x2": _at(x2), "y1": _at(y1), "y2": _at(y2), "style": style})


def _point(x: float, y: float, outcome: Outcome) -> Node:
    point = outcome.point
    colour = f"var(--{point.phase})"
    look = f"fill:{'none' if point.batch > 1 else colour};stroke:{colour};stroke-width:1.3;fill-opacity:.55"
    shape: Node
    if outcome.is_moe:
        # A square of fixed size about a place in per cent needs a shift in pixels.
        side = f"{2 * DOT:g}"
        shift = f"transform:translate({-DOT:g}px,{-DOT:g}px)"
        shape = rect({"x": _at(x), "y": _at(y), "width": side, "height": side, "style": f"{look};{shift}"})
    else:
        shape = circle({"cx": _at(x), "cy": _at(y), "r": f"{DOT:g}", "style": look})
    tip = (
        f"{point.device}, {point.model}, {point.weights}, {outcome.engine}, batch {point.batch}: measured "
        f"{outcome.measured_per_s:,.4g}, predicted {outcome.predicted_per_s:,.4g} tokens/s ({point.title})"
    )
    return link({"href": point.url, "tabindex": "-1"}, title(tip), shape)


def _at(percent: float) -> str:
    return f"{percent:.2f}%"
