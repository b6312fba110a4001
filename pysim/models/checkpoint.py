"""In which weight format does a config.json say that its checkpoint is stored?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pysim import checks
from pysim.checks import count
from pysim.errors import BadConfig


def read_quantization(section: object) -> str | None:
    """A weight format's name from a quantization_config, such as "gptq-int4-g128"; None without one.

    A method that pysim does not know keeps its own name: the weights are then asked for by format.
    """
    if section is None:
        return None
    if not isinstance(section, Mapping):
        raise BadConfig(f"quantization_config must be a JSON object, not {checks.typed(section)}")
    method = section.get("quant_method")
    if not isinstance(method, str) or not method.strip():
        raise BadConfig("quantization_config must name its quant_method")
    method = method.lower()
    if method in ("gptq", "awq"):
        bits = count(section.get("bits", section.get("w_bit")), "quantization_config.bits", most=16)
        group = section.get("group_size", section.get("q_group_size", 128))
        return f"{method}-int{bits}" + ("" if group == -1 else f"-g{count(group, 'quantization_config.group_size')}")
    if method == "bitsandbytes":
        return "nf4" if section.get("load_in_4bit") else "int8"
    if method == "compressed-tensors":
        return _compressed(section) or method
    if method == "modelopt":
        return str(section.get("quant_algo", method)).lower()
    return "fp8" if method in ("fp8", "fbgemm_fp8") else method


def _compressed(section: Mapping[str, object]) -> str | None:
    groups = section.get("config_groups")
    if not isinstance(groups, Mapping) or not groups:
        return None
    first = next(iter(groups.values()))
    weights = first.get("weights") if isinstance(first, Mapping) else None
    if not isinstance(weights, Mapping):
        return None
    bits, kind, group = weights.get("num_bits"), weights.get("type"), weights.get("group_size")
    if kind == "float":
        return {8: "fp8", 4: "nvfp4"}.get(cast("int", bits))
    if bits == 8:
        return "int8"
    return f"gptq-int{bits}" + (f"-g{group}" if isinstance(group, int) and group > 0 else "")
