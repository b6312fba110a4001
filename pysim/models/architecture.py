"""What does the reference code of an architecture build, and which fields does it fill in by itself?

One file per `model_type` in catalog/architectures: the config's own names where they differ,
the values that the reference code derives or defaults, and how a layer is put together.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal, cast

from pysim.catalog.files import catalogue_keys, names_in, read_table
from pysim.errors import BadCatalogue, BadConfig, nearest, quoted
from pysim.models.expression import evaluate, names_in_expression

WindowRule = Literal["full", "all", "from_layer", "every_nth_full"]
_RULES: Final = ("full", "all", "from_layer", "every_nth_full")
_DERIVED: Final = re.compile(r"(?:(\d+) \* )?(\w+)(?: (//|\+) (\w+))?\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerRules:
    """How an entry tells the layers of a model apart; without marks they are all alike.

    `lists`: fields of the config with a mark for each layer (a list, or a text of letters); `longer` ones also mark
    layers beyond the model's. `numbered`: mark → a field that lists these layers, and the number of the first layer
    there. `rule`: mark → arithmetic over `layer`, the first that is not 0 wins. `marks`: mark → parts.
    """

    lists: tuple[str, ...] = ()
    longer: bool = False
    numbered: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    rule: Mapping[str, str] = field(default_factory=dict)
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Parameters besides the usual ones, as arithmetic: of every `layer`, of the `model`, and of tables looked up."""

    layer: tuple[str, ...] = ()
    model: tuple[str, ...] = ()
    table: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Architecture:
    """One architecture's reading of a config.

    `names`: our field → the config's names for it, first found wins. `defaults`: field → value.
    `derived`: field → "a // b", "a + b", "n * a" or "a". `block`: field of Block → value, or the name of
    the config's field that decides. `window_rule` says which layers look back on a window only;
    `window_field` is its size, `window_switch` a field that can turn it off, `window_list` one that
    says layer by layer (0 or 1) which have it. `needs`: fields
    without which this architecture is not itself. `only`: settings other than which pysim cannot count.
    `see`: field → a value with which the config is read by another entry, and the entry.
    `class_defaults`: what the reference class fills in where a config nested in another leaves a field out.
    With `layers.marks` the `parts` say layer by layer what it is made of, and windows with it.
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
    see: Mapping[str, tuple[object, str]]
    class_defaults: Mapping[str, object]
    layers: LayerRules
    parts: Mapping[str, Mapping[str, object]]
    count: Counts
    source: str


@lru_cache(maxsize=128)
def load_architecture(model_type: str) -> Architecture:
    """The architecture of a config's `model_type`, or of another name of it; BadConfig names an unknown one."""
    key = _entries().get(model_type.lower().replace("-", "_"))
    if key is None:
        raise BadConfig(f"unknown architecture: pysim does not know model_type {quoted(model_type)}{_hint(model_type)}")
    return _architecture(key, read_table("architectures", key))


def architecture_of(config: Mapping[str, object], model_type: str) -> tuple[Architecture, str]:
    """The architecture by which a config of this `model_type` is read, and the setting that led to another one."""
    own = load_architecture(model_type)
    for name, (value, other) in own.see.items():
        if config.get(name) is value:
            return load_architecture(other), f"{name} is {value}"
    return own, ""


def is_known(model_type: str) -> bool:
    """Has pysim an entry for this `model_type`?"""
    return model_type.lower().replace("-", "_") in _entries()


@lru_cache(maxsize=1)
def _entries() -> Mapping[str, str]:
    """Each name of an architecture, in lower case and with underscores, and the key of its entry."""
    entries = {
        name.lower().replace("-", "_"): key for key, names in names_in("architectures").items() for name in names
    }
    return entries | {key: key for key in catalogue_keys("architectures")}


def _hint(model_type: str) -> str:
    """What to do about an unknown architecture: the nearest known ones, and what could be pasted instead."""
    word = re.sub(r"\W+", "_", model_type.lower())[:60]
    # A name that begins like the asked one is nearer than one that has as many letters in common.
    begins = sorted(
        (name for name in catalogue_keys("architectures") if _begins(name, word)), key=lambda name: -_begins(name, word)
    )
    close = tuple(dict.fromkeys((*begins[:3], *(_entries()[name] for name in nearest(word, _entries())))))[:3]
    if not close:
        return (
            "; if its arithmetic is that of a known one (llama, qwen3, deepseek_v3, …), paste it with that model_type"
        )
    return f"; did you mean {' or '.join(close)}? If its layers are the same, paste it with that model_type"


def _begins(name: str, word: str) -> int:
    """How many whole words, numbers in them apart, two names begin with in common."""
    pairs = list(zip(_words(name), _words(word), strict=False))
    return next((i for i, (ours, theirs) in enumerate(pairs) if ours != theirs), len(pairs))


def _words(name: str) -> list[str]:
    return [word for word in re.sub(r"\d+", "_", name).split("_") if word]


def _architecture(model_type: str, table: Mapping[str, object]) -> Architecture:
    window, layers = _mapping(table, "window", model_type), _mapping(table, "layers", model_type)
    rule = window.get("rule", "full" if layers else None)
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
        see={
            name: (value[0], str(value[1]))
            for name, value in cast("Mapping[str, list[object]]", _mapping(table, "see", model_type)).items()
        },
        class_defaults=_mapping(table, "class", model_type),
        layers=_layer_rules(layers),
        parts=cast("Mapping[str, Mapping[str, object]]", _mapping(table, "parts", model_type)),
        count=Counts(**{name: _texts(value) for name, value in _mapping(table, "count", model_type).items()}),
        source=str(table["source"]),
    )


def _layer_rules(layers: Mapping[str, object]) -> LayerRules:
    numbered = cast("Mapping[str, list[object]]", layers.get("numbered", {}))
    return LayerRules(
        lists=_texts(layers.get("lists", ())),
        longer=bool(layers.get("longer", False)),
        numbered={mark: (str(value[0]), cast("int", value[1])) for mark, value in numbered.items()},
        rule={mark: str(text) for mark, text in cast("Mapping[str, object]", layers.get("rule", {})).items()},
        marks={mark: _texts(parts) for mark, parts in cast("Mapping[str, object]", layers.get("marks", {})).items()},
    )


def _texts(value: object) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(text) for text in cast("list[object]", value))


def fields_of(rule: str) -> tuple[str, ...]:
    """The fields that a derived one is computed from."""
    return names_in_expression(rule)


def derive(rule: str, fields: Mapping[str, object]) -> int:
    """The value of a derived field; of "hidden_size // num_attention_heads" alone nothing may be left over."""
    found = _DERIVED.match(rule)
    if found is None:
        return evaluate(rule, lambda name: cast("int", fields[name]))
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
