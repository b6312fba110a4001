"""The math of a pass: bytes over bandwidth, FLOP over peak, and the longer of the two."""

from __future__ import annotations

import pysim
from demos.kit.declare.formulas import Formula
from pysim import units

ROOFLINE = "roofline model, Williams, Waterman and Patterson, 2009"
ROOFLINE_URL = "https://doi.org/10.1145/1498765.1498785"
TWO_FLOP = "2 FLOP per weight and token: Kaplan et al., 2020, section 2.1"
TWO_FLOP_URL = "https://arxiv.org/abs/2001.08361"


FITTED = f"{ROOFLINE}, with fitted efficiencies"


def typical_time(label: str, cost: pysim.PassCost) -> Formula:
    """The time of a pass at typical speed, from its parts; `cost` is one of typical speed."""
    memory, math, fixed = (units.show(part, "s", digits=3) for part in (cost.memory_s, cost.compute_s, cost.overhead_s))
    moved, flop = units.show(cost.moved_bytes, "B"), units.show(cost.flop, "FLOP")
    return Formula(
        label=label,
        rule="fixed cost + the longer of memory and math + the part of the shorter one that it doesn't hide",
        inserted=f"fixed {fixed}, memory {memory} for {moved}, math {math} for {flop}",
        result=f"{units.show(cost.time_s, 's')} ({cost.bound}-bound by the spec sheet)",
        source=FITTED,
        source_url=ROOFLINE_URL,
    )


def pass_math(device: pysim.Device, cost: pysim.PassCost, cache_rows: str) -> list[Formula]:
    """The two times of a pass, its own time and its arithmetic intensity; `cache_rows` says which rows move."""
    weights = cost.weights_read_bytes
    cache = cost.kv_read_bytes + cost.kv_written_bytes
    flop, bandwidth = cost.flop, device.memory_bandwidth_bytes_per_s
    peak = cost.ridge_flop_per_byte * bandwidth
    memory_s, compute_s = (units.show(time_s, "s") for time_s in (cost.memory_s, cost.compute_s))
    moved = f"{units.show(weights, 'B')} + {units.show(cache, 'B')}"
    return [
        Formula(
            label="Time to read",
            rule=f"(weights, read once + cache: {cache_rows}) ÷ memory bandwidth",
            inserted=f"({moved}) ÷ {units.show(bandwidth, 'B/s')}",
            result=memory_s,
            source=ROOFLINE,
            source_url=ROOFLINE_URL,
        ),
        Formula(
            label="Time to do the math",
            rule="(2 FLOP per weight and token + attention) ÷ peak math rate",
            inserted=f"{units.show(flop, 'FLOP')} ÷ {units.show(peak, 'FLOP/s')}",
            result=compute_s,
            source=TWO_FLOP,
            source_url=TWO_FLOP_URL,
        ),
        Formula(
            label="Time of the pass, best case",
            rule="the longer of the two",
            inserted=f"the longer of {memory_s} and {compute_s}",
            result=f"{units.show(cost.time_s, 's')} ({cost.bound}-bound)",
            source=ROOFLINE,
            source_url=ROOFLINE_URL,
        ),
        Formula(
            label="Math per byte (arithmetic intensity)",
            rule="FLOP ÷ bytes moved",
            inserted=f"{units.show(flop, 'FLOP')} ÷ {units.show(weights + cache, 'B')}",
            result=units.show(cost.arithmetic_intensity_flop_per_byte, "FLOP/B"),
            source=ROOFLINE,
            source_url=ROOFLINE_URL,
        ),
        Formula(
            label="Ridge of the device",
            rule="peak math rate ÷ memory bandwidth",
            inserted=f"{units.show(peak, 'FLOP/s')} ÷ {units.show(bandwidth, 'B/s')}",
            result=units.show(cost.ridge_flop_per_byte, "FLOP/B"),
            source=f"{device.name}: {'; '.join(device.sources[:2]) or 'spec sheet'}",
        ),
    ]
