"""Text of the catalog page: how does a value of a TOML file read, and which addresses of a source are links?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final

from simple_html import Node, a

_ADDRESS: Final = re.compile(r"https?://(?:[^\s,;().]|\.(?=[^\s)])|\([^\s()]*\))+")
_SHOWN: Final = 64
_MOST_VALUES: Final = 12
_WORDS: Final = {
    "pcie": "PCIe",
    "nvlink": "NVLink",
    "nvlink_c2c": "NVLink-C2C",
    "ici": "ICI",
    "fp32": "FP32",
    "fp16": "FP16",
    "fp16_fp16acc": "FP16 with sums in FP16",
    "fp8": "FP8",
    "fp4": "FP4",
    "int8": "INT8",
    "kv_bytes_per_token_f16": "bytes of cache per token in F16",
    "total_params": "parameters",
    "active_params": "active parameters",
    "kind": "from",
}


def linked(text: str) -> Iterator[Node]:
    """Yield a text whose web addresses are links, without their scheme and cut where they are long."""
    end = 0
    for match in _ADDRESS.finditer(text):
        yield text[end : match.start()]
        shown = re.sub(r"^https?://(?:www\.)?", "", match[0])
        shown = shown if len(shown) <= _SHOWN else f"{shown[: _SHOWN - 1]}…"
        yield a({"href": match[0], "rel": "noopener"}, shown)
        end = match.end()
    yield text[end:]


def readable(name: str) -> str:
    """A field's or a table's name in words: "all on device" of all_on_device."""
    return _WORDS.get(name, name.replace("_", " "))


def value_text(value: object) -> str:
    """A value of a TOML file as text; long lists by their number of values."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int) and abs(value) >= 10_000:
        return f"{value:,}"
    if isinstance(value, Mapping):
        return ", ".join(f"{readable(str(name))} {value_text(part)}" for name, part in value.items())
    if isinstance(value, list):
        if len(value) > _MOST_VALUES and not isinstance(value[0], Mapping):
            return f"{len(value)} values, {value_text(value[0])} to {value_text(value[-1])}"
        separator = "; " if any(isinstance(part, Mapping) for part in value) else ", "
        return separator.join(value_text(part) for part in value)
    return str(value)
