"""Plots whose text never shrinks: lines in SVG, everything that is read in HTML above it.

The SVG is stretched to the width at hand (its strokes keep their weight); ticks, labels and points are HTML,
placed by percentages, so a phone shows them in the same size as a wide screen.
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
    """A line through (x, y) points; `kind` is a color of the visual language, `dashed` a second meaning."""

    points: Sequence[tuple[float, float]]
    kind: str
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A labeled point. Its label is above the point or below it, `centered` or on the side that has room.

    `side` "before" or "after" decides where the room is.
    """

    x: float
    y: float
    kind: str
    label: str
    below: bool = False
    dot: bool = True
    centered: bool = False
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A labeled vertical line at `x`, such as a ridge or a limit; its label stands at its top, or `low` down."""

    x: float
    label: str
    kind: str = "rule"
    low: bool = False
    side: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Zone:
    """A stretch of the x axis with a name at its foot, at its `end` or its start; `kind` "barred": not to be had."""

    low: float
    high: float
    label: str = ""
    kind: str = ""
    end: bool = False


# Rules nearer to each other than this share of the width have their labels one below the other.
NEAR = 0.3
# A rule's label with more letters than this needs the wider side of a phone's plot.
SHORT = 14
# A point above this share of the height has no room for a label above it.
HIGH = 0.88


def plot(
    x: Axis,
    y: Axis,
    curves: Sequence[Curve],
    *,
    summary: str,
    marks: Sequence[Mark] = (),
    rules: Sequence[Rule] = (),
    zones: Sequence[Zone] = (),
) -> SafeString:
    """Return a plot; `summary` is the sentence that a screen reader gets instead of the picture."""
    lines = [_line(x, y, curve) for curve in curves]
    picture = element(
        svg,
        {"viewBox": "0 0 100 100", "preserveAspectRatio": "none", "aria-hidden": "true", "focusable": "false"},
        *lines,
    )
    area: list[Node] = [_zone(x, zone) for zone in zones]
    area.append(picture)
    area += _rules(x, rules)
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


def time_ticks(low_s: float, high_s: float, wanted: int = 4) -> list[tuple[float, str]]:
    """Return round times between two on a log axis: powers of ten, or 1, 2 and 5 times those where they are few."""
    steps = [(k, factor * 10.0**k) for k in range(-6, 6) for factor in (1, 2, 5) if low_s <= factor * 10.0**k <= high_s]
    powers = [value for k, value in steps if math.isclose(value, 10.0**k)]
    chosen = powers if len(powers) >= wanted - 1 else [value for _, value in steps]
    return [(value, f"{value:g} s" if value >= 1 else f"{1000 * value:g} ms") for value in chosen]


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


def _zone(x: Axis, zone: Zone) -> SafeString:
    start, end = (min(1.0, max(0.0, x.place(value))) for value in (zone.low, zone.high))
    name = [span({"class": "zone-name"}, zone.label)] if zone.label else []
    style = f"left:{percent(start)};width:{percent(end - start)}"
    return element(i, {"class": f"plot-zone {zone.kind}{' end' if zone.end else ''}", "style": style}, *name)


def _rules(x: Axis, rules: Sequence[Rule]) -> list[SafeString]:
    """Return the rules that are on the axis; a label that would overlap its neighbor's moves down a line."""
    placed = sorted(
        ((x.place(rule.x), rule) for rule in rules if 0 <= x.place(rule.x) <= 1), key=lambda placed_rule: placed_rule[0]
    )
    drawn: list[SafeString] = []
    line, before = 0, -1.0
    for place, rule in placed:
        line = line + 1 if place - before < NEAR else 0
        before = place
        side = rule.side or ("before" if place > (0.5 if len(rule.label) > SHORT else 0.6) else "after")
        classes = f"plot-rule {rule.kind} {side}{' low' if rule.low else ''}"
        style = f"left:{percent(place)}{f';--row:{line}' if line else ''}"
        name = [span({"class": "plot-text"}, rule.label)] if rule.label else []
        drawn.append(element(i, {"class": classes, "style": style}, *name))
    return drawn


def _mark(x: Axis, y: Axis, mark: Mark) -> SafeString:
    across, up = x.place(mark.x), y.place(mark.y)
    below = mark.below or up > HIGH
    side = mark.side or ("before" if across > 0.6 else "after")
    if mark.centered and across < 0.85:
        side = "centred"
    classes = f"plot-mark {mark.kind} {side}{' below' if below else ''}"
    style = f"left:{percent(across)};bottom:{percent(up)}"
    dot = [b({"class": "dot"})] if mark.dot else []
    label = [span({"class": "plot-text"}, mark.label)] if mark.label else []
    return element(span, {"class": classes, "style": style}, *dot, *label)
