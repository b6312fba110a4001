"""The stored checkpoint: in which weight format does a config.json say that its weights are?

A quantization section never refuses a config. What has a format of pysim's is named so; for the rest a note says
what it is. Only what decides the format is read: lists of exceptions may be as long as they like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

_LONGEST: Final = 40
_FP8: Final = ("fp8", "fbgemm_fp8", "finegrained_fp8", "float8", "w8a8_fp8", "modelopt_fp8")
# The names of weight formats (pysim.formats.names) that checkpoints are stored in.
_FORMATS: Final = re.compile(
    r"fp8|int8|int8-cw|nf4|mxfp4|nvfp4|(gptq|awq)-int[2348](-g\d{2,4})?|mlx-q[2-8](-g(32|64|128))?"
)
# Names under which checkpoints keep the section.
_SECTIONS: Final = ("quantization_config", "quantization", "compression_config")


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """How weights are stored: a weight format's name, or None with a `note` where it has no such name."""

    weight_format: str | None = None
    note: str = ""


def read_checkpoint(config: Mapping[str, object]) -> Checkpoint:
    """How a config says that its weights are stored; an unquantized one says nothing."""
    for name in _SECTIONS:
        section = config.get(name)
        if section:
            return read_quantization(section)
    return Checkpoint()


def read_quantization(section: object) -> Checkpoint:
    """A weight format's name from a quantization section, such as "gptq-int4-g128"."""
    if section is None:
        return Checkpoint()
    if not isinstance(section, Mapping):
        return Checkpoint(note="its quantization section is no JSON object")
    named = _named(section)
    if named is None:
        return Checkpoint(
            note=_note(_short(section.get("quant_method") or section.get("quant_algo") or section.get("format")))
        )
    return Checkpoint(weight_format=named) if _FORMATS.fullmatch(named) else Checkpoint(note=_note(_short(named)))


def _note(word: str) -> str:
    return f"its quantization {word} has no weight format here" if word else "its quantization names no method"


def _named(section: Mapping[str, object]) -> str | None:
    method, algorithm = _word(section.get("quant_method")), _word(section.get("quant_algo"))
    if algorithm and method in ("", *_MODELOPT):
        return _modelopt(algorithm, section)
    if method in _READERS:
        return _READERS[method](section)
    if method or not section:
        return None
    if _word(section.get("fmt")) in ("e4m3", "float8_e4m3fn"):
        return "fp8"
    return _mlx(section) if "bits" in section else _compressed(section)


def _grouped(method: Literal["gptq", "awq"], section: Mapping[str, object]) -> str | None:
    bits = _number(section.get("bits", section.get("w_bit", section.get("wbits", 4))))
    group = section.get("group_size", section.get("q_group_size", 128))
    size = None if group is None else _number(group)
    if bits is None or (group is not None and size is None):
        return None
    return f"{method}-int{bits}" + (f"-g{size}" if size is not None and size > 0 else "")


def _mlx(section: Mapping[str, object]) -> str | None:
    """MLX writes bits and group_size, and beside them exceptions by layer."""
    bits, group = _number(section.get("bits")), _number(section.get("group_size", 64))
    mode = _word(section.get("mode", "affine"))
    if mode in ("mxfp4", "nvfp4"):
        return mode
    if bits is None or group is None or group < 1:
        return None
    return f"mlx-q{bits}" + ("" if group == 64 else f"-g{group}")


def _compressed(section: Mapping[str, object]) -> str | None:
    groups = section.get("config_groups")
    kind = _word(section.get("format"))
    weights: Mapping[str, object] | None = None
    if isinstance(groups, Mapping):
        for group in groups.values():
            if isinstance(group, Mapping) and isinstance(group.get("weights"), Mapping):
                weights = group["weights"]
                kind = _word(group.get("format")) or kind
                break
    if "mxfp4" in kind:
        return "mxfp4"
    if "nvfp4" in kind:
        return "nvfp4"
    if weights is None:
        return {"float-quantized": "fp8", "int-quantized": "int8", "naive-quantized": "fp8"}.get(kind)
    bits, group_size = _number(weights.get("num_bits")), _number(weights.get("group_size"))
    if _word(weights.get("type")) == "float":
        if bits == 4:
            return "mxfp4" if group_size == 32 else "nvfp4"
        return "fp8" if bits == 8 else None
    if bits == 8:
        quantized = any(isinstance(group, Mapping) and group.get("input_activations") for group in _values(groups))
        return "int8" if quantized or kind in ("int-quantized", "") else "int8-cw"
    return None if bits is None else f"gptq-int{bits}" + (f"-g{group_size}" if group_size and group_size > 0 else "")


