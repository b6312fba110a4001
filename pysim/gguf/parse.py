"""The parser: the first bytes of a GGUF file → its header.

The form is that of docs/gguf.md in https://github.com/ggml-org/ggml, read on 2026-12-01: magic, version, counts, then
keys with typed values, then tensors with shapes, types and offsets. Every count is bounded before it is followed.
"""

from __future__ import annotations

import math
from typing import Final

from pysim.errors import BadConfig, quoted
from pysim.formats.ggml_types import GGML_TYPES
from pysim.gguf.cursor import SIZES, Cursor
from pysim.gguf.header import CutHeader, Header, Scalar, Tensor
from pysim.gguf.magic import other_kind

_VALUE_TYPES: Final = (
    "u8", "i8", "u16", "i16", "u32", "i32", "f32", "bool", "text", "array", "u64", "i64", "f64",
)  # fmt: skip
MOST_KEYS: Final = 65_536
MOST_TENSORS: Final = 100_000
MOST_DIMENSIONS: Final = 4  # GGML_MAX_DIMS
MOST_WEIGHTS: Final = 10**15
LONGEST_KEY: Final = 65_535
LONGEST_NAME: Final = 255
DEEPEST: Final = 4  # arrays of arrays; nobody writes any
# What is kept of the metadata: arrays of numbers up to one per layer, texts up to a name's length.
LONGEST_ARRAY: Final = 10_000
LONGEST_TEXT: Final = 1_000
_MOST_KEPT: Final = 1_000_000
_USUAL_ALIGNMENT: Final = 32


