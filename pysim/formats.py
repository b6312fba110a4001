"""How many bits does a weight or a cached number take, by the names that people call formats?

True bits: scales, zero points and group overheads are counted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from pysim.errors import BadValue, nearest
from pysim.gguf import RECIPES, SOURCE, type_bits

Multiplies = Literal["fp32", "fp16", "fp8", "int8", "fp4"]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightFormat:
    """One way to store weights.

    `bits_per_weight`: of the layers' matrices; `expert_bits` of routed experts; `head_bits` and
    `embedding_bits` of the two tables. With a `recipe` they are only its main type's, and llama.cpp's
    mixture decides tensor by tensor. `multiplies_in`: the precision of the multiplications.
    `packed`: weights are unpacked to that precision before they are multiplied.
    """

    name: str
    bits_per_weight: float
    expert_bits: float
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


def _plain(name: str, bits: float, multiplies_in: Multiplies, source: str) -> WeightFormat:
    return WeightFormat(
        name=name, bits_per_weight=bits, expert_bits=bits, head_bits=bits, embedding_bits=bits,
        multiplies_in=multiplies_in, packed=False, source=source,
    )  # fmt: skip


def _packed(name: str, bits: float, source: str, *, tables: float = 16.0, embedding: float | None = None,
            experts: float | None = None, multiplies_in: Multiplies = "fp16") -> WeightFormat:  # fmt: skip
    return WeightFormat(
        name=name,
        bits_per_weight=bits,
        expert_bits=bits if experts is None else experts,
        head_bits=tables,
        embedding_bits=tables if embedding is None else embedding,
        multiplies_in=multiplies_in,
        packed=multiplies_in == "fp16",
        source=source,
    )


def _gguf(recipe: str) -> WeightFormat:
    bits = type_bits(RECIPES[recipe])
    name = recipe.upper()
    return WeightFormat(
        name=name, bits_per_weight=bits, expert_bits=bits, head_bits=bits, embedding_bits=bits,
        multiplies_in="fp16", packed=True, recipe=recipe, source=SOURCE,
    )  # fmt: skip


_IEEE: Final = "IEEE 754; bfloat16 is its 16-bit cut"
_OCP: Final = "OCP Microscaling Formats (MX) v1.0: 32 values of 4 bits share a scale of 8"
_NVIDIA: Final = (
    "https://developer.nvidia.com/blog/introducing-nvfp4-for-efficient-and-accurate-low-precision-inference"
)
_MLX: Final = "https://github.com/ml-explore/mlx: a group of 64 (or 32) weights has a 16-bit scale and a 16-bit bias"
_NNCF: Final = "https://github.com/openvinotoolkit/nncf: INT4 mixed is 80% 4-bit in groups of 128, the rest 8-bit"
_BNB: Final = "arXiv:2305.14314, QLoRA: blocks of 64 weights with a 32-bit scale"
_UNSLOTH: Final = "computed from the sizes of published files (llama-bench, weights_gib_reported)"

_FIXED: Final[Mapping[str, WeightFormat]] = {
    "f32": _plain("F32", 32, "fp32", _IEEE),
    "f16": _plain("F16", 16, "fp16", _IEEE),
    "bf16": _plain("BF16", 16, "fp16", _IEEE),
    # One byte for every weight, tables too; the scales of a channel or a tensor do not count.
    "fp8": _plain("FP8", 8, "fp8", "arXiv:2209.05433, FP8 formats for deep learning"),
    "int8": _plain("INT8", 8, "int8", "arXiv:2211.10438, SmoothQuant: one byte and a scale per channel"),
    "int8-cw": _packed("INT8-CW", 8, _NNCF, tables=8),
    "int4-mixed": _packed("INT4-MIXED", 0.8 * (4 + 16 / 128) + 0.2 * 8, _NNCF, tables=8),
    "nvfp4": _packed("NVFP4", 4 + 8 / 16, _NVIDIA, multiplies_in="fp4"),
    "nf4": _packed("NF4", 4 + 32 / 64, _BNB),
    "mxfp4": _packed("MXFP4", type_bits("q8_0"), f"{_OCP}; {SOURCE}: all but experts is Q8_0",
                     tables=type_bits("q8_0"), experts=type_bits("mxfp4")),
    # Solved from the reported sizes of gemma-3-27b (dense) and qwen3-30b-a3b (experts) ...
    "ud-q4-k-xl": _packed("UD-Q4_K_XL", 4.89, _UNSLOTH, experts=4.60,
                          tables=type_bits("q6_k"), embedding=type_bits("q4_k")),
    # ... and of qwen3-235b-a22b; how that file splits layers and experts is not reported.
    "ud-q3-k-xl": _packed("UD-Q3_K_XL", 4.50, _UNSLOTH, experts=3.50,
                          tables=type_bits("q6_k"), embedding=type_bits("q3_k")),
} | {name.replace("_", "-"): _gguf(name) for name in RECIPES}  # fmt: skip

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
        raise BadValue(f'a {kind} is a name such as "f16", not {name!r:.40}')
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
        return _packed(named, bits + (16 + bits) / group, paper)
    if found := _EXL2.match(word):
        source = "https://github.com/turboderp-org/exllamav2: the head has 6 bits, the input table 16"
        return _packed(f"EXL2 {found[1]} bpw", float(found[1]), source, tables=6, embedding=16)
    if found := _MLX_NAME.match(word):
        bits, group = int(found[1] or found[2]), int(found[3] or 64)
        each = bits + 32 / group
        return _packed(f"MLX q{bits}" + (f" g{group}" if group != 64 else ""), each, _MLX, tables=each)
    return None


def _unknown(kind: str, name: str, allowed: tuple[str, ...]) -> BadValue:
    close = nearest(name, allowed)
    hint = "did you mean " + " or ".join(close) + "?" if close else "allowed: " + ", ".join(allowed)
    return BadValue(f'unknown {kind} "{name[:60]}"; {hint}')
