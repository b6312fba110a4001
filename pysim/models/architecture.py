"""What does the reference code of an architecture build, and which fields does it fill in by itself?

One file per `model_type` in catalog/architectures: the config's own names where they differ,
the values that the reference code derives or defaults, and how a layer is put together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, cast

from pysim.catalog.files import catalogue_keys, read_table
from pysim.errors import BadCatalogue, BadConfig, nearest, quoted

WindowRule = Literal["full", "all", "from_layer", "every_nth_full"]
_RULES: Final = ("full", "all", "from_layer", "every_nth_full")
_DERIVED: Final = re.compile(r"(?:(\d+) \* )?(\w+)(?: (//|\+) (\w+))?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """One architecture's reading of a config.

    `names`: our field → the config's names for it, first found wins. `defaults`: field → value.
    `derived`: field → "a // b", "a + b", "n * a" or "a". `block`: field of Block → value, or the name of
    the config's field that decides. `window_rule` says which layers look back on a window only;
    `window_field` is its size, `window_switch` a field that can turn it off, `window_list` one that
    says layer by layer (0 or 1) which have it. `needs`: fields
    without which this architecture is not itself. `only`: settings other than which pysim cannot count.
    """

    model_type: str
    names: Mapping[str, tuple[str, ...]]
    defaults: Mapping[str, object]
    derived: Mapping[str, str]
    block: Mapping[str, object]
    window_rule: WindowRule
    window_field: str
    window_type: str
    window_switch: str | None
    window_list: str | None
    needs: tuple[str, ...]
    only: Mapping[str, object]
    source: str


@lru_cache(maxsize=64)
def load_architecture(model_type: str) -> Architecture:
    """The architecture of a config's `model_type`; BadConfig names an unknown one."""
    known = catalogue_keys("architectures")
    if model_type not in known:
        close = nearest(model_type, known)
        hint = f"; did you mean {' or '.join(close)}?" if close else f"; known: {', '.join(known)}"
        raise BadConfig(f"unknown architecture: model_type {quoted(model_type)} is not one that pysim knows{hint}")
    table = read_table("architectures", model_type)
    return _architecture(model_type, table)


def _architecture(model_type: str, table: Mapping[str, object]) -> Architecture:
    window = _mapping(table, "window", model_type)
    rule = window.get("rule")
    if rule not in _RULES:
        allowed = ", ".join(_RULES)
        raise BadCatalogue(f"architectures/{model_type}.toml: window.rule must be one of {allowed}, not {rule!r}")
    names = {
        ours: (theirs,) if isinstance(theirs, str) else tuple(cast("list[str]", theirs))
        for ours, theirs in _mapping(table, "names", model_type).items()
    }
    switch, listed = window.get("switch"), window.get("list")
    return Architecture(
        model_type=model_type,
        names=names,
        defaults=_mapping(table, "defaults", model_type),
        derived=cast("Mapping[str, str]", _mapping(table, "derived", model_type)),
        block=_mapping(table, "block", model_type),
        window_rule=rule,
        window_field=str(window.get("field", "sliding_window")),
        window_type=str(window.get("type", "sliding_attention")),
        window_switch=None if switch is None else str(switch),
        window_list=None if listed is None else str(listed),
        needs=tuple(cast("list[str]", table.get("needs", []))),
        only=_mapping(table, "only", model_type),
        source=str(table["source"]),
    )


def derive(rule: str, fields: Mapping[str, object]) -> int:
    """The value of a derived field; "hidden_size // num_attention_heads" must come out whole."""
    found = _DERIVED.match(rule)
    if found is None:
        raise BadCatalogue(f'a derived field is "a // b", "a + b", "n * a" or "a", not "{rule}"')
    times, name, sign, other = found.groups()
    value = cast("int", fields[name]) * int(times or 1)
    if sign is None:
        return value
    second = cast("int", fields[other])
    if sign == "+":
        return value + second
    if value % second:
        raise BadConfig(f"{name} {value} is not a multiple of {other} {second}")
    return value // second


def _mapping(table: Mapping[str, object], name: str, model_type: str) -> Mapping[str, object]:
    found = table.get(name, {})
    if not isinstance(found, dict):
        raise BadCatalogue(f"architectures/{model_type}.toml: [{name}] must be a table")
    return found
