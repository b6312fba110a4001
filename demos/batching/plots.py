"""Two plots by the number of conversations that share a pass: tokens per second of all together, and of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div

import pysim
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, Zone, linear_ticks, plot
from demos.kit.html import element
from demos.kit.number import count, length, plural
from pysim import units
from pysim.requests.batch_limits import BatchLimits

# Close together where the total is steep, evenly after that.
FEW = (1.0, 2.0, 4.0, 8.0, 16.0, 24.0)
STEP = 32
HEADROOM = 1.28
# Left of this share of the axis the total is still low, and a label at the foot would stand in its way.
STEEP = 0.25
X_TICKS = ((1.0, "1"), (100.0, "100"), (200.0, "200"))
Points = tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Curves:
    """Tokens per second by conversations: `total` of all, `of_one` of one of them; beyond `held` memory has no room."""

    total: Points
    of_one: Points
    most: int
    held: int


def curves(on: pysim.Deployment, context_tokens: int, limits: BatchLimits, most: int) -> Curves:
    """Compute both for 1 to `most` conversations, with extra points for the ridge and the last that fits."""
    spread = {*FEW, *(float(number) for number in range(STEP, most + 1, STEP))}
    bends = {value for value in (limits.ridge, float(limits.held)) if value is not None and 1 <= value <= most}
    total: list[tuple[float, float]] = []
    of_one: list[tuple[float, float]] = []
    for number in sorted(spread | bends):
        cost = on.pass_cost(1, context_tokens - 1, number, speed="typical")
        total.append((number, number / cost.time_s))
        of_one.append((number, 1 / cost.time_s))
    return Curves(total=tuple(total), of_one=tuple(of_one), most=most, held=min(limits.held, most))


def batch_plots(drawn: Curves, limits: BatchLimits, conversations: int, pass_s: float) -> SafeString:
    """Return the two plots side by side where there is room, the reader's point on both."""
    total, of_one = conversations / pass_s, 1 / pass_s
    return element(
        div,
        {"class": "batch-plots"},
        _plot(drawn, limits, "all together, tokens/s", drawn.total, (conversations, total), named=True),
        _plot(drawn, limits, "each conversation, tokens/s", drawn.of_one, (conversations, of_one), named=False),
    )


def _plot(
    drawn: Curves, limits: BatchLimits, label: str, points: Points, here: tuple[int, float], *, named: bool
) -> SafeString:
    """Only one of the two plots names the rules, which have the same places in both."""
    high = HEADROOM * max(value for _, value in points)
    x = Axis(low=1, high=drawn.most, label="conversations", ticks=X_TICKS)
    y = Axis(low=0, high=high, label=label, ticks=[(value, _tick(value)) for value in linear_ticks(high, 5)])
    beyond = [Zone(low=max(1, drawn.held), high=drawn.most, kind="barred")] if drawn.held < drawn.most else []
    return plot(
        x,
        y,
        _lines(points, drawn.held),
        summary=f"{label} at {plural(here[0], 'conversation')}: {units.show(here[1], 'tokens/s', digits=3)}",
        marks=[Mark(x=here[0], y=here[1], kind="now", label="")],
        rules=_rules(x, drawn, limits, named),
        zones=beyond,
    )


def _tick(value: float) -> str:
    return count(value) if value >= 1 or not value else length(value)


@lru_cache(maxsize=64)
def _lines(points: Points, held: int) -> tuple[Curve, ...]:
    """What fits as a line, what does not as a dashed one."""
    fitting = [point for point in points if point[0] <= held]
    beyond = [point for point in points if point[0] >= held]
    solid = [Curve(points=fitting, kind="decode")] if len(fitting) > 1 else []
    return (*solid, Curve(points=beyond, kind="decode", dashed=True)) if len(beyond) > 1 else tuple(solid)


def _rules(x: Axis, drawn: Curves, limits: BatchLimits, named: bool) -> list[Rule]:
    places = []
    if limits.ridge is not None and limits.ridge <= drawn.most:
        places.append((limits.ridge, f"ridge: {count(limits.ridge)}"))
    if limits.equal <= min(drawn.most, drawn.held):
        places.append((max(1.0, limits.equal), f"caches: {count(math.ceil(limits.equal))}"))
    if drawn.held < drawn.most:
        places.append((max(1.0, drawn.held), f"memory: {count(drawn.held)}"))
    return [Rule(x=at, label=text if named else "", low=x.place(at) > STEEP) for at, text in places]
