"""A device's roofline, and passes on it: math per second by math per byte moved."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString

import pysim
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, Zone, log_ticks, plot
from pysim import units

LOWEST_INTENSITY, HIGHEST_INTENSITY = 0.5, 30_000.0
# Every second power of ten: more would touch on a phone.
INTENSITIES = ((1.0, "1"), (100.0, "100"), (10_000.0, "10,000"))
# The room below one FLOP per byte and above the roof, as factors.
FLOOR, HEADROOM = 0.25, 3.5
# Points nearer than this share of the width would hide each other's labels.
NEAR = 0.03
LEFT_EDGE = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A pass on the roofline, with its name."""

    flop_per_byte: float
    flop_per_s: float
    label: str

    @classmethod
    def of(cls, cost: pysim.PassCost, label: str) -> Standing:
        """Return where a pass stands by its cost."""
        return cls(
            flop_per_byte=cost.arithmetic_intensity_flop_per_byte,
            flop_per_s=cost.flop / cost.time_s,
            label=label,
        )


def roofline_plot(
    device: pysim.Device,
    ridge_flop_per_byte: float,
    now: Standing,
    others: Sequence[Standing],
    *,
    ridge_label: str,
    summary: str,
) -> SafeString:
    """Return the plot: the roof of the device, its ridge, the pass at hand and others for comparison."""
    bandwidth = device.memory_bandwidth_bytes_per_s
    peak = ridge_flop_per_byte * bandwidth
    low, high = FLOOR * bandwidth, HEADROOM * peak
    x = Axis(
        low=LOWEST_INTENSITY,
        high=HIGHEST_INTENSITY,
        label="math per byte moved, FLOP/B",
        ticks=INTENSITIES,
        log=True,
    )
    ticks = [(value, units.show(value, "FLOP/s", digits=1)) for value, _ in log_ticks(low, high)]
    y = Axis(low=low, high=high, label="math done per second", ticks=ticks, log=True)
    foot = (LOWEST_INTENSITY, LOWEST_INTENSITY * bandwidth)
    ridge = (ridge_flop_per_byte, peak)
    here = x.place(now.flop_per_byte)
    flat = now.flop_per_byte >= ridge_flop_per_byte
    marks = [
        Mark(
            x=other.flop_per_byte,
            y=other.flop_per_s,
            kind="minor",
            label="" if abs(x.place(other.flop_per_byte) - here) < NEAR else other.label,
            below=True,
            centered=other.flop_per_byte >= ridge_flop_per_byte,
        )
        for other in others
    ]
    marks.append(
        Mark(
            x=now.flop_per_byte,
            y=now.flop_per_s,
            kind="now",
            label=now.label,
            # There is room above the rising roof, but for its left end.
            below=here < LEFT_EDGE,
            side="before" if here >= LEFT_EDGE else "after",
            centered=flat,
        )
    )
    return plot(
        x,
        y,
        [
            Curve(points=[foot, ridge], kind="weights"),
            Curve(points=[ridge, (HIGHEST_INTENSITY, peak)], kind="math"),
        ],
        summary=summary,
        marks=marks,
        rules=[Rule(x=ridge_flop_per_byte, label=ridge_label, low=True, side="after")],
        zones=[
            Zone(
                low=LOWEST_INTENSITY, high=ridge_flop_per_byte, label="math waits for memory", kind="memory", end=True
            ),
            Zone(low=ridge_flop_per_byte, high=HIGHEST_INTENSITY, label="memory waits for math", kind="compute"),
        ],
    )
