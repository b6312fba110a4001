"""A writer of GGUF headers for tests, after docs/gguf.md of https://github.com/ggml-org/ggml."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from pysim.formats.ggml_types import GGML_TYPES

NUMBERS = {kind.name: number for number, kind in GGML_TYPES.items()}
Given = int | float | bool | str | Sequence[int] | Sequence[str] | Sequence[bool]


def text(value: str | bytes, order: str = "<") -> bytes:
    raw = value if isinstance(value, bytes) else value.encode()
    return struct.pack(f"{order}Q", len(raw)) + raw


def value_of(given: Given, order: str = "<") -> bytes:
    """A type and a value: whole numbers as u32, others as f32, texts, and arrays of these."""
    if isinstance(given, bool):
        return struct.pack(f"{order}I?", 7, given)
    if isinstance(given, int):
        return struct.pack(f"{order}II", 4, given)
    if isinstance(given, float):
        return struct.pack(f"{order}If", 6, given)
    if isinstance(given, str):
        return struct.pack(f"{order}I", 8) + text(given, order)
    items = [value_of(item, order) for item in given]
    kind = items[0][:4] if items else struct.pack(f"{order}I", 4)
    return struct.pack(f"{order}I", 9) + kind + struct.pack(f"{order}Q", len(items)) + b"".join(i[4:] for i in items)


def gguf(
    values: Mapping[str, Given],
    tensors: Sequence[tuple[str, str, Sequence[int]]] = (),
    *,
    version: int = 3,
    order: str = "<",
) -> bytes:
    """The header of a file with these metadata and tensors (name, type, sizes), each where its data would be."""
    data = b"GGUF" + struct.pack(f"{order}IQQ", version, len(tensors), len(values))
    for key, given in values.items():
        data += text(key, order) + value_of(given, order)
    offset = 0
    for name, kind, sizes in tensors:
        data += text(name, order) + struct.pack(f"{order}I{len(sizes)}Q", len(sizes), *sizes)
        data += struct.pack(f"{order}IQ", NUMBERS[kind], offset)
        weights = 1
        for size in sizes:
            weights *= size
        block = GGML_TYPES[NUMBERS[kind]]
        offset += -(-(weights // block.block_weights * block.block_bytes) // 32) * 32
    return data


def llama_file(more: Mapping[str, Given] | None = None, *, kind: str = "Q4_0", layers: int = 2) -> bytes:
    """A small model of llama's kind."""
    hidden, feed, vocabulary = 64, 128, 320
    tensors: list[tuple[str, str, Sequence[int]]] = [
        ("token_embd.weight", kind, (hidden, vocabulary)),
        ("output_norm.weight", "F32", (hidden,)),
    ]
    for layer in range(layers):
        at = f"blk.{layer}."
        tensors += [
            (f"{at}attn_norm.weight", "F32", (hidden,)),
            (f"{at}attn_q.weight", kind, (hidden, hidden)),
            (f"{at}attn_k.weight", kind, (hidden, hidden // 2)),
            (f"{at}attn_v.weight", kind, (hidden, hidden // 2)),
            (f"{at}attn_output.weight", kind, (hidden, hidden)),
            (f"{at}ffn_norm.weight", "F32", (hidden,)),
            (f"{at}ffn_gate.weight", kind, (hidden, feed)),
            (f"{at}ffn_up.weight", kind, (hidden, feed)),
            (f"{at}ffn_down.weight", kind, (feed, hidden)),
        ]
    values: dict[str, Given] = {
        "general.architecture": "llama",
        "general.name": "Small Llama",
        "general.file_type": 2,
        "llama.block_count": layers,
        "llama.context_length": 4096,
        "llama.embedding_length": hidden,
        "llama.feed_forward_length": feed,
        "llama.attention.head_count": 4,
        "llama.attention.head_count_kv": 2,
        "tokenizer.ggml.tokens": ["a", "bc"],
    }
    return gguf(values | dict(more or {}), tensors)
