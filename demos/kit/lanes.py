"""Which job waits for the other? Two lanes to one time scale: memory is hatched, math is solid."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, div, small, span

from demos.kit.html import element
from demos.kit.number import percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A stretch of work: `kind` is "mem" (weights), "kvr" (cache) or "math"; `label` stands in it where it fits."""

    kind: str
    time_s: float
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One job: its title, a note with its amount, its stretches, and what is said of the time it waits."""

    title: str
    note: str
    parts: Sequence[Part]
    waits: str = ""

    @property
    def time_s(self) -> float:
        return math.fsum(part.time_s for part in self.parts)


LABEL_FITS = 0.22
WAIT_FITS = 0.2


def lanes(drawn: Sequence[Lane], scale_s: float) -> SafeString:
    """Return lanes drawn to one scale, `scale_s` seconds wide; the rest of a lane is its waiting time."""
    return element(div, {"class": "lanes"}, *[_lane(lane, scale_s) for lane in drawn])


def _lane(lane: Lane, scale_s: float) -> SafeString:
    stretches: list[Node] = []
    for part in lane.parts:
        share = part.time_s / scale_s if scale_s else 0.0
        label = [span({"class": "lane-label"}, part.label)] if part.label and share >= LABEL_FITS else []
        stretches.append(element(span, {"class": part.kind, "style": f"width:{percent(share)}"}, *label))
    idle = 1 - (lane.time_s / scale_s if scale_s else 0.0)
    if lane.waits and idle > 0.001:
        fits = idle >= WAIT_FITS
        stretches.append(element(span, {"class": "wait"}, lane.waits if fits else ""))
    return element(
        div,
        {"class": "lane"},
        div(lane.title, small(lane.note)),
        div({"class": "track"}, *stretches),
    )
