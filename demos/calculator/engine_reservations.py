"""What do vLLM, llama.cpp and ollama make of the same memory? A picture to scale, and the numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simple_html import SafeString, div, p

from demos.calculator.controls import DECLARED, NAMES, PREFIX, SHARED_MEMORY
from demos.calculator.device_memory import Box, Row, device_memory
from demos.calculator.readout_table import TableCell, readout_table
from demos.kit.declare.readouts import Missing, ReadoutValue
from demos.kit.html import element
from demos.kit.number import count
from pysim import units
from pysim.memory.kv_cache import BLOCK_TOKENS
from pysim.memory.placement import Place
from pysim.memory.reservation import VLLM_SHARE, Habit, Reservation
from pysim.memory.ways_to_fit import Load

SHARED = Missing("memory is shared here")


def applies(load: Load, habit: Habit) -> bool:
    """Say whether a habit means something on these devices: a share of "the card" needs memory of the card's own."""
    return habit != "vllm" or load.device.family not in SHARED_MEMORY


def where(load: Load) -> str:
    """Return "2 × NVIDIA GeForce RTX 4090"."""
    return f"{count(load.n_devices)} × {load.device.name}" if load.n_devices > 1 else load.device.name


def each(load: Load) -> str:
    """Return " each" where there are several devices."""
    return " each" if load.n_devices > 1 else ""


def on_which(load: Load) -> str:
    """Return on which of several devices so much is free or missing."""
    if load.n_devices == 1:
        return ""
    return " on each device" if load.split == "tensor" else " on the fullest device"


def gigabytes(size_bytes: float) -> str:
    """Return a size in three digits."""
    return units.show(size_bytes, "B", digits=3)


def habit_picture(load: Load, placed: Sequence[Place], taken: Sequence[Reservation]) -> SafeString:
    """Return each device's memory, once for each habit."""
    needed = [place.cache_bytes(load.context_tokens, load.sequences) for place in placed]
    rows = [_row(load, each_taken, needed) for each_taken in taken if applies(load, each_taken.habit)]
    keys = (
        ("w", f"weights {gigabytes(math.fsum(place.weights_bytes for place in placed))}"),
        ("k", f"cache needed {gigabytes(math.fsum(needed))}"),
        ("r", "set aside, not needed"),
        ("f", "free"),
    )
    memory = units.show(load.device.memory, "B", binary=True, digits=3)
    caption = f"{load.model.name} in the memory of {where(load)}, {memory}{each(load)}, to scale"
    return element(div, {}, p({"class": "cap"}, caption), device_memory(rows, load.device.memory, keys))


def _row(load: Load, taken: Reservation, needed: Sequence[float]) -> Row:
    boxes = [
        Box(weights_bytes=weights, needed_bytes=cache, idle_bytes=max(0.0, reserved - cache))
        for weights, cache, reserved in zip(taken.weights_bytes, needed, taken.reserved_bytes, strict=True)
    ]
    return Row(
        title=NAMES[taken.habit],
        note=_note(taken),
        verdict="fits" if taken.fits else f"{gigabytes(taken.short_bytes)} too much{on_which(load)}",
        good=taken.fits,
        boxes=boxes,
        limit_bytes=taken.limit_bytes,
    )


def _note(taken: Reservation) -> str:
    if taken.habit == "vllm":
        return f"takes {100 * VLLM_SHARE:.0f}% of the memory at once"
    return f"sets aside {count(taken.slot_tokens)} tokens for each conversation"


def habit_values(load: Load, taken: Reservation, longest: int) -> dict[str, ReadoutValue]:
    """Return the readouts of one habit, by the ends of their names."""
    values: dict[str, ReadoutValue] = {
        "reserved_bytes": math.fsum(taken.reserved_bytes),
        "free_bytes": taken.free_bytes,
        "fits": taken.fits,
        "largest_context_tokens": longest,
    }
    return values if applies(load, taken.habit) else dict.fromkeys(values, SHARED)


def habit_table(load: Load, taken: Sequence[Reservation], longest: Sequence[int]) -> SafeString:
    """Return the numbers, the three habits as columns."""
    columns = [habit_values(load, *pair) for pair in zip(taken, longest, strict=True)]

    def row(name: str) -> list[TableCell]:
        return [(f"{PREFIX[t.habit]}_{name}", values[name]) for t, values in zip(taken, columns, strict=True)]

    slots: list[TableCell] = [
        f"blocks of {BLOCK_TOKENS} tokens" if t.habit == "vllm" else f"{count(t.slot_tokens)} tokens" for t in taken
    ]
    rows: list[tuple[str, list[TableCell]]] = [
        ("For each conversation", slots),
        ("Cache set aside", row("reserved_bytes")),
        ("Left free, fullest device" if load.n_devices > 1 else "Left free", row("free_bytes")),
        ("Fits", row("fits")),
        ("Largest context", row("largest_context_tokens")),
    ]
    return readout_table("How three engines take memory", ("", *NAMES.values()), rows, DECLARED)
