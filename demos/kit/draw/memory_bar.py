"""The memory of a device as a bar to scale: what is in it, what is free, and what does not fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import Node, SafeString, div, i, span

from demos.kit.html import element
from demos.kit.number import percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Something in memory: `kind` is "w" (weights), "k" (cache in use), "r" (cache reserved), "e" (engine's own)."""

    kind: str
    size_bytes: float
    label: str


LABEL_FITS = 0.16


def memory_bar(
    stored: Sequence[Stored],
    capacity_bytes: float | None,
    *,
    free_label: str,
    edge_label: str,
    thin: bool = False,
) -> SafeString:
    """Return the bar. Where more is stored than fits, the bar is as wide as what is stored and the edge is marked.

    Labels too long for their part are in the legend below, which names every part; of a `thin` bar all do.
    """
    used = math.fsum(part.size_bytes for part in stored)
    scale = max(used, capacity_bytes or 0.0) or 1.0
    parts: list[Node] = [_part(part, scale, thin) for part in stored if part.size_bytes > 0]
    if capacity_bytes is not None and capacity_bytes > used:
        share = (capacity_bytes - used) / scale
        parts.append(element(span, {"class": "f"}, free_label if share >= LABEL_FITS and not thin else ""))
    legend: list[Node] = [span({"class": f"key {part.kind}"}, part.label) for part in stored if part.size_bytes > 0]
    if capacity_bytes is not None and capacity_bytes > used:
        legend.append(span({"class": "key f"}, free_label))
    edge: list[Node] = []
    if capacity_bytes is not None and used > capacity_bytes:
        edge.append(i({"class": "bank-edge", "style": f"left:{percent(capacity_bytes / scale)}"}))
        legend.append(span({"class": "bank-over"}, edge_label))
    return element(
        div,
        {"class": "bank-part"},
        element(div, {"class": "bank thin" if thin else "bank", "aria-hidden": "true"}, *parts, *edge),
        div({"class": "bank-legend"}, *legend),
    )


def _part(part: Stored, scale: float, thin: bool) -> SafeString:
    share = part.size_bytes / scale
    label = part.label if share >= LABEL_FITS and not thin else ""
    return element(span, {"class": part.kind, "style": f"width:{percent(share)}"}, label)
