"""The tensors of a GGUF file by place: those of each layer under their own names, and those outside the layers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.errors import BadConfig

if TYPE_CHECKING:
    from pysim.gguf.header import Header, Tensor

_BLOCK: Final = re.compile(r"(?:dec\.)?blk\.(\d{1,5})\.(.+)\Z")
MOST_BLOCKS: Final = 10_000


@dataclass(frozen=True, slots=True)
class Block:
    """One layer's tensors by name, without "blk.N." and ".weight": "attn_q", "attn_q.bias"."""

    number: int
    tensors: Mapping[str, Tensor]

    def has(self, *names: str) -> bool:
        """Is one of these tensors there?"""
        return any(name in self.tensors for name in names)

    def weights(self, *names: str) -> int:
        """Weights of these tensors and of their biases; those that are missing count nothing."""
        found = (self.tensors.get(full) for name in names for full in (name, f"{name}.bias"))
        return sum(tensor.weights for tensor in found if tensor is not None)

    def weights_of(self, *beginnings: str) -> int:
        """Weights of all tensors whose names begin so."""
        return sum(tensor.weights for name, tensor in self.tensors.items() if name.startswith(beginnings))

    def size(self, name: str, dimension: int) -> int | None:
        """One dimension of a tensor, the contiguous one 0; None where there is no such tensor or dimension."""
        tensor = self.tensors.get(name)
        return tensor.shape[dimension] if tensor is not None and dimension < len(tensor.shape) else None


def blocks(header: Header) -> tuple[Block, ...]:
    """The layers in their order; BadConfig where one is missing."""
    by_number: dict[int, dict[str, Tensor]] = {}
    for tensor in header.tensors:
        place = _BLOCK.match(tensor.name)
        if place is not None:
            by_number.setdefault(int(place[1]), {})[place[2].removesuffix(".weight")] = tensor
    if not by_number:
        what = "lists no tensors, only a vocabulary" if not header.tensors else "has no layers (no tensor blk.0.…)"
        raise BadConfig(f"the file {what}; give the file with the weights")
    if len(by_number) > MOST_BLOCKS:
        raise BadConfig(f"the file has {len(by_number):,} layers; at most {MOST_BLOCKS:,} are accepted")
    last = max(by_number)
    missing = next((number for number in range(last) if number not in by_number), None)
    if missing is not None:
        raise BadConfig(f"the file has a layer {last} but no layer {missing}: part of it is missing")
    return tuple(Block(number, by_number[number]) for number in range(last + 1))


def beside(header: Header) -> dict[str, Tensor]:
    """The tensors outside the layers, without ".weight"."""
    return {tensor.name.removesuffix(".weight"): tensor for tensor in header.tensors if not _BLOCK.match(tensor.name)}
