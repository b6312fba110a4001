"""How is a plot drawn so that its text never shrinks? Lines in SVG, everything that is read in HTML above it.

The SVG is stretched to the width at hand (its strokes keep their weight); ticks, labels and points are HTML,
placed by percentages, so that a phone shows them in the same size as a wide screen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, Tag, b, div, i, span

from demos.kit.html import element
from demos.kit.number import length, percent

svg, polyline = Tag("svg"), Tag("polyline")


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The values from `low` to `high` on one side of a plot; `ticks` are (value, text) pairs."""

    low: float
    high: float
    label: str
    ticks: Sequence[tuple[float, str]]
    log: bool = False

    def place(self, value: float) -> float:
        """Return where a value stands, from 0 at `low` to 1 at `high`, not clamped."""
        if self.log:
            return math.log(value / self.low) / math.log(self.high / self.low)
        return (value - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """A line through (x, y) points; `kind` is a colour of the visual language, `dashed` a second meaning."""

    points: Sequence[tuple[float, float]]
    kind: str
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A labelled point. Its label stands on the side that has room, above the point or below it."""

    x: float
    y: float
    kind: str
    label: str
    below: bool = False
    dot: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A labelled vertical line at `x`, such as a ridge or a limit."""

    x: float
    label: str
    kind: str = "rule"


def plot(
    x: Axis, y: Axis, curves: Sequence[Curve], *, summary: str, marks: Sequence[Mark] = (), rules: Sequence[Rule] = ()
) -> SafeString:
    """Return a plot; `summary` is the sentence that a screen reader gets instead of the picture."""
    lines = [_line(x, y, curve) for curve in curves]
    picture = element(
        svg,
        {"viewBox": "0 0 100 100", "preserveAspectRatio": "none", "aria-hidden": "true", "focusable": "false"},
        *lines,
    )
    area: list[Node] = [picture]
    area += [_rule(x, rule) for rule in rules if 0 <= x.place(rule.x) <= 1]
    area += [_tick("x", x.place(value), text, "left") for value, text in x.ticks]
    area += [_tick("y", y.place(value), text, "bottom") for value, text in y.ticks]
    area += [_mark(x, y, mark) for mark in marks]
    return element(
        div,
        {"class": "plot", "role": "img", "aria-label": summary},
        div({"class": "plot-label-y"}, y.label),
        div({"class": "plot-area"}, *area),
        div({"class": "plot-label-x"}, x.label),
    )


def log_ticks(low: float, high: float, texts: Sequence[tuple[float, str]] = ()) -> list[tuple[float, str]]:
    """Return a tick per power of ten between two values, as "1", "10", "1,000"; or `texts` within them."""
    if texts:
        return [(value, text) for value, text in texts if low <= value <= high]
    powers = range(math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9) + 1)
    return [(10.0**power, f"{10**power:,}" if power >= 0 else length(10.0**power)) for power in powers]


def linear_ticks(high: float, wanted: int = 4) -> list[float]:
    """Return round values from 0 up to `high`, about `wanted` steps of 1, 2 or 5 times a power of ten."""
    if high <= 0:
        return [0.0]
    rough = high / wanted
    power = 10.0 ** math.floor(math.log10(rough) + 1e-9)
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)
    return [step * k for k in range(math.floor(high / step + 1e-9) + 1)]


def _line(x: Axis, y: Axis, curve: Curve) -> SafeString:
    places = " ".join(f"{length(100 * x.place(px))},{length(100 - 100 * y.place(py))}" for px, py in curve.points)
    return element(polyline, {"class": f"line {curve.kind}{' dashed' if curve.dashed else ''}", "points": places})


def _tick(axis: str, place: float, text: str, side: str) -> SafeString:
    edge = " first" if place < 0.04 else " last" if place > 0.96 else ""
    return element(span, {"class": f"tick tick-{axis}{edge}", "style": f"{side}:{percent(place)}"}, text)


def _rule(x: Axis, rule: Rule) -> SafeString:
    place = x.place(rule.x)
    side = "before" if place > 0.6 else "after"
    return element(
        i,
        {"class": f"plot-rule {rule.kind} {side}", "style": f"left:{percent(place)}"},
        span({"class": "plot-text"}, rule.label),
    )


def _mark(x: Axis, y: Axis, mark: Mark) -> SafeString:
    across = x.place(mark.x)
    classes = f"plot-mark {mark.kind} {'before' if across > 0.6 else 'after'}{' below' if mark.below else ''}"
    style = f"left:{percent(across)};bottom:{percent(y.place(mark.y))}"
    dot = [b({"class": "dot"})] if mark.dot else []
    return element(span, {"class": classes, "style": style}, *dot, span({"class": "plot-text"}, mark.label))
