"""The table of formats: how many bits does a weight or a cached number take in each?

True bits: scales, zero points and group overheads are counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pysim.formats.gguf import RECIPES, SOURCE, type_bits
from pysim.formats.mixtures import BARTOWSKI, LARGE_TABLES, MIXTURES, UNSLOTH

Multiplies = Literal["fp32", "fp16", "fp8", "int8", "fp4"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFormat:
    """One way to store weights.

    `bits_per_weight`: of the layers' matrices of a dense model; in a mixture `expert_bits` of routed
    experts and `beside_experts_bits` of the rest; `head_bits` and `embedding_bits` of the tables.
    With a `recipe` they are its main type's, and llama.cpp's mixture decides tensor by tensor, but for the tables
    where these have another width.
    `multiplies_in`: the precision of the multiplications. `packed`: weights are unpacked to it first.
    """

    name: str
    bits_per_weight: float
    expert_bits: float
    beside_experts_bits: float
    head_bits: float
    embedding_bits: float
    multiplies_in: Multiplies
    packed: bool
    recipe: str | None = None
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KvFormat:
    """One way to store keys and values."""

    name: str
    bits_per_element: float
    source: str


def describe(
    name: str,
    bits: float,
    source: str,
    *,
    tables: float = 16.0,
    embedding: float | None = None,
    experts: float | None = None,
    beside: float | None = None,
    multiplies_in: Multiplies = "fp16",
    recipe: str | None = None,
) -> WeightFormat:
    """A format whose weights are unpacked to 16 bits, unless it multiplies in a narrower precision."""
    return WeightFormat(
        name=name,
        bits_per_weight=bits,
        expert_bits=bits if experts is None else experts,
        beside_experts_bits=bits if beside is None else beside,
        head_bits=tables,
        embedding_bits=tables if embedding is None else embedding,
        multiplies_in=multiplies_in,
        packed=multiplies_in == "fp16" and bits < 16,
        recipe=recipe,
        source=source,
    )


_IEEE: Final = "IEEE 754; bfloat16 is its 16-bit cut"
_MXFP4: Final = (
    "OCP Microscaling Formats (MX) v1.0: 32 values share a scale of 8 bits; in files of llama.cpp all of a mixture"
    " but its experts is Q8_0"
)
_NVIDIA: Final = (
    "https://developer.nvidia.com/blog/introducing-nvfp4-for-efficient-and-accurate-low-precision-inference"
)
MLX_SOURCE: Final = (
    "https://github.com/ml-explore/mlx: a group of 64 (or 32) weights has a 16-bit scale and a 16-bit bias"
)
_MLC: Final = "https://github.com/mlc-ai/mlc-llm: groups of 32 weights with a 16-bit scale, tables too"
_NNCF: Final = "https://github.com/openvinotoolkit/nncf: INT4 mixed is 80% 4-bit in groups of 128, the rest 8-bit"
_BNB: Final = (
    "arXiv:2305.14314, QLoRA: blocks of 64 weights with a scale, which double quantization stores in 8 bits with a"
    " 32-bit scale for 256 of them; head and tables stay in 16 bits"
)
_FP8: Final = "arXiv:2209.05433, FP8 formats for deep learning; checkpoints keep head and tables in 16 bits"
_INT8: Final = "arXiv:2211.10438, SmoothQuant; checkpoints keep head and tables in 16 bits"
_CHECKPOINT_MXFP4: Final = (
    "OCP Microscaling Formats (MX) v1.0: 32 values share a scale of 8 bits; in the published checkpoint all of a"
    " mixture but its experts stays in 16 bits (modules_to_not_convert of openai/gpt-oss-20b)"
)

WEIGHT_FORMATS: Final[Mapping[str, WeightFormat]] = (
    {
        "f32": describe("F32", 32, _IEEE, tables=32, multiplies_in="fp32"),
        "f16": describe("F16", 16, _IEEE),
        "bf16": describe("BF16", 16, _IEEE),
        # One byte for every weight of a layer; the scales of a channel, a tensor or a block of 128 × 128 do not count.
        "fp8": describe("FP8", 8, _FP8, multiplies_in="fp8"),
        "int8": describe("INT8", 8, _INT8, multiplies_in="int8"),
        "int8-cw": describe("INT8-CW", 8, _NNCF, tables=8),
        "int4-mixed": describe("INT4-MIXED", 0.8 * (4 + 16 / 128) + 0.2 * 8, _NNCF, tables=8),
        "nvfp4": describe("NVFP4", 4 + 8 / 16, _NVIDIA, multiplies_in="fp4"),
        "q4f16-1": describe("q4f16_1", 4 + 16 / 32, _MLC, tables=4 + 16 / 32),
        "nf4": describe("NF4", 4 + 8 / 64 + 32 / (64 * 256), _BNB),
        "nf4-single": describe("NF4-SINGLE", 4 + 32 / 64, _BNB),
        "mxfp4": describe("MXFP4", type_bits("mxfp4"), _MXFP4, tables=type_bits("q8_0"), beside=type_bits("q8_0")),
    }
    | {
        name.replace("_", "-"): describe(name.upper(), type_bits(base), SOURCE, tables=type_bits(base), recipe=name)
        for name, base in RECIPES.items()
    }
    | {
        f"ud-{name.replace('_', '-')}": describe(
            f"UD-{name.upper()}",
            dense,
            UNSLOTH,
            experts=experts,
            beside=beside,
            tables=head,
            embedding=type_bits(table),
        )
        for name, (dense, experts, beside, head, table) in MIXTURES.items()
    }
    | {
        # The same mixtures with both tables in Q8_0, as bartowski publishes them.
        name: describe(
            name.upper().replace("-", "_"),
            type_bits(RECIPES[recipe]),
            BARTOWSKI,
            tables=type_bits("q8_0"),
            recipe=recipe,
        )
        for name, recipe in LARGE_TABLES.items()
    }
)

# The same formats as the checkpoints of their publishers hold them, where those differ from llama.cpp's files.
CHECKPOINT_FORMATS: Final[Mapping[str, WeightFormat]] = {
    "MXFP4": describe("MXFP4", type_bits("mxfp4"), _CHECKPOINT_MXFP4, beside=16),
}

KV_FORMATS: Final[Mapping[str, KvFormat]] = {
    name: KvFormat(name=name.upper().replace("-", "_"), bits_per_element=bits, source=source)
    for name, bits, source in (
        ("f32", 32.0, _IEEE),
        ("f16", 16.0, _IEEE),
        ("bf16", 16.0, _IEEE),
        ("fp8", 8.0, "arXiv:2209.05433"),
        ("int8", 8.0, "one byte; scales per token or channel do not count"),
        ("nvfp4", 4.5, _NVIDIA),
        *((f"{name[:2]}-{name[3:]}", type_bits(name), SOURCE) for name in ("q8_0", "q5_1", "q5_0", "q4_1", "q4_0")),
        ("iq4-nl", type_bits("iq4_nl"), SOURCE),
    )
}