def _modelopt(algorithm: str, section: Mapping[str, object]) -> str | None:
    if algorithm.startswith("mixed"):
        layers = section.get("quantized_layers")
        kinds = [_word(value.get("quant_algo")) for value in _values(layers) if isinstance(value, Mapping)]
        algorithm = max(set(kinds), key=kinds.count) if kinds else algorithm
    if "nvfp4" in algorithm or algorithm in ("fp4", "w4a16_nvfp4"):
        return "nvfp4"
    if "mxfp4" in algorithm or algorithm == "w4a8_mxfp4_fp8":
        return "mxfp4"
    if algorithm.startswith("fp8"):
        return "fp8"
    if algorithm.startswith(("w4a16_awq", "w4a8_awq", "int4_awq", "w4a16_gptq")):
        group = _number(section.get("group_size", 128))
        return "awq-int4" + (f"-g{group}" if group and group > 0 else "")
    return "int8" if algorithm.startswith(("int8", "w8a8")) else "int8-cw" if algorithm.startswith("w8a16") else None


def _bitsandbytes(section: Mapping[str, object]) -> str:
    return "nf4" if section.get("load_in_4bit") or section.get("_load_in_4bit") else "int8"


def _without_algorithm(section: Mapping[str, object]) -> str | None:
    """ModelOpt without its algorithm: what its groups say, or NVFP4 where there are groups of weights alone."""
    return "nvfp4" if "group_size" in section else _compressed(section)


def _other(section: Mapping[str, object]) -> str | None:
    bits = _number(section.get("bits", section.get("nbits")))
    kinds = " ".join(_word(value) for value in section.values() if isinstance(value, str))
    if "fp8" in kinds or "float8" in kinds:
        return "fp8"
    if "nbits" in section and bits:  # hqq
        return f"gptq-int{bits}-g{_number(section.get('group_size', 64)) or 64}"
    return {8: "int8-cw", 4: "gptq-int4"}.get(bits or 0) or ("int8-cw" if "int8" in kinds else None)


def _values(groups: object) -> list[object]:
    return list(groups.values()) if isinstance(groups, Mapping) else []


def _number(value: object) -> int | None:
    """A small whole number, also one that stands there as a text."""
    if isinstance(value, str) and len(value) < 6 and value.strip().lstrip("-").isdecimal():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not -1 <= value <= 65_536:
        return None
    return value


def _word(value: object) -> str:
    return value[:_LONGEST].strip().lower() if isinstance(value, str) else ""


def _short(value: object) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in _word(value))


_MODELOPT: Final = ("modelopt", "modelopt_fp4", "nvfp4")
_READERS: Final[Mapping[str, Callable[[Mapping[str, object]], str | None]]] = {
    **dict.fromkeys(("gptq", "gptq_marlin", "auto_round", "auto-round", "intel/auto-round"), partial(_grouped, "gptq")),
    **dict.fromkeys(("awq", "awq_marlin"), partial(_grouped, "awq")),
    **dict.fromkeys(("compressed-tensors", "compressed_tensors", "sparseml"), _compressed),
    **dict.fromkeys(("torchao", "quanto", "hqq", "eetq", "quark"), _other),
    **dict.fromkeys(_FP8, lambda _: "fp8"),
    **dict.fromkeys(("mxfp4", "gpt_oss_mxfp4"), lambda _: "mxfp4"),
    **dict.fromkeys(("modelopt_fp4", "nvfp4"), lambda _: "nvfp4"),
    "modelopt": _without_algorithm,
    "bitsandbytes": _bitsandbytes,
}
