"""Lanes of requests on one clock: waiting is dotted, reading a prompt is a block, each token of an answer is a tick."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, Tag, div, i, span

from demos.kit.draw.plot import linear_ticks
from demos.kit.html import element
from demos.kit.number import length, percent
from pysim import units

svg, path = Tag("svg"), Tag("path")
# Ticks nearer to each other than this share of the width are drawn as one bar, so that what shows is the gaps.
TOUCHING = 0.006
WIDE, TALL = 1000.0, 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLane:
    """One request, in seconds: when it waited, when its prompt was read, when each token came out, when it was evicted.

    `kind`: "new" for one that the picture is about. `moves`: when its rows were on a wire.
    """

    name: str
    waits: tuple[float, float] | None = None
    reads: Sequence[tuple[float, float]] = ()
    tokens_s: Sequence[float] = ()
    pauses: Sequence[tuple[float, float]] = ()
    moves: tuple[float, float] | None = None
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """A step: when it began and how long it took (s), and whether prompts are read in it."""

    start_s: float
    seconds: float
    reads: bool


def request_lanes(
    lanes: Sequence[RequestLane], begin_s: float, end_s: float, now_s: float, *, title: str, summary: str
) -> SafeString:
    """Lanes from `begin_s` to `end_s`; what comes after `now_s` is veiled. `summary` is for a screen reader."""
    rows = [_row(lane, begin_s, end_s) for lane in lanes]
    return element(
        div,
        {"class": "request-lanes", "role": "img", "aria-label": summary},
        div({"class": "lanes-title"}, title),
        div({"class": "lanes-body"}, *rows, veil(begin_s, end_s, now_s)),
    )


def step_bars(
    bars: Sequence[Bar], begin_s: float, end_s: float, now_s: float, *, title: str, summary: str
) -> SafeString:
    """Bars of steps, as wide and as high as they take; those in which prompts are read have the color of prompts."""
    seen = [bar for bar in bars if bar.start_s < end_s and bar.start_s + bar.seconds > begin_s]
    top_s = max((bar.seconds for bar in seen), default=1.0)
    shapes = []
    for kind, reads in (("decode", False), ("prefill", True)):
        places = " ".join(_bar(bar, begin_s, end_s, top_s) for bar in seen if bar.reads is reads)
        if places:
            shapes.append(path({"class": f"bars {kind}", "d": places}))
    return element(
        div,
        {"class": "step-bars", "role": "img", "aria-label": summary},
        div({"class": "lanes-title"}, title, span({"class": "bars-top"}, f"up to {units.show(top_s, 's', digits=3)}")),
        div({"class": "lanes-body"}, _picture(shapes), veil(begin_s, end_s, now_s)),
    )


def time_axis(begin_s: float, end_s: float, zero_s: float = 0.0) -> SafeString:
    """The clock under lanes, counted from `zero_s`."""
    span_s = end_s - begin_s
    ticks = [zero_s + each for each in linear_ticks(end_s - zero_s)]
    drawn: list[Node] = []
    for at_s in ticks:
        place = (at_s - begin_s) / span_s if span_s else 0.0
        if 0 <= place <= 1:
            edge = " last" if place > 0.94 else ""
            text = units.show(at_s - zero_s, "s", digits=3) if at_s > zero_s else "0"
            drawn.append(span({"class": f"tick tick-x{edge}", "style": f"left:{percent(place)}"}, text))
    return element(div, {"class": "lanes-axis"}, *drawn)


def veil(begin_s: float, end_s: float, now_s: float) -> SafeString:
    """A veil over what has not happened yet."""
    place = (now_s - begin_s) / (end_s - begin_s) if end_s > begin_s else 1.0
    return element(i, {"class": "veil", "style": f"--at:{length(min(1.0, max(0.0, place)))}"})


KINDS = {
    "waits": "waits",
    "reads": "its prompt is read",
    "writes": "a token",
    "moves": "cache rows on the wire",
    "pauses": "evicted",
}


def lanes_key(kinds: Sequence[str]) -> SafeString:
    """What the shapes of lanes mean; `kinds` are names of `KINDS`."""
    return element(div, {"class": "lanes-key"}, *[span({"class": f"key {kind}"}, KINDS[kind]) for kind in kinds])


def _row(lane: RequestLane, begin_s: float, end_s: float) -> SafeString:
    def at(time_s: float) -> float:
        return WIDE * min(1.0, max(0.0, (time_s - begin_s) / (end_s - begin_s)))

    shapes: list[Node] = []
    for kind, spans in (
        ("waits", [lane.waits] if lane.waits else []),
        ("moves", [lane.moves] if lane.moves else []),
        ("pauses", lane.pauses),
    ):
        lines = " ".join(f"M{length(at(a))} 5H{length(at(b))}" for a, b in spans if at(b) > at(a))
        if lines:
            shapes.append(path({"class": kind, "d": lines}))
    blocks = " ".join(_block(at(a), at(b)) for a, b in lane.reads if at(b) > at(a))
    if blocks:
        shapes.append(path({"class": "reads", "d": blocks}))
    ticks = _ticks([at(each) for each in lane.tokens_s if begin_s <= each <= end_s])
    if ticks:
        shapes.append(path({"class": "writes", "d": ticks}))
    return element(
        div, {"class": f"request-lane {lane.kind}".strip()}, span({"class": "lane-name"}, lane.name), _picture(shapes)
    )


def _picture(shapes: Sequence[Node]) -> SafeString:
    return element(
        svg,
        {"viewBox": f"0 0 {WIDE:g} {TALL:g}", "preserveAspectRatio": "none", "aria-hidden": "true"},
        *shapes,
    )


def _block(left: float, right: float) -> str:
    return f"M{length(left)} 0H{length(max(right, left + 2))}V{TALL:g}H{length(left)}Z"


def _bar(bar: Bar, begin_s: float, end_s: float, top_s: float) -> str:
    left, right = (WIDE * (at_s - begin_s) / (end_s - begin_s) for at_s in (bar.start_s, bar.start_s + bar.seconds))
    left, right = max(0.0, left), min(WIDE, right)
    return f"M{length(left)} {TALL:g}V{length(TALL - TALL * bar.seconds / top_s)}H{length(right)}V{TALL:g}Z"


def _ticks(places: Sequence[float]) -> str:
    """Ticks as thin bars; those that touch are one bar."""
    shapes: list[tuple[float, float]] = []
    for place in places:
        if shapes and place - shapes[-1][1] <= TOUCHING * WIDE:
            shapes[-1] = shapes[-1][0], place
        else:
            shapes.append((place, place))
    return " ".join(f"M{length(a)} 1H{length(b)}V9H{length(a)}Z" for a, b in shapes)
