"""A part of a layer as its architecture's entry describes it: which of the config's fields it takes for what.

`[parts.full]` in an entry names a kind of mixer and, for a field of that kind, another field of the config, a
number, arithmetic, or a list of which the first with a value counts. What it does not name has its usual name.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

from pysim import checks
from pysim.errors import BadConfig
from pysim.models.expression import Number, evaluate
from pysim.models.model import MOST_SIZE

if TYPE_CHECKING:
    from pysim.models.config_fields import FieldReader


_USUAL = ("gated_ffn",)  # what a block has unless its entry says otherwise


class Part:
    """The fields of one part of one layer; `layer` counts from 0."""

    def __init__(self, reader: FieldReader, given: Mapping[str, object], layer: int) -> None:
        self.reader = reader
        self.given = given
        self.layer = layer

    def size(self, field: str) -> int:
        """A whole number of at least 1 that must be there."""
        value = self._look(field)
        if value is None:
            raise self.reader.missing(field)
        return checks.count(value, self._name(field), most=MOST_SIZE)

    def optional(self, field: str) -> int | None:
        """A whole number, or None where nobody gives one."""
        value = self._look(field)
        return None if value is None else checks.count(value, self._name(field), least=0, most=MOST_SIZE)

    def flag(self, field: str) -> bool:
        """Is it so? What neither the entry nor the config says is not."""
        if field in self.given:
            value = self._look(field)
        else:
            value = self.reader.architecture.block.get(field, field in _USUAL)
            value = self._value(value) if isinstance(value, str) else value
        if value is not None and not isinstance(value, bool | int):
            raise BadConfig(f"{self._name(field)} must be true or false, not {checks.shown(value)}")
        return bool(value)

    def word(self, field: str, otherwise: str) -> str:
        """One of a few words, of the part or of the entry's block, that the entry itself gives."""
        value = self.given.get(field, self.reader.architecture.block.get(field, otherwise))
        if isinstance(value, list):  # [a field, the word where it is true]
            return str(value[1]) if self.reader.truth(str(value[0])) else otherwise
        return str(value)

    def applies(self) -> bool:
        """Has this layer the part at all?"""
        return "when" not in self.given or bool(self._value(str(self.given["when"])))

    def number(self, text: str) -> int:
        """The value of arithmetic over the config's fields in this layer."""
        return evaluate(text, self._number_of)

    def _look(self, field: str) -> object:
        if field not in self.given:
            return self._raw(field)
        given = self.given[field]
        for choice in given if isinstance(given, list) else [given]:
            value = self._value(choice) if isinstance(choice, str) else choice
            if value is not None:
                return cast("object", value)
        return None

    def _value(self, text: str) -> object:
        if all(word.isidentifier() for word in text.split(".")):
            return self._raw(text)
        return self.number(text)

    def _number_of(self, name: str) -> Number:
        if name == "layer":
            self.reader.by_layer = True
            return self.layer
        value = self._raw(name)
        if value is None:
            return 0
        if isinstance(value, bool):
            return int(value)
        if isinstance(value, float):
            return checks.amount(value, name)
        return checks.count(value, name, least=0, most=MOST_SIZE)

    def _raw(self, field: str) -> object:
        """A field's value; with dots a field within a field, of this layer where the outer one lists layers."""
        outer, *inner = field.split(".")
        if not inner:
            return self._of_layer(self.reader.raw(field), field)
        value = self._of_layer(self.reader.get(outer), outer)
        for word in inner:
            value = value.get(word) if isinstance(value, Mapping) else None
        return self._of_layer(value, field)

    def _of_layer(self, value: object, field: str) -> object:
        """The layer's own entry where a field has one for each layer."""
        if not isinstance(value, list | tuple):
            return value
        self.reader.by_layer = True
        if self.layer >= len(value):
            raise BadConfig(f"{field} has {len(value)} entries, but there is a layer {self.layer}")
        return value[self.layer]

    def _name(self, field: str) -> str:
        given = self.given.get(field)
        return given if isinstance(given, str) and given.isidentifier() else self.reader.name_of(field)
