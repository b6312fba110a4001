"""Names of formats: which one do people mean by "Q4_K - Medium" or "GPTQ-Int4"?"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from pysim.checks import shown
from pysim.errors import BadValue, nearest, quoted
from pysim.formats.table import KV_FORMATS, MLX_SOURCE, WEIGHT_FORMATS, KvFormat, WeightFormat, describe

__all__ = ["KvFormat", "WeightFormat", "kv_format", "kv_formats", "weight_format", "weight_formats"]

_ALIASES: Final = {
    "fp32": "f32", "float32": "f32", "fp16": "f16", "float16": "f16", "half": "f16", "bfloat16": "bf16",
    "fp8-e4m3": "fp8", "fp8-e5m2": "fp8", "e4m3": "fp8", "w8a8": "int8", "8-bit": "int8", "8bit": "int8",
    "fp4": "nvfp4", "q8": "q8-0", "q2-k-m": "q2-k", "q3-k": "q3-k-m", "q4-k": "q4-k-m", "q5-k": "q5-k-m",
    "listed-as-bf16": "mxfp4", "mxfp4-moe": "mxfp4", "bnb-4bit": "nf4",
    "int4": "gptq-int4", "4-bit": "gptq-int4", "4bit": "gptq-int4",
    "w4a16": "gptq-int4", "w8a16": "int8-cw", "fp8-dynamic": "fp8", "w8a8-fp8": "fp8", "q0f16": "f16",
    # llama.cpp's Q4_0, laid out anew for Arm cores
    "q4-0-4-4": "q4-0", "q4-0-4-8": "q4-0", "q4-0-8-8": "q4-0",
}  # fmt: skip
_MOST_TOLD: Final = 30
_GROUPED: Final = re.compile(
    r"(gptq|awq)(?:-int|-)?([2348])?(?:-?bit)?(?:-g(\d{2,4}))?\Z|int([2348])-(gptq|awq)(?:-g(\d{2,4}))?\Z"
)
_SYMMETRIC: Final = re.compile(r"w([2-8])a16-(?:g(\d{1,4})|(cw))\Z")
_PLAIN: Final = re.compile(r"bpw-([1-8](?:\.\d{1,2})?)\Z")
_EXL2: Final = re.compile(r"exl[23]-(\d(?:\.\d{1,2})?)(?:-bpw|bpw)?\Z")
_MLX_NAME: Final = re.compile(r"mlx-(?:q([2-8])|([2-8])-?bit)(?:-g(32|64|128))?\Z")


def weight_formats() -> tuple[str, ...]:
    """The usual names of the weight formats; families with parameters (GPTQ, AWQ, EXL2, MLX) by an example."""
    return (*(stored.name for stored in WEIGHT_FORMATS.values()), "GPTQ-INT4", "AWQ-INT4", "EXL2 4.0 bpw", "MLX q4")


def kv_formats() -> tuple[str, ...]:
    """The names of the cache formats."""
    return tuple(stored.name for stored in KV_FORMATS.values())


def weight_format(name: str) -> WeightFormat:
    """The format of a common name in any case; a remark in parentheses is ignored. BadValue offers the nearest."""
    return _weight_format(_text(name, "weight format"))


@lru_cache(maxsize=512)
def _weight_format(name: str) -> WeightFormat:
    word = _word(name)
    word = _ALIASES.get(word, word)
    stored = WEIGHT_FORMATS.get(word) or _family(word) or WEIGHT_FORMATS.get(word.removeprefix("ud-"))
    if stored is None:
        raise _unknown("weight format", name, weight_formats())
    return stored


def kv_format(name: str) -> KvFormat:
    """The cache format of a common name in any case. BadValue offers the nearest."""
    return _kv_format(_text(name, "KV format"))


@lru_cache(maxsize=128)
def _kv_format(name: str) -> KvFormat:
    word = _word(name)
    stored = KV_FORMATS.get(_ALIASES.get(word, word))
    if stored is None:
        raise _unknown("KV format", name, kv_formats())
    return stored


def _text(name: object, kind: str) -> str:
    # Asked before the caches, which cannot look up a list.
    if not isinstance(name, str):
        raise BadValue(f'a {kind} is a name such as "f16", not {shown(name)}')
    return name


def _word(name: str) -> str:
    """A name as the tables have it: lower case, hyphens, without remarks."""
    word = re.sub(r"\(.*?\)", " ", name.lower())
    if not word.strip().startswith("exl"):
        word = re.sub(r"-?\s*[0-9.]+\s*bpw", " ", word)
    word = re.sub(r"\s+-\s+(s|m|l)(mall|edium|arge)\b", r"-\1", word)
    return re.sub(r"[\s_-]+", "-", word.strip()).strip("-")


def _family(word: str) -> WeightFormat | None:
    if parts := _GROUPED.match(word):
        method, bits, group = parts[1] or parts[5], int(parts[2] or parts[4] or 4), int(parts[3] or parts[6] or 128)
        if not group:
            raise _without_group(word)
        # Per group a 16-bit scale and a zero point as wide as a weight; tables stay in 16 bits.
        paper = "arXiv:2210.17323, GPTQ" if method == "gptq" else "arXiv:2306.00978, AWQ"
        named = f"{method.upper()}-INT{bits}" + (f"-g{group}" if group != 128 else "")
        return describe(named, bits + (16 + bits) / group, paper)
    if parts := _SYMMETRIC.match(word):
        bits, group = int(parts[1]), int(parts[2] or 0)
        if not group and not parts[3]:
            raise _without_group(word)
        source = "https://github.com/neuralmagic/compressed-tensors: a 16-bit scale per group, no zero points"
        return describe(f"W{bits}A16-" + (f"g{group}" if group else "CW"), bits + (16 / group if group else 0), source)
    if parts := _PLAIN.match(word):
        return describe(f"BPW-{parts[1]}", float(parts[1]), "bits per weight as stated; head and tables in 16 bits")
    if parts := _EXL2.match(word):
        if not 1 <= float(parts[1]) <= 8:
            raise BadValue(f"weight format {quoted(word)}: EXL2 and EXL3 have from 1 to 8 bits per weight")
        source = "https://github.com/turboderp-org/exllamav2: the head has 6 bits, the input table 16"
        return describe(f"{word[:4].upper()} {parts[1]} bpw", float(parts[1]), source, tables=6, embedding=16)
    if parts := _MLX_NAME.match(word):
        bits, group = int(parts[1] or parts[2]), int(parts[3] or 64)
        width = bits + 32 / group
        return describe(f"MLX q{bits}" + (f" g{group}" if group != 64 else ""), width, MLX_SOURCE, tables=width)
    return None


def _without_group(word: str) -> BadValue:
    return BadValue(f"weight format {quoted(word)}: a group has 1 weight or more, usually 128")


def _unknown(kind: str, name: str, allowed: tuple[str, ...]) -> BadValue:
    close = nearest(name, allowed)
    more = f" and {len(allowed) - _MOST_TOLD} more" if len(allowed) > _MOST_TOLD else ""
    hint = "did you mean " + " or ".join(close) + "?" if close else f"allowed: {', '.join(allowed[:_MOST_TOLD])}{more}"
    return BadValue(f"unknown {kind} {quoted(name)}; {hint}")