def parse_header(data: bytes) -> Header:
    """The header in the first bytes of a file; CutHeader where it goes on behind them, BadConfig where it is none."""
    cursor = Cursor(data)
    version = _version(cursor)
    cursor.place = "its counts"
    tensor_count, key_count = cursor.whole("u64"), cursor.whole("u64")
    _bounded(key_count, MOST_KEYS, "metadata keys")
    _bounded(tensor_count, MOST_TENSORS, "tensors")
    metadata = _Metadata(cursor)
    for index in range(key_count):
        cursor.place = f"metadata key {index + 1} of {key_count}"
        metadata.read_one()
    tensors: dict[str, Tensor] = {}
    for index in range(tensor_count):
        cursor.place = f"tensor {index + 1} of {tensor_count}"
        tensor = _tensor(cursor)
        if tensor.name in tensors:
            raise BadConfig(f"two tensors are called {quoted(tensor.name)}")
        tensors[tensor.name] = tensor
    alignment = metadata.values.get("general.alignment", _USUAL_ALIGNMENT)
    if isinstance(alignment, bool) or not isinstance(alignment, int) or not 0 < alignment <= 2**20:
        raise BadConfig(f"general.alignment must be from 1 to {2**20:,}, not {quoted(alignment)}")
    return Header(
        version=version,
        values=metadata.values,
        lengths=metadata.lengths,
        tensors=tuple(tensors.values()),
        data_start=-(-cursor.at // alignment) * alignment,
        notes=() if _offsets_follow(tensors, alignment) else ("the offsets of its tensors do not follow their sizes",),
    )


def _version(cursor: Cursor) -> int:
    """The version, with the cursor set to the file's byte order."""
    magic = cursor.data[:4]
    if magic != b"GGUF":
        if magic and b"GGUF".startswith(magic):
            raise CutHeader(f"it ends after {len(magic)} bytes, within the first four", 24)
        raise BadConfig(f"it is not a GGUF file{other_kind(cursor.data)}")
    cursor.at, cursor.place = 4, "its version"
    version = cursor.whole("u32")
    # The magic reads the same in both byte orders, the version does not: it is a small number.
    if version and not version & 0xFFFF:
        cursor.order(">")
        cursor.at = 4
        version = cursor.whole("u32")
    if version == 1:
        raise BadConfig("it is GGUF version 1, of August 2023; llama.cpp reads versions 2 and 3 as well: convert it")
    if version not in (2, 3):
        raise BadConfig(f"it is GGUF version {version:,}; versions 2 and 3 are known")
    return version


class _Metadata:
    """The metadata as far as it is kept; `kept` counts what was, so no file fills the memory."""

    def __init__(self, cursor: Cursor) -> None:
        self.cursor = cursor
        self.values: dict[str, Scalar | tuple[Scalar, ...]] = {}
        self.lengths: dict[str, int] = {}
        self.names: set[str] = set()
        self.kept = 0

    def read_one(self) -> None:
        """One key with its value."""
        cursor = self.cursor
        key = _name(cursor, LONGEST_KEY)
        if key in self.names:
            raise BadConfig(f"the metadata key {quoted(key)} appears twice")
        self.names.add(key)
        self.kept += len(key) // 16
        cursor.place += f", {quoted(key)}"
        kind = _value_type(cursor)
        if kind == "array":
            self._array(key)
        elif kind == "text":
            size = cursor.whole("u64")
            start = cursor.pass_over(size)
            if self._room(min(size, LONGEST_TEXT)):
                kept = cursor.data[start : start + min(size, LONGEST_TEXT)]
                self.values[key] = kept.decode("utf-8", "replace")
        else:
            self.values[key] = cursor.number(kind)

    def _array(self, key: str) -> None:
        cursor = self.cursor
        kind, count = _value_type(cursor), cursor.whole("u64")
        self.lengths[key] = count
        if kind in SIZES and count <= LONGEST_ARRAY and self._room(count):
            self.values[key] = cursor.numbers(kind, count)
        else:
            _pass_array(cursor, kind, count, 1)

    def _room(self, size: int) -> bool:
        self.kept += size
        return self.kept <= _MOST_KEPT


def _pass_array(cursor: Cursor, kind: str, count: int, depth: int) -> None:
    """Leave the elements of an array behind."""
    if kind in SIZES:
        cursor.pass_over(SIZES[kind] * count)
    elif kind == "text":
        cursor.pass_texts(count)
    elif depth >= DEEPEST:
        raise BadConfig(f"{cursor.place} nests arrays deeper than {DEEPEST} levels")
    else:
        _bounded(count, LONGEST_ARRAY, f"nested arrays, in {cursor.place}")
        for _ in range(count):
            inner = _value_type(cursor)
            _pass_array(cursor, inner, cursor.whole("u64"), depth + 1)


def _value_type(cursor: Cursor) -> str:
    number = cursor.whole("u32")
    if number >= len(_VALUE_TYPES):
        raise BadConfig(f"{cursor.place} has the value type {number:,}; the types go from 0 to {len(_VALUE_TYPES) - 1}")
    return _VALUE_TYPES[number]


def _tensor(cursor: Cursor) -> Tensor:
    name = _name(cursor, LONGEST_NAME)
    dimensions = cursor.whole("u32")
    if dimensions > MOST_DIMENSIONS:
        raise BadConfig(f"tensor {quoted(name)} has {dimensions:,} dimensions; at most {MOST_DIMENSIONS} are allowed")
    shape = tuple(int(size) for size in cursor.numbers("u64", dimensions))
    number, offset = cursor.whole("u32"), cursor.whole("u64")
    kind = GGML_TYPES.get(number)
    if kind is None:
        raise BadConfig(f"tensor {quoted(name)} has the ggml type {number:,}, whose block size pysim doesn't know")
    weights = math.prod(shape)
    if weights > MOST_WEIGHTS:
        raise BadConfig(f"tensor {quoted(name)} would have more than {MOST_WEIGHTS:,} weights")
    row = shape[0] if shape else 1
    if row % kind.block_weights:
        raise BadConfig(
            f"tensor {quoted(name)} has rows of {row:,}, and {kind.name} needs blocks of {kind.block_weights}"
        )
    return Tensor(name=name, shape=shape, kind=kind, weights=weights, offset=offset)


def _name(cursor: Cursor, longest: int) -> str:
    raw = cursor.text(longest)
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadConfig(f"the name of {cursor.place} is not UTF-8 at byte {error.start}") from error


def _bounded(count: int, most: int, what: str) -> None:
    if count > most:
        shown = f"{count:,}" if count < 10**15 else f"2^{count.bit_length() - 1} or more"
        raise BadConfig(f"it claims {shown} {what}; at most {most:,} are accepted")


def _offsets_follow(tensors: dict[str, Tensor], alignment: int) -> bool:
    """Does each tensor's data begin where that of the one before ends, aligned?"""
    expected = 0
    for tensor in tensors.values():
        if tensor.offset != expected:
            return False
        expected += -(-tensor.stored_bytes // alignment) * alignment
    return True
