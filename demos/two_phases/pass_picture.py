"""The picture of a pass: tokens go in, cross the layers of the model, and a token comes out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from simple_html import Node, SafeString, div, i, li, ol, span

from demos.kit.declare.demo import PLAY_S
from demos.kit.draw.tokens import ghost
from demos.kit.html import element, joined
from demos.kit.number import percent
from pysim import units

MOST_CARRIED = 4
LAST_PASSES = 4
MOST_SEGMENTS = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBand:
    """The model at a moment: `kind` of the pass at work ("" when idle) and how far it is, 0 to 1."""

    layers: int
    kind: str
    fraction: float
    title: str
    carried: Sequence[SafeString]
    hidden: int
    out: Sequence[SafeString]
    beginning: str = ""


def model_band(band: ModelBand) -> SafeString:
    """Return the model as a row of layers with the pass sweeping through it, its tokens on board."""
    more: list[Node] = [span({"class": "more"}, f"+{band.hidden:,}")] if band.hidden else []
    kind = band.kind or "idle"
    place = percent(band.fraction)
    inside: list[Node]
    if band.kind:
        inside = [
            i({"class": f"sweep {kind}", "style": f"width:{place}"}),
            div({"class": "carrier", "style": f"left:{place};--back:{place}"}, *band.carried, *more),
        ]
    else:
        inside = [span({"class": "model-idle"}, band.beginning)] if band.beginning else []
    layers = div({"class": "model-layers", "style": f"--layers:{band.layers}"}, *inside)
    return element(
        div,
        {"class": f"model {kind}"},
        div({"class": "model-title"}, band.title),
        div({"class": "model-row"}, layers, div({"class": "model-out"}, *(band.out or [ghost()]))),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One pass of the list: its number, its kind, what it carried, and its share of the longest pass."""

    number: int
    kind: str
    label: str
    share: float
    done: float


def pass_list(bars: Sequence[Bar]) -> SafeString:
    """Return the last passes, one bar each, as long as their time; places stay kept for those to come."""
    drawn = [
        li(
            {"class": "pass"},
            span({"class": "pass-number"}, f"pass {bar.number:,}"),
            span(
                {"class": "pass-track"},
                i({"class": f"bar {bar.kind}", "style": f"width:{percent(bar.share)};--done:{percent(bar.done)}"}),
                span({"class": "pass-label"}, bar.label),
            ),
        )
        for bar in bars[-LAST_PASSES:]
    ]
    empty = [li({"class": "pass pass-empty", "aria-hidden": "true"}) for _ in range(LAST_PASSES - len(drawn))]
    return element(ol, {"class": "passes"}, *drawn, *empty)


Span = tuple[str, float, float]


def strip(spans: tuple[Span, ...], end_s: float, t_s: float) -> SafeString:
    """Return the whole run to scale: one segment per pass (neighbors of a kind joined when there are many)."""
    head = i({"class": "head", "style": f"left:{percent(t_s / end_s)}"})
    return element(div, {"class": "strip", "aria-hidden": "true"}, _segments(spans, end_s), head)


@lru_cache(maxsize=8)
def _segments(spans: tuple[Span, ...], end_s: float) -> SafeString:
    drawn = [
        i({"class": kind, "style": f"left:{percent(start / end_s)};width:{percent((end - start) / end_s)}"})
        for kind, start, end in thinned(spans)
    ]
    return joined(*drawn)


def thinned(spans: Sequence[Span]) -> list[Span]:
    """Return at most about 120 segments: neighbors of the same kind are joined evenly."""
    group = -(-len(spans) // MOST_SEGMENTS)
    shared: list[Span] = []
    held = 0
    for kind, start, end in spans:
        if shared and shared[-1][0] == kind and held < group:
            shared[-1] = (kind, shared[-1][1], end)
            held += 1
        else:
            shared.append((kind, start, end))
            held = 1
    return shared


def clock(t_s: float, end_s: float, device: str, pace: str) -> SafeString:
    """Return the simulated time so far, what kind of speed it is, and how it compares with the reader's own."""
    texts = f"{units.show(t_s, 's', digits=3)} of {units.show(end_s, 's', digits=3)}, {pace}"
    scale = f"1 s on your screen is {units.show(end_s / PLAY_S, 's', digits=3)} on the {device} at speed 1×"
    return element(div, {"class": "clock"}, span({"class": "clock-now"}, texts), span({"class": "clock-scale"}, scale))
