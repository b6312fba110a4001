"""How many bits does a weight or a cached number take, by the names that people call formats?

True bits: scales, zero points and group overheads are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pysim.checks import shown
from pysim.errors import BadValue, nearest
from pysim.gguf import RECIPES, SOURCE, type_bits

Multiplies = Literal["fp32", "fp16", "fp8", "int8", "fp4"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFormat:
    """One way to store weights.

    `bits_per_weight`: of the layers' matrices of a dense model; in a mixture `expert_bits` of routed
    experts and `beside_experts_bits` of the rest; `head_bits` and `embedding_bits` of the tables.
    With a `recipe` they are its main type's, and llama.cpp's mixture decides tensor by tensor.
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


def _format(
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
_MLX: Final = "https://github.com/ml-explore/mlx: a group of 64 (or 32) weights has a 16-bit scale and a 16-bit bias"
_NNCF: Final = "https://github.com/openvinotoolkit/nncf: INT4 mixed is 80% 4-bit in groups of 128, the rest 8-bit"
_BNB: Final = "arXiv:2305.14314, QLoRA: blocks of 64 weights with a 32-bit scale"
_UNSLOTH: Final = "computed from the sizes of published files (llama-bench, weights_gib_reported)"

_FIXED: Final[Mapping[str, WeightFormat]] = {
    "f32": _format("F32", 32, _IEEE, tables=32, multiplies_in="fp32"),
    "f16": _format("F16", 16, _IEEE),
    "bf16": _format("BF16", 16, _IEEE),
    # One byte for every weight, tables too; the scales of a channel or a tensor do not count.
    "fp8": _format("FP8", 8, "arXiv:2209.05433, FP8 formats for deep learning", tables=8, multiplies_in="fp8"),
    "int8": _format("INT8", 8, "arXiv:2211.10438, SmoothQuant", tables=8, multiplies_in="int8"),
    "int8-cw": _format("INT8-CW", 8, _NNCF, tables=8),
    "int4-mixed": _format("INT4-MIXED", 0.8 * (4 + 16 / 128) + 0.2 * 8, _NNCF, tables=8),
    "nvfp4": _format("NVFP4", 4 + 8 / 16, _NVIDIA, multiplies_in="fp4"),
    "nf4": _format("NF4", 4 + 32 / 64, _BNB),
    "mxfp4": _format("MXFP4", type_bits("mxfp4"), _MXFP4, tables=type_bits("q8_0"), beside=type_bits("q8_0")),
    # Solved from the reported sizes of gemma-3-27b (dense) and qwen3-30b-a3b (experts) ...
    "ud-q4-k-xl": _format("UD-Q4_K_XL", 4.89, _UNSLOTH, experts=4.6, tables=6.5625, embedding=type_bits("q4_k")),
    # ... and of qwen3-235b-a22b; how that file splits layers and experts is not reported.
    "ud-q3-k-xl": _format("UD-Q3_K_XL", 4.5, _UNSLOTH, experts=3.5, tables=6.5625, embedding=type_bits("q3_k")),
} | {
    name.replace("_", "-"): _format(name.upper(), type_bits(base), SOURCE, tables=type_bits(base), recipe=name)
    for name, base in RECIPES.items()
}

_ALIASES: Final = {
    "fp32": "f32", "float32": "f32", "fp16": "f16", "float16": "f16", "half": "f16", "bfloat16": "bf16",
    "fp8-e4m3": "fp8", "fp8-e5m2": "fp8", "e4m3": "fp8", "w8a8": "int8", "8-bit": "int8", "8bit": "int8",
    "fp4": "nvfp4", "q8": "q8-0", "q2-k-m": "q2-k", "q3-k": "q3-k-m", "q4-k": "q4-k-m", "q5-k": "q5-k-m",
    "listed-as-bf16": "mxfp4", "int4": "gptq-int4", "4-bit": "gptq-int4", "4bit": "gptq-int4", "bnb-4bit": "nf4",
}  # fmt: skip
_GROUPED: Final = re.compile(
    r"(gptq|awq)(?:-int|-)?([2348])?(?:-?bit)?(?:-g(\d{2,4}))?\Z|int([2348])-(gptq|awq)(?:-g(\d{2,4}))?\Z"
)
_EXL2: Final = re.compile(r"exl2-(\d(?:\.\d{1,2})?)(?:-bpw|bpw)?\Z")
_MLX_NAME: Final = re.compile(r"mlx-(?:q([2-8])|([2-8])-?bit)(?:-g(32|64|128))?\Z")

_KV: Final[Mapping[str, KvFormat]] = {
    name: KvFormat(name=name.upper().replace("-", "_"), bits_per_element=bits, source=source)
    for name, bits, source in (
        ("f32", 32.0, _IEEE),
        ("f16", 16.0, _IEEE),
        ("bf16", 16.0, _IEEE),
        ("fp8", 8.0, "arXiv:2209.05433"),
        ("int8", 8.0, "one byte; scales per token or channel do not count"),
        ("nvfp4", 4.5, _NVIDIA),
        *((f"{each[:2]}-{each[3:]}", type_bits(each), SOURCE) for each in ("q8_0", "q5_1", "q5_0", "q4_1", "q4_0")),
        ("iq4-nl", type_bits("iq4_nl"), SOURCE),
    )
}


def weight_formats() -> tuple[str, ...]:
    """The usual names of the weight formats; families with parameters (GPTQ, AWQ, EXL2, MLX) by an example."""
    return (*(each.name for each in _FIXED.values()), "GPTQ-INT4", "AWQ-INT4", "EXL2 4.0 bpw", "MLX q4")


def kv_formats() -> tuple[str, ...]:
    """The names of the cache formats."""
    return tuple(each.name for each in _KV.values())


@lru_cache(maxsize=512)
def weight_format(name: str) -> WeightFormat:
    """The format of a common name in any case; a remark in parentheses is ignored."""
    word = _word(name, "weight format")
    found = _FIXED.get(_ALIASES.get(word, word)) or _family(_ALIASES.get(word, word))
    if found is None:
        raise _unknown("weight format", name, weight_formats())
    return found


@lru_cache(maxsize=128)
def kv_format(name: str) -> KvFormat:
    """The cache format of a common name in any case."""
    word = _word(name, "KV format")
    found = _KV.get(_ALIASES.get(word, word))
    if found is None:
        raise _unknown("KV format", name, kv_formats())
    return found


def _word(name: object, kind: str) -> str:
    """A name as the tables have it: lower case, hyphens, without remarks."""
    if not isinstance(name, str):
        raise BadValue(f'a {kind} is a name such as "f16", not {shown(name)}')
    word = re.sub(r"\(.*?\)", " ", name.lower())
    if not word.strip().startswith("exl2"):
        word = re.sub(r"-?\s*[0-9.]+\s*bpw", " ", word)
    word = re.sub(r"\s+-\s+(s|m|l)(mall|edium|arge)\b", r"-\1", word)
    return re.sub(r"[\s_-]+", "-", word.strip()).strip("-")


def _family(word: str) -> WeightFormat | None:
    if found := _GROUPED.match(word):
        method, bits, group = found[1] or found[5], int(found[2] or found[4] or 4), int(found[3] or found[6] or 128)
        # Per group a 16-bit scale and a zero point as wide as a weight; tables stay in 16 bits.
        paper = "arXiv:2210.17323, GPTQ" if method == "gptq" else "arXiv:2306.00978, AWQ"
        named = f"{method.upper()}-INT{bits}" + (f"-g{group}" if group != 128 else "")
        return _format(named, bits + (16 + bits) / group, paper)
    if found := _EXL2.match(word):
        source = "https://github.com/turboderp-org/exllamav2: the head has 6 bits, the input table 16"
        return _format(f"EXL2 {found[1]} bpw", float(found[1]), source, tables=6, embedding=16)
    if found := _MLX_NAME.match(word):
        bits, group = int(found[1] or found[2]), int(found[3] or 64)
        each = bits + 32 / group
        return _format(f"MLX q{bits}" + (f" g{group}" if group != 64 else ""), each, _MLX, tables=each)
    return None


def _unknown(kind: str, name: str, allowed: tuple[str, ...]) -> BadValue:
    close = nearest(name, allowed)
    hint = "did you mean " + " or ".join(close) + "?" if close else "allowed: " + ", ".join(allowed)
    return BadValue(f'unknown {kind} "{name[:60]}"; {hint}')
