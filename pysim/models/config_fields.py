"""What does a config say about one field, and if nothing, what does its architecture fill in?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Final, cast

from pysim import checks
from pysim.errors import BadConfig
from pysim.models.architecture import Architecture, derive, fields_of
from pysim.models.model import LAYER_TYPES, MOST_SIZE, Block, LayerType

BLOCK_FIELDS: Final = frozenset(field.name for field in fields(Block))
# An explicit null of these means "without", not "look elsewhere".
NULLABLE: Final = ("q_lora_rank", "n_shared_experts")


class FieldReader:
    """Looks fields up in a config and, failing that, in its architecture's table."""

    def __init__(self, config: Mapping[str, object], architecture: Architecture) -> None:
        self.config = config
        self.architecture = architecture
        self.found: dict[str, object] = {}
        self.asked: set[str] = set()
        self.by_layer = False  # was anything read that differs from layer to layer?

    def raw(self, field: str) -> object:
        """The value of a field, None if nobody gives one. An explicit null goes to the derived value first."""
        names = self.architecture.names.get(field, (field,))
        given = [name for name in names if self._has(name)]
        for name in given:
            value = self.get(name)
            if value is not None:
                return value
        if given and field in (*NULLABLE, self.architecture.window_field):
            return None
        default, rule = self.architecture.defaults.get(field), self.architecture.derived.get(field)
        if rule is not None and (given or default is None):
            for word in fields_of(rule):
                if word not in self.found:
                    self.size(word)
            return derive(rule, self.found)
        return default

    def get(self, name: str) -> object:
        """What the config itself says; a name with dots is a field within a field."""
        self.asked.add(name.split(".")[0])
        value: object = self.config
        for word in name.split("."):
            value = value.get(word) if isinstance(value, Mapping) else None
        return value

    def _has(self, name: str) -> bool:
        self.asked.add(name.split(".")[0])
        return name in self.config or ("." in name and self.get(name) is not None)

    def truth(self, field: str) -> bool:
        """Is a field given and true?"""
        value = self.raw(field)
        if value is not None and not isinstance(value, bool | int):
            raise BadConfig(f"{self.name_of(field)} must be true or false, not {checks.shown(value)}")
        return bool(value)

    def size(self, field: str, most: int = MOST_SIZE) -> int:
        """A whole number of at least 1 that must be there."""
        value = self.raw(field)
        if value is None:
            raise self.missing(field)
        number = checks.count(value, self.name_of(field), most=most)
        self.found[field] = number
        return number

    def optional(self, field: str) -> int | None:
        """A whole number, or None where neither the config nor the architecture has one."""
        value = self.raw(field)
        if value is None:
            return None
        self.found[field] = value
        return checks.count(value, self.name_of(field), least=0, most=MOST_SIZE)

    def flag(self, field: str) -> bool:
        """A true or false that must be there."""
        value = self.raw(field)
        if value is None:
            raise self.missing(field)
        if not isinstance(value, bool):
            raise BadConfig(f"{self.name_of(field)} must be true or false, not {checks.shown(value)}")
        return value

    def window(self) -> int | None:
        """The size of the window of windowed layers, None where none is in use."""
        field, switch = self.architecture.window_field, self.architecture.window_switch
        if self.architecture.window_rule == "full" or (switch is not None and not self.flag(switch)):
            return None
        value = self.raw(field)
        return None if value is None else checks.count(value, field, most=MOST_SIZE)

    def layer_types(self, layers: int, window: int | None) -> tuple[LayerType, ...]:
        """Each layer's kind of attention: as the config lists it, or by the architecture's rule."""
        full: LayerType = "full_attention"
        listed = self._listed_types(layers)
        if window is None:
            return (full,) * layers
        if listed is not None:
            return listed
        windowed = cast("LayerType", self.architecture.window_type)
        marks = self.config.get(self.architecture.window_list or "")
        if marks:
            if not isinstance(marks, list | tuple) or not all(each in (0, 1) for each in marks):
                raise BadConfig(f"{self.architecture.window_list} must be a list of 0 and 1")
            return tuple(windowed if each else full for each in marks)
        rule = self.architecture.window_rule
        if rule == "all":
            return (windowed,) * layers
        if rule == "from_layer":
            first = checks.count(self.raw("max_window_layers"), "max_window_layers", least=0)
            return tuple(full if i < first else windowed for i in range(layers))
        every = self.size("sliding_window_pattern")
        return tuple(windowed if (i + 1) % every else full for i in range(layers))

    def _listed_types(self, layers: int) -> tuple[LayerType, ...] | None:
        """The config's own list, which must be right where nothing looks back on a window too."""
        given = self.get("layer_types")
        if given is None:
            return None
        if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
            raise BadConfig("layer_types must be a list of texts")
        if len(given) != layers:
            raise BadConfig(f"layer_types has {len(given)} entries for num_hidden_layers {layers}")
        for number, each in enumerate(given):
            if each not in LAYER_TYPES:
                known = ", ".join(LAYER_TYPES)
                kind = self.architecture.model_type
                raise BadConfig(f'layer_types holds {checks.shown(each)} at layer {number}; known of "{kind}": {known}')
        return cast("tuple[LayerType, ...]", tuple(given))

    def mlp_only_layers(self, layers: int) -> tuple[int, ...]:
        """Layers that the config keeps dense in a model with experts; they must be among its `layers`."""
        given = self.get("mlp_only_layers") or []
        if not isinstance(given, list | tuple):
            raise BadConfig("mlp_only_layers must be a list of layer numbers")
        return tuple(checks.count(layer, "mlp_only_layers", least=0, most=layers - 1) for layer in given)

    def block(self) -> Block:
        """How a layer is put together; an entry that names a field takes that field's flag."""
        values: dict[str, object] = {}
        for entry, value in self.architecture.block.items():
            if entry not in BLOCK_FIELDS:
                continue  # of the parts of a layer only
            if isinstance(value, list):  # [a field, the word where it is true]
                values[entry] = value[1] if self.truth(cast("str", value[0])) else "none"
                continue
            by_field = isinstance(value, str) and entry != "qk_norm"
            asked = self.truth if self.architecture.layers.marks else self.flag
            values[entry] = asked(cast("str", value)) if by_field else value
        if values.setdefault("qk_norm", "none") not in ("none", "head", "whole", "each"):
            values["qk_norm"] = "head" if self.flag(cast("str", values["qk_norm"])) else "none"
        return Block(**values)  # type: ignore[arg-type]

    def check_only(self) -> None:
        """Refuse the settings of an architecture that pysim cannot count."""
        for field, allowed in self.architecture.only.items():
            value = self.config.get(field, allowed)
            self.asked.add(field)
            if value != allowed and value is not None:
                model_type = self.architecture.model_type
                given = checks.shown(value)
                raise BadConfig(f"{field} is {given}: pysim can read {model_type} only with {allowed!r}")

    def check_needs(self) -> None:
        """Refuse a config without a field that makes the architecture what it is."""
        for field in self.architecture.needs:
            if not self.found.get(field):
                if self.found.get(field) is None:
                    raise self.missing(field)
                model_type = self.architecture.model_type
                raise BadConfig(f'{self.name_of(field)} is {self.found[field]}; "{model_type}" needs at least 1')

    def missing(self, field: str) -> BadConfig:
        """The error of a field that must be there."""
        kind = self.architecture.model_type
        return BadConfig(f'{self.name_of(field)} is missing, and a config of "{kind}" has no default for it')

    def name_of(self, field: str) -> str:
        """The config's own name for a field, for messages."""
        names = self.architecture.names.get(field, (field,))
        return next((each for each in names if each in self.config), names[0] if names else field)
