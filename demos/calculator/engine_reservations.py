"""Engine reservations: what several engines make of the same memory, as a picture to scale and as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simple_html import SafeString, div, p

from demos.calculator.controls import DECLARED, RESERVING, SHARED_MEMORY, prefix
from demos.calculator.device_memory import Box, DeviceRow, device_memory
from demos.calculator.readout_table import TableCell, readout_table
from demos.kit.declare.readouts import Missing, ReadoutValue
from demos.kit.html import element
from demos.kit.number import count
from pysim import units
from pysim.memory.placement import Place
from pysim.memory.reservation import Reservation
from pysim.memory.ways_to_fit import Load

SHARED = Missing("memory is shared here")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six")


def applies(load: Load, taken: Reservation) -> bool:
    """Say whether a reservation means something there: a share of "the card" needs memory of the card's own."""
    return not taken.rule.pooled or load.on.device.family not in SHARED_MEMORY


def where(load: Load) -> str:
    """Return "2 × NVIDIA GeForce RTX 4090"."""
    return f"{count(load.on.n_devices)} × {load.on.device.name}" if load.on.n_devices > 1 else load.on.device.name


def of_each(load: Load) -> str:
    """Return " each" where there are several devices."""
    return " each" if load.on.n_devices > 1 else ""


def on_which(load: Load) -> str:
    """Return on which of several devices so much is free or missing."""
    if load.on.n_devices == 1:
        return ""
    return " on each device" if load.on.split == "tensor" else " on the fullest device"


def gigabytes(size_bytes: float) -> str:
    """Return a size in three digits."""
    return units.show(size_bytes, "B", digits=3)


def reservation_picture(load: Load, placed: Sequence[Place], taken: Sequence[Reservation]) -> SafeString:
    """Return each device's memory, once for each engine."""
    needed = [place.cache_bytes(load.context_tokens, load.batch) for place in placed]
    rows = [_row(load, engines, needed) for engines in taken if applies(load, engines)]
    keys = (
        ("w", f"weights {gigabytes(math.fsum(place.weights_bytes for place in placed))}"),
        ("e", "engine, about"),
        ("k", f"cache needed {gigabytes(math.fsum(needed))}"),
        ("r", "set aside, not needed"),
        ("f", "free"),
    )
    usable = load.on.device.usable_memory_bytes or 0.0
    memory = units.show(usable, "B", binary=True, digits=3)
    caption = f"{load.on.model.name} in the memory of {where(load)}, {memory}{of_each(load)} usable, to scale"
    return element(div, {}, p({"class": "cap"}, caption), device_memory(rows, usable, keys))


def _row(load: Load, taken: Reservation, needed: Sequence[float]) -> DeviceRow:
    boxes = [
        Box(
            weights_bytes=weights,
            engine_bytes=working.total_bytes,
            needed_bytes=cache,
            idle_bytes=max(0.0, reserved - cache),
        )
        for weights, working, cache, reserved in zip(
            taken.weights_bytes, taken.working, needed, taken.reserved_bytes, strict=True
        )
    ]
    return DeviceRow(
        title=taken.engine.name,
        note=_note(taken),
        verdict="fits" if taken.fits else f"{gigabytes(taken.short_bytes)} too much{on_which(load)}",
        good=taken.fits,
        boxes=boxes,
        limit_bytes=taken.limit_bytes,
    )


def _note(taken: Reservation) -> str:
    if taken.rule.pooled:
        return f"takes {100 * taken.limit_bytes / taken.memory_bytes:.0f}% of the memory at startup"
    return f"sets aside {count(taken.slot_tokens)} tokens for each conversation"


def reservation_values(load: Load, taken: Reservation, longest: int) -> dict[str, ReadoutValue]:
    """Return the readouts of one engine, by the ends of their names."""
    values: dict[str, ReadoutValue] = {
        "reserved_bytes": math.fsum(taken.reserved_bytes),
        "window_bytes": math.fsum(float(part.window_bytes) for part in taken.parts),
        "state_bytes": math.fsum(float(part.state_bytes) for part in taken.parts),
        "buffers_bytes": math.fsum(working.buffers_bytes for working in taken.working),
        "graphs_bytes": math.fsum(working.graphs_bytes for working in taken.working),
        "process_bytes": math.fsum(working.outside_bytes for working in taken.working),
        "free_bytes": taken.free_bytes,
        "fits": taken.fits,
        "largest_context_tokens": longest,
    }
    return values if applies(load, taken) else dict.fromkeys(values, SHARED)


def reservation_table(load: Load, taken: Sequence[Reservation], longest: Sequence[int]) -> SafeString:
    """Return the numbers, the engines as columns."""
    columns = [reservation_values(load, *pair) for pair in zip(taken, longest, strict=True)]

    def row(name: str) -> list[TableCell]:
        return [(f"{prefix(one.engine)}_{name}", values[name]) for one, values in zip(taken, columns, strict=True)]

    slots: list[TableCell] = [
        f"blocks of {one.rule.step_tokens} tokens" if one.rule.pooled else f"{count(one.slot_tokens)} tokens"
        for one in taken
    ]
    parts = (
        ("Of the cache, windows", "window_bytes"),
        ("Of the cache, states", "state_bytes"),
        ("Buffers of a pass, about", "buffers_bytes"),
        ("Graphs, about", "graphs_bytes"),
        ("Process, about", "process_bytes"),
    )
    rows: list[tuple[str, list[TableCell]]] = [
        ("For each conversation", slots),
        ("Cache set aside", row("reserved_bytes")),
        *((label, row(name)) for label, name in parts),
        ("Left free, fullest device" if load.on.n_devices > 1 else "Left free", row("free_bytes")),
        ("Fits", row("fits")),
        ("Largest context", row("largest_context_tokens")),
    ]
    title = f"How {NUMBERS[len(taken)] if len(taken) < len(NUMBERS) else len(taken)} engines take memory"
    return readout_table(title, ("", *[engine.name for engine in RESERVING]), rows, DECLARED)
