"""Sentences and formulas on a shared pass: which limit ends the rise, and how fast each conversation is."""

from __future__ import annotations

import math

import pysim
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import ROOFLINE, ROOFLINE_URL
from demos.kit.number import count, plural
from pysim import units
from pysim.requests.batch_limits import BatchLimits


def what_ends(limits: BatchLimits) -> str:
    """Name the limit that ends the rise of the total, and what becomes of the ridge."""
    if not limits.held:
        return "Not even one conversation fits next to the weights."
    if limits.first == "memory":
        never = "no batch would reach the ridge"
        ridge = never if limits.ridge is None else f"the ridge would be at {count(limits.ridge)}"
        return f"Memory ends the rise: it holds {plural(limits.held, 'conversation')}; {ridge}."
    if limits.first == "ridge" and limits.ridge is not None:
        first = count(math.ceil(limits.ridge))
        return f"The ridge ends the rise: from {first} conversations on, the math is the longer job by the spec sheet."
    ridge = "no batch reaches the ridge" if limits.ridge is None else f"the ridge is at {count(limits.ridge)}"
    return f"The caches end the rise: from {count(math.ceil(limits.equal))} on, they outweigh the weights; {ridge}."


def pace(slower: float) -> str:
    """Say how much longer each waits for a token than one alone does."""
    if slower < 1.005:
        return "Each is as fast as alone."
    return (
        f"Each takes {slower:.2f} times as long per token as alone."
        if slower < 10
        else (f"Each takes {count(slower)} times as long per token as alone.")
    )


def held_formula(
    limits: BatchLimits, device: pysim.Device, weights_bytes: float, working_bytes: float, own_bytes: float
) -> Formula:
    """How many conversations memory holds; `own_bytes` is the cache of one, `working_bytes` what an engine needs."""
    sizes = (device.usable_memory_bytes or 0.0, weights_bytes, working_bytes, own_bytes)
    memory, weights, working, own = (units.show(value, "B") for value in sizes)
    return Formula(
        label="Conversations that memory holds",
        rule="(usable memory − weights − what an engine needs) ÷ cache of one conversation",
        inserted=f"({memory} − {weights} − {working}) ÷ {own}",
        result=plural(limits.held, "conversation"),
        source="counted by pysim.memory.occupancy.max_batch",
    )


def ridge_formula(limits: BatchLimits, cost: pysim.PassCost, conversations: int, own_bytes: float) -> Formula:
    """At how many conversations both jobs take equally long; `cost` is a pass of `conversations`."""
    device = f"{cost.ridge_flop_per_byte:.4g} FLOP/B"
    flop = units.show(cost.flop / conversations, "FLOP")
    weights, own = units.show(cost.weights_read_bytes, "B"), units.show(own_bytes, "B")
    never = "none: what a conversation reads takes longer than its math"
    return Formula(
        label="Ridge in conversations",
        rule="R × weights ÷ (FLOP − R × cache), with FLOP and cache of one conversation, R the device's ridge",
        inserted=f"{device} × {weights} ÷ ({flop} − {device} × {own})",
        result=never if limits.ridge is None else plural(round(limits.ridge), "conversation"),
        source=f"both times set equal; {ROOFLINE}",
        source_url=ROOFLINE_URL,
    )
