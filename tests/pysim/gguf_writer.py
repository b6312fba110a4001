"""A writer of small GGUF files for the tests: magic, version, counts, keys with values, tensors without data.

The form is that of docs/gguf.md in https://github.com/ggml-org/ggml, written down here a second time on purpose.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

# ggml type: its number, and the bytes and weights of a block (ggml-common.h)
TYPES = {
    "f32": (0, 4, 1), "f16": (1, 2, 1), "q4_0": (2, 18, 32), "q5_1": (7, 24, 32), "q8_0": (8, 34, 32),
    "q4_K": (12, 144, 256), "q5_K": (13, 176, 256), "q6_K": (14, 210, 256), "bf16": (30, 2, 1), "mxfp4": (39, 17, 32),
}  # fmt: skip


@dataclass(frozen=True)
class Numbers:
    """An array of numbers: `kind` is the number of its value type, `code` how struct packs one."""

    values: tuple[float, ...]
    kind: int = 4
    code: str = "I"


@dataclass(frozen=True)
class Texts:
    """An array of texts."""

    values: tuple[str, ...]


@dataclass(frozen=True)
class T:
    """A tensor: its shape, the contiguous dimension first, and its type."""

    name: str
    shape: tuple[int, ...]
    kind: str = "f32"

    @property
    def stored_bytes(self) -> int:
        _, size, weights = TYPES[self.kind]
        return math.prod(self.shape) // weights * size


Value = int | float | bool | str | Numbers | Texts


def text(value: str, order: str = "<") -> bytes:
    raw = value.encode()
    return struct.pack(order + "Q", len(raw)) + raw


def value_bytes(value: Value, order: str = "<") -> bytes:
    if isinstance(value, bool):
        return struct.pack(order + "I?", 7, value)
    if isinstance(value, int):
        return struct.pack(order + "II", 4, value)
    if isinstance(value, float):
        return struct.pack(order + "If", 6, value)
    if isinstance(value, str):
        return struct.pack(order + "I", 8) + text(value, order)
    if isinstance(value, Numbers):
        packed = struct.pack(f"{order}{len(value.values)}{value.code}", *value.values)
        return struct.pack(order + "IIQ", 9, value.kind, len(value.values)) + packed
    return struct.pack(order + "IIQ", 9, 8, len(value.values)) + b"".join(text(one, order) for one in value.values)


def gguf(
    values: Mapping[str, Value], tensors: Iterable[T] = (), *, version: int = 3, order: str = "<", alignment: int = 32
) -> bytes:
    """The header of a file, up to where the data of its tensors begins."""
    listed = list(tensors)
    out = [b"GGUF", struct.pack(order + "IQQ", version, len(listed), len(values))]
    out += [text(key, order) + value_bytes(value, order) for key, value in values.items()]
    offset = 0
    for tensor in listed:
        out.append(text(tensor.name, order) + struct.pack(order + "I", len(tensor.shape)))
        out.append(struct.pack(f"{order}{len(tensor.shape)}Q", *tensor.shape))
        out.append(struct.pack(order + "IQ", TYPES[tensor.kind][0], offset))
        offset += -(-tensor.stored_bytes // alignment) * alignment
    header = b"".join(out)
    return header + bytes(-len(header) % alignment)


def small(**more: Value) -> dict[str, Value]:
    """The metadata of a model of two layers."""
    return {
        "general.architecture": "llama",
        "general.name": "Small",
        "general.file_type": 15,
        "llama.block_count": 2,
        "llama.context_length": 2048,
        "llama.embedding_length": 256,
        "llama.feed_forward_length": 512,
        "llama.attention.head_count": 4,
        "llama.attention.head_count_kv": 2,
        "tokenizer.ggml.tokens": Texts(("<s>", "</s>", "a", "ä") * 64),
        "tokenizer.ggml.scores": Numbers((0.0,) * 256, kind=6, code="f"),
        **more,
    }


def small_tensors(kind: str = "q4_K") -> list[T]:
    """The tensors of that model; the input table is the head."""
    listed = [T("token_embd.weight", (256, 256), "q6_K"), T("output_norm.weight", (256,))]
    for layer in range(2):
        listed += [
            T(f"blk.{layer}.attn_norm.weight", (256,)),
            T(f"blk.{layer}.attn_q.weight", (256, 256), kind),
            T(f"blk.{layer}.attn_k.weight", (256, 128), kind),
            T(f"blk.{layer}.attn_v.weight", (256, 128), kind),
            T(f"blk.{layer}.attn_output.weight", (256, 256), kind),
            T(f"blk.{layer}.ffn_norm.weight", (256,)),
            T(f"blk.{layer}.ffn_gate.weight", (256, 512), kind),
            T(f"blk.{layer}.ffn_up.weight", (256, 512), kind),
            T(f"blk.{layer}.ffn_down.weight", (512, 256), kind),
        ]
    return listed
