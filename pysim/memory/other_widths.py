"""Other widths: what do a checkpoint's exceptions add to, or take from, the bytes of its weights?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim.models.layers import layers

if TYPE_CHECKING:
    from pysim.models.exceptions import OtherWidth
    from pysim.models.mixer import Layer
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Widths:
    """Bits per weight that all layers would have without exceptions: of experts, and of everything else."""

    experts: float
    beside: float


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreBits:
    """Bits that exceptions add to the parts of a model; negative where they are narrower than the rest."""

    layers: float = 0.0
    experts: float = 0.0
    head: float | None = None
    embedding: float | None = None


def more_bits(model: Model, widths: Widths) -> MoreBits:
    """The bits that a model's exceptions add; `head` and `embedding` are the widths of the tables, if named."""
    each = layers(model)
    beside = experts = 0.0
    tables: dict[str, float] = {}
    for exception in model.other_widths:
        if exception.part in ("head", "embedding"):
            tables[exception.part] = exception.bits
            continue
        added = sum(_params(model, each[number], exception) for number in exception.layers)
        if exception.part.startswith("experts"):
            experts += added * (exception.bits - widths.experts)
        else:
            beside += added * (exception.bits - widths.beside)
    return MoreBits(layers=beside, experts=experts, head=tables.get("head"), embedding=tables.get("embedding"))


def _params(model: Model, layer: Layer, exception: OtherWidth) -> float:
    """How many parameters of a layer an exception is about."""
    kind, _, matrix = exception.part.partition("_")
    if not matrix:
        # What is in none of the four matrices goes with the queries.
        sizes = (
            {"query": mixer.query + mixer.other, "key": mixer.key, "value": mixer.value, "output": mixer.output}
            for mixer in layer.mixers
        )
        return sum(size[kind] for size in sizes)
    up = 2 if model.block.gated_ffn else 1
    counted = {"dense": layer.params.dense, "shared": layer.params.shared, "experts": layer.params.experts}
    return counted[kind] * (up if matrix == "up" else 1) / (up + 1)
