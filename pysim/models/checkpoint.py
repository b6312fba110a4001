"""The stored checkpoint: in which weight format does a config.json say that its weights are?

A quantization section never refuses a config. What has a format of pysim's is named so; for the rest a note says
what it is. Only what decides the format is read: lists of exceptions may be as long as they like.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Final, Literal

_LONGEST: Final = 40
_DEEPEST, _MOST = 6, 200
_FP8: Final = ("fp8", "fbgemm_fp8", "finegrained_fp8", "float8", "w8a8_fp8", "modelopt_fp8")
# The names of weight formats (pysim.formats.names) that checkpoints are stored in.
_FORMATS: Final = re.compile(
    r"fp8|int8|int8-cw|nf4|nf4-single|mxfp4|nvfp4|(gptq|awq)-int[2348](-g\d{2,4})?|mlx-q[2-8](-g(32|64|128))?"
    r"|w[2-8]a16-(g[1-9]\d{0,3}|cw)|exl[23]-[1-8](\.\d{1,2})?|bpw-[1-8](\.\d{1,2})?"
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
    return read_quantization(quantization_section(config))


def quantization_section(config: Mapping[str, object]) -> object:
    """A config's section on quantization, under whichever name; None where there is none."""
    section = next((config[name] for name in _SECTIONS if config.get(name)), None)
    if isinstance(section, Mapping) and "expert_dtype" in config:
        return {**section, "expert_dtype": config["expert_dtype"]}
    return section


def read_quantization(section: object) -> Checkpoint:
    """A weight format's name from a quantization section, such as "gptq-int4-g128"."""
    if section is None:
        return Checkpoint()
    if not isinstance(section, Mapping):
        return Checkpoint(note="its quantization section is not a JSON object")
    named = _named(section)
    if named is None:
        return Checkpoint(
            note=_note(_short(section.get("quant_method") or section.get("quant_algo") or section.get("format")))
        )
    return Checkpoint(weight_format=named) if _FORMATS.fullmatch(named) else Checkpoint(note=_note(_short(named)))


def _note(word: str) -> str:
    return f"its quantization {word} has no matching weight format" if word else "its quantization names no method"


def _named(section: Mapping[str, object]) -> str | None:
    method, algorithm = _word(section.get("quant_method")), _word(section.get("quant_algo"))
    if not algorithm and isinstance(inner := section.get("quantization"), Mapping):  # hf_quant_config.json
        return _named(inner)
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
    """MLX writes bits and group_size, and exceptions by layer."""
    bits, group = _number(section.get("bits")), _number(section.get("group_size", 64))
    mode = _word(section.get("mode", "affine"))
    if mode in ("mxfp4", "nvfp4"):
        return mode
    if bits is None or group is None or group < 1:
        return None
    return f"mlx-q{bits}" + ("" if group == 64 else f"-g{group}")


def _compressed(section: Mapping[str, object]) -> str | None:
    """compressed-tensors: the weights of its first group, or what its format says."""
    kind = _word(section.get("format"))
    group = next((each for each in _values(section.get("config_groups")) if _weights(each) is not None), None)
    weights = _weights(group)
    if isinstance(group, Mapping):
        kind = _word(group.get("format")) or kind
    named = next((name for name in ("mxfp4", "nvfp4") if name in kind), None)
    if named is not None or weights is None:
        return named or {"float-quantized": "fp8", "int-quantized": "int8", "naive-quantized": "fp8"}.get(kind)
    bits, size = _number(weights.get("num_bits")), _number(weights.get("group_size"))
    if _word(weights.get("type")) == "float":
        return "fp8" if bits == 8 else None if bits != 4 else "mxfp4" if size == 32 else "nvfp4"
    activations = isinstance(group, Mapping) and bool(group.get("input_activations"))
    if bits == 8 and (activations or kind in ("int-quantized", "")):
        return "int8"
    return None if bits is None else _grouped_integers(bits, size, weights)


def _weights(group: object) -> Mapping[str, object] | None:
    weights = group.get("weights") if isinstance(group, Mapping) else None
    return weights if isinstance(weights, Mapping) else None


