"""Two bars to one scale that grow as the two ways go on, a stretch for each pass."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, b, div, i, p, span, strong

from demos.kit.html import element
from demos.kit.number import length, percent

MOST_STRETCHES = 40
SMALLEST_STRETCH = 0.012


@dataclass(frozen=True, slots=True, kw_only=True)
class PairedBar:
    """One way to do it: `kind` is a color of the visual language, `ends` where its stretches end.

    `done` is the amount so far, `shown` its text; the `chosen` way is the one that is playing.
    """

    name: str
    kind: str
    ends: tuple[float, ...]
    done: float
    shown: str
    chosen: bool


def paired_bars(title: str, verdict: str, ways: Sequence[PairedBar]) -> SafeString:
    """Return a pair of bars whose common scale is the larger whole, with their title and what they show."""
    scale = max(way.ends[-1] for way in ways)
    bars = [_bar(way, scale) for way in ways]
    head = p({"class": "cap"}, title, *([strong(verdict)] if verdict else []))
    return element(div, {"class": "two-ways"}, head, *bars)


def _bar(way: PairedBar, scale: float) -> SafeString:
    style = f"--done:{percent(way.done / scale)}"
    return element(
        div,
        {"class": f"way way-{way.kind}{' chosen' if way.chosen else ''}"},
        span({"class": "way-name"}, way.name),
        span({"class": "way-track"}, span({"class": "way-done", "style": style}, stretches(way.ends, scale))),
        b({"class": "way-amount"}, way.shown),
    )


@lru_cache(maxsize=64)
def stretches(ends: tuple[float, ...], scale: float) -> SafeString:
    """Return the whole bar: its stretches, or one where they would be too narrow to tell apart."""
    narrow = min(end - start for start, end in itertools.pairwise((0.0, *ends))) < SMALLEST_STRETCH * scale
    borders = (0.0, ends[-1]) if narrow or len(ends) > MOST_STRETCHES else (0.0, *ends)
    drawn = [
        element(i, {"style": f"left:{percent(start / scale)};width:{length(100 * (end - start) / scale)}%"})
        for start, end in itertools.pairwise(borders)
    ]
    return SafeString("".join(stretch.safe_str for stretch in drawn))
