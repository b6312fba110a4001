"""Lanes of work to one time scale: memory is hatched, math is solid, waiting is dotted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, div, i, small, span

from demos.kit.html import element
from demos.kit.number import percent
from pysim import units


@dataclass(frozen=True, slots=True, kw_only=True)
class LanePart:
    """A stretch of work: `kind` is "mem" (weights), "kvr" (cache) or "math"; `label` is drawn in it where it fits."""

    kind: str
    time_s: float
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One job: its title, a note with its amount, its stretches, and the words for the time it waits."""

    title: str
    note: Node
    parts: Sequence[LanePart]
    waits: str = ""

    @property
    def time_s(self) -> float:
        """Seconds of work in the lane."""
        return math.fsum(part.time_s for part in self.parts)


# The narrowest track there is, a phone's, and a letter of a label, both in em.
TRACK_EM, LETTER_EM = 19.0, 0.52
SHORTEST_WAIT = 0.001


def lanes(
    drawn: Sequence[Lane],
    scale_s: float,
    *,
    end_s: float | None = None,
    end_label: str = "",
    now_s: float | None = None,
) -> SafeString:
    """Return lanes drawn to one scale, `scale_s` seconds wide; a lane waits from its own end to `end_s` (the scale's).

    With an `end_label` there is a time axis below that names the end. `now_s` is where a cursor stands.
    """
    until_s = scale_s if end_s is None else end_s
    axis = [_axis(scale_s, until_s, end_label)] if end_label else []
    return element(div, {"class": "lanes"}, *[_lane(lane, scale_s, until_s, now_s) for lane in drawn], *axis)


def key(kind: str, text: str) -> SafeString:
    """Return a word with the color and pattern it stands for, for a lane's note."""
    return element(span, {"class": f"key {kind}"}, text)


def fits(label: str, share: float) -> bool:
    """Say whether a label has room in this share of the narrowest track."""
    return share * TRACK_EM >= len(label) * LETTER_EM + 1


def _lane(lane: Lane, scale_s: float, until_s: float, now_s: float | None) -> SafeString:
    shares = [(part, part.time_s / scale_s if scale_s else 0.0) for part in lane.parts]
    stretches: list[Node] = [_part(part, share) for part, share in shares]
    end = until_s / scale_s if scale_s else 1.0
    idle = end - math.fsum(share for _, share in shares)
    if lane.waits and idle > SHORTEST_WAIT:
        inside = fits(lane.waits, idle)
        label = [span({"class": "lane-label"}, lane.waits)] if inside else []
        stretches.append(element(span, {"class": "wait", "style": f"width:{percent(idle)}"}, *label))
        if not inside and fits(lane.waits, 1 - end):
            stretches.append(span({"class": "lane-beside"}, lane.waits))
    if end < 1 - SHORTEST_WAIT:
        stretches.append(i({"class": "lane-end", "style": f"left:{percent(end)}"}))
    if now_s is not None and scale_s:
        stretches.append(i({"class": "lane-now", "style": f"left:{percent(now_s / scale_s)}"}))
    return element(
        div,
        {"class": "lane"},
        div({"class": "lane-head"}, span({"class": "lane-title"}, lane.title), small(lane.note)),
        div({"class": "track"}, *stretches),
    )


def _part(part: LanePart, share: float) -> SafeString:
    label = [span({"class": "lane-label"}, part.label)] if part.label and fits(part.label, share) else []
    return element(span, {"class": part.kind, "style": f"width:{percent(share)}"}, *label)


def _axis(scale_s: float, end_s: float, label: str) -> SafeString:
    """Return the line of times below the lanes; the end's place on it decides to which side its label goes."""
    end = end_s / scale_s if scale_s else 1.0
    room = TRACK_EM * (1 - end) - len(label) * LETTER_EM / 2
    side = "last" if end > 1 - SHORTEST_WAIT else "before" if room < 1 else "middle"
    full = units.show(scale_s, "s", digits=3)
    shows_scale = room >= len(full) * LETTER_EM + 1
    return element(
        div,
        {"class": "lane-axis"},
        span({"class": "lane-time first"}, "0"),
        span({"class": f"lane-time end {side}", "style": f"left:{percent(end)}"}, label),
        *([span({"class": "lane-time last", "style": "left:100%"}, full)] if shows_scale else []),
    )
