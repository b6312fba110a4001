"""The header of a GGUF file: its metadata, and the list of its tensors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pysim import checks
from pysim.errors import BadConfig

if TYPE_CHECKING:
    from pysim.formats.ggml_types import GgmlType

Scalar = int | float | bool | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tensor:
    """One tensor: `shape` with the contiguous dimension first, as the file has it; `offset` from the data's start."""

    name: str
    shape: tuple[int, ...]
    kind: GgmlType
    weights: int
    offset: int = 0

    @property
    def stored_bytes(self) -> int:
        """Bytes of its data, without what aligns the next one."""
        return self.weights // self.kind.block_weights * self.kind.block_bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What a file says before its data.

    `values`: metadata by key; arrays of up to 10,000 numbers as tuples, longer texts and other arrays left out.
    `lengths`: how long each array is, kept or not. `data_start`: the byte where the tensors' data begins.
    """

    version: int
    values: Mapping[str, Scalar | tuple[Scalar, ...]]
    lengths: Mapping[str, int]
    tensors: tuple[Tensor, ...]
    data_start: int = 0
    notes: tuple[str, ...] = field(default=())

    @property
    def architecture(self) -> str:
        """llama.cpp's name of the architecture; "" where the file names none."""
        value = self.values.get("general.architecture")
        return value if isinstance(value, str) else ""

    def of(self, name: str) -> Scalar | tuple[Scalar, ...] | None:
        """The value of a key of the architecture: `of("block_count")` looks for "llama.block_count"."""
        return self.values.get(f"{self.architecture}.{name}")

    def count(self, key: str, least: int = 0) -> int | None:
        """A whole number of the metadata, None where there is none; BadConfig names another value."""
        value = self.values.get(key)
        return None if value is None else checks.count(value, key, least=least)

    @property
    def stored_bytes(self) -> int:
        """Bytes of all tensors."""
        return sum(tensor.stored_bytes for tensor in self.tensors)

    @property
    def weights(self) -> int:
        """Weights of all tensors."""
        return sum(tensor.weights for tensor in self.tensors)


class CutHeader(BadConfig):
    """The bytes end before the header does; `needed_bytes` is the least that would go on."""

    def __init__(self, message: str, needed_bytes: int = 0) -> None:
        super().__init__(message)
        self.needed_bytes = needed_bytes
