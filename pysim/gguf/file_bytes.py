"""The bytes of a GGUF file by part: layers, experts, head and tables, each tensor in exactly what it takes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from pysim.errors import BadValue
from pysim.formats.ggml_types import FILE_TYPES
from pysim.formats.names import weight_format
from pysim.gguf.blocks import Block, beside
from pysim.gguf.layers import EXPERTS
from pysim.models.file_bytes import FileBytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.gguf.header import Header

TABLES: Final = ("token_embd", "per_layer_token_embd")
_GUESSED: Final = 1024  # llama.cpp adds it where the type was guessed from the tensors
_MOST_TYPES: Final = 4
# A file whose bits are further than this from its format's own is called by another name than it has; tables in 16 bits
# make small models of few bits much wider than their format.
_LEAST: Final = 0.7
_MOST: Final = 2.0
_USUAL: Final = ("F32", "F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M", "Q2_K", "IQ2_XXS", "IQ1_S")


def bytes_by_part(header: Header, own: Sequence[Block], beside_bytes: int = 0) -> FileBytes:
    """The bytes of the layers that every token goes through and of what is outside them."""
    experts = layers = 0
    for block in own:
        for name, tensor in block.tensors.items():
            if name.removesuffix(".bias") in EXPERTS:
                experts += tensor.stored_bytes
            else:
                layers += tensor.stored_bytes
    apart = beside(header)
    sizes = {name: tensor.stored_bytes for name, tensor in apart.items()}
    tied = "output" not in sizes
    head = sizes.get("token_embd" if tied else "output", 0)
    tables = sum(sizes.get(name, 0) for name in TABLES) - (head if tied else 0)
    return FileBytes(
        layers=layers,
        experts=experts,
        head=head,
        embedding=tables,
        other=sum(sizes.values()) - head - tables,
        format_name=_format_name(header),
        mix=_mix(header),
        beside=beside_bytes,
    )


def _format_name(header: Header) -> str:
    """The format that the file's quantizer was asked for, or the one whose tensors take most of the bytes."""
    asked = header.values.get("general.file_type")
    name = FILE_TYPES.get(asked % _GUESSED, "") if isinstance(asked, int) and not isinstance(asked, bool) else ""
    if asked in {0, 1} and _most(header) not in {"F32", "F16", "BF16"}:
        name = ""  # what writes no type of its own leaves F32 or F16 there
    bits = _bits(header)
    for candidate in (name, _most(header)):
        try:
            known = weight_format(candidate)
        except BadValue:
            continue
        if _LEAST < bits / known.bits_per_weight < _MOST:
            return known.name
    return min(_USUAL, key=lambda usual: abs(weight_format(usual).bits_per_weight - bits))


def _bits(header: Header) -> float:
    """Bits of a weight, over all tensors."""
    return 8 * header.stored_bytes / max(1, header.weights)


def _by_type(header: Header) -> Counter[str]:
    counted: Counter[str] = Counter()
    for tensor in header.tensors:
        counted[tensor.kind.name] += tensor.stored_bytes
    return counted


def _most(header: Header) -> str:
    return next((name for name, _ in _by_type(header).most_common(1)), "F16")


def _mix(header: Header) -> str:
    """How the bytes are spread over the types, such as "4.89 bits: Q4_K 71%, Q6_K 28%, F32 1%"."""
    counted = _by_type(header)
    total = sum(counted.values()) or 1
    shown = [f"{name} {100 * size / total:.0f}%" for name, size in counted.most_common(_MOST_TYPES)]
    return f"{_bits(header):.2f} bits: " + ", ".join(shown) + (" and others" if len(counted) > _MOST_TYPES else "")
