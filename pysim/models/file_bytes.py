"""The bytes that a file of weights has for each part of a model, counted from its list of tensors."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FileBytes:
    """Bytes by part, as `pysim.memory.weights.StoredWeights` has them.

    `layers`: all layers with their norms, without routed experts. `experts`: all routed experts. `embedding`: input
    separate tables, 0 where the head is the table. `other`: final norm and so on. `format_name`: what the
    quantizer was asked for, or the nearest by bits; `mix`: how the bytes are spread over the types of tensors, with
    the bits of a weight, in words. `beside`: an encoder of pictures in a separate file, loaded with the model.
    """

    layers: int
    experts: int
    head: int
    embedding: int
    other: int
    format_name: str
    mix: str
    beside: int = 0

    @property
    def total(self) -> int:
        """All of them."""
        return self.layers + self.experts + self.head + self.embedding + self.other + self.beside
