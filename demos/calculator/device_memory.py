"""Each device's memory as a box to one scale: weights, cache, what is set aside, and what is free."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, div, i, small, span, strong

from demos.kit.html import element
from demos.kit.number import percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """One device: bytes of weights, of the engine, of the cache that is needed, and of what is set aside beyond."""

    weights_bytes: float
    engine_bytes: float
    needed_bytes: float
    idle_bytes: float

    @property
    def filled_bytes(self) -> float:
        """Bytes of everything in the box."""
        return math.fsum((self.weights_bytes, self.engine_bytes, self.needed_bytes, self.idle_bytes))


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRow:
    """One way to fill the devices. `limit_bytes` is drawn where it is less than a device's memory."""

    title: str
    note: str
    verdict: str
    good: bool
    boxes: Sequence[Box]
    limit_bytes: float


def device_memory(rows: Sequence[DeviceRow], memory_bytes: float, keys: Sequence[tuple[str, str]]) -> SafeString:
    """Return the rows, each box as wide as the fullest of all or the memory, and one legend of (kind, label)."""
    scale = max(memory_bytes, *(box.filled_bytes for row in rows for box in row.boxes))
    legend = [span({"class": f"key {kind}"}, label) for kind, label in keys]
    return element(
        div,
        {"class": "device-memory"},
        *[_row(row, memory_bytes, scale) for row in rows],
        div({"class": "bank-legend"}, *legend),
    )


def _row(row: DeviceRow, memory_bytes: float, scale: float) -> SafeString:
    verdict = span({"class": "verdict-good" if row.good else "verdict-bad"}, row.verdict)
    return element(
        div,
        {"class": "device-row"},
        div({"class": "device-head"}, strong(row.title), " ", small(row.note), " ", verdict),
        element(
            div,
            {"class": "device-boxes", "aria-hidden": "true"},
            *[_box(box, row.limit_bytes, memory_bytes, scale) for box in row.boxes],
        ),
    )


def _box(box: Box, limit_bytes: float, memory_bytes: float, scale: float) -> SafeString:
    parts = (("w", box.weights_bytes), ("e", box.engine_bytes), ("k", box.needed_bytes), ("r", box.idle_bytes))
    drawn: list[Node] = [
        element(span, {"class": kind, "style": f"width:{percent(size / scale)}"}) for kind, size in parts if size > 0
    ]
    free = memory_bytes - box.filled_bytes
    if free > 0:
        drawn.append(element(span, {"class": "f", "style": f"width:{percent(free / scale)}"}))
    if limit_bytes < memory_bytes:
        drawn.append(element(i, {"class": "bank-limit", "style": f"left:{percent(limit_bytes / scale)}"}))
    if memory_bytes < scale:
        drawn.append(element(i, {"class": "bank-edge", "style": f"left:{percent(memory_bytes / scale)}"}))
    return element(div, {"class": "bank thin"}, *drawn)