def _grouped_integers(bits: int, size: int | None, weights: Mapping[str, object]) -> str:
    grouped = size is not None and size > 0
    if weights.get("symmetric") is False:
        return f"gptq-int{bits}" + (f"-g{size}" if grouped else "")
    return f"w{bits}a16-" + (f"g{size}" if grouped else "cw")


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
    if not (section.get("load_in_4bit") or section.get("_load_in_4bit")):
        return "int8"
    return "nf4-single" if section.get("bnb_4bit_use_double_quant") is False else "nf4"


def _exllama(method: str, section: Mapping[str, object]) -> str | None:
    """EXL2 and EXL3 say how many bits all layers have on average."""
    bits = section.get("bits", section.get("bits_per_weight"))
    if isinstance(bits, bool) or not isinstance(bits, int | float) or not 1 <= bits <= 8:
        return None
    return f"{method}-{bits:.2f}".removesuffix("0").removesuffix(".0")


def _codebooks(section: Mapping[str, object]) -> str | None:
    """AQLM: each group of weights has a number in each of some codebooks (arXiv:2401.06118)."""
    books, width = _number(section.get("num_codebooks")), _number(section.get("nbits_per_codebook"))
    group = _number(section.get("in_group_size"))
    if not books or not width or not group or min(books, width, group) < 1 or not 1 <= books * width / group <= 8:
        return None
    return f"bpw-{books * width / group:.2f}".removesuffix("0").removesuffix(".0")


def _without_algorithm(section: Mapping[str, object]) -> str | None:
    """ModelOpt without its algorithm: what its groups say, or NVFP4 where there are groups of weights alone."""
    return "nvfp4" if "group_size" in section else _compressed(section)


def _other(section: Mapping[str, object]) -> str | None:
    bits = _number(section.get("bits")) or next(_numbers(section, "nbits"), None)
    kinds = " ".join(_words(section))
    group = _number(section.get("group_size")) or next(iter(_numbers(section, "group_size")), None)
    if "fp4" in kinds:
        return "nvfp4" if group == 16 else "mxfp4"
    if "fp8" in kinds or "float8" in kinds:
        return "fp8"
    if section.get("quant_method") == "hqq" and bits in (2, 3, 4, 8):
        return f"gptq-int{bits}-g{group if group is not None and group > 9 else 64}"
    if bits is None and (found := re.search(r"int([48])", kinds)):
        bits = int(found[1])
    if bits not in (4, 8):
        return None
    return f"w{bits}a16-" + (f"g{group}" if group is not None and group > 0 else "cw")


def _words(value: object, depth: int = 0) -> Iterator[str]:
    """The texts of a section, as deep as quantizers nest their settings; lists are of modules and not looked at."""
    if isinstance(value, str):
        yield _word(value)
    elif isinstance(value, Mapping) and depth < _DEEPEST:
        for inner in islice(value.values(), _MOST):
            yield from _words(inner, depth + 1)


def _numbers(value: object, name: str, depth: int = 0) -> Iterator[int]:
    """The whole numbers of a name in a section and in what it nests."""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        number = _number(value.get(name))
        if number is not None:
            yield number
        for inner in islice(value.values(), _MOST):
            yield from _numbers(inner, name, depth + 1)


def _values(groups: object) -> list[object]:
    return list(groups.values()) if isinstance(groups, Mapping) else []


def _number(value: object) -> int | None:
    """A small whole number, also one that is given as a text."""
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
    **dict.fromkeys(("torchao", "quanto", "hqq", "quark", "fp_quant", "sinq", "higgs"), _other),
    "eetq": lambda _: "w8a16-cw",
    **{f"exl{version}": partial(_exllama, f"exl{version}") for version in (2, 3)},
    "aqlm": _codebooks,
    # Weights of -1, 0 and 1, four to a byte (arXiv:2402.17764; the packing of transformers).
    "bitnet": lambda _: "bpw-2",
    **dict.fromkeys(_FP8, lambda _: "fp8"),
    **dict.fromkeys(("mxfp4", "gpt_oss_mxfp4"), lambda _: "mxfp4"),
    **dict.fromkeys(("modelopt_fp4", "nvfp4"), lambda _: "nvfp4"),
    "modelopt": _without_algorithm,
    "bitsandbytes": _bitsandbytes,
}
