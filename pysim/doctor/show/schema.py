"""Schema: the JSON of a diagnosis as a JSON Schema, made of the nouns themselves: it cannot lag behind them."""

from __future__ import annotations

import sys
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import pysim.roofline.bound
from pysim.doctor import case as nouns
from pysim.doctor.answer.answer import Answer
from pysim.doctor.read.run import Gap
from pysim.doctor.show.as_json import FORMAT
from pysim.doctor.words import FIGURE_WORDS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_SIMPLE: Final[dict[object, list[str]]] = {
    str: ["string"],
    bool: ["boolean"],
    int: ["number"],
    # What is not finite is null for programs.
    float: ["number", "null"],
    types.NoneType: ["null"],
}


def schema() -> dict[str, object]:
    """The schema of what `--json` prints, refusals included."""
    definitions: dict[str, object] = {}
    properties = {
        "format": {"const": FORMAT},
        "answer": _of(Answer, definitions),
        "lines": {"type": "number"},
        "gaps": {"type": "array", "items": _of(Gap, definitions)},
        "cases": {"type": "array", "items": _of(nouns.Case, definitions)},
        "error": {"type": ["string", "null"]},
    }
    return {
        "$schema": DIALECT,
        "title": "What pysim doctor says of a text",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": definitions,
    }


def _of(kind: Any, definitions: dict[str, object]) -> dict[str, object]:
    """The schema of one type; a noun's goes to the definitions."""
    if kind in _SIMPLE:
        names = _SIMPLE[kind]
        return {"type": names[0] if len(names) == 1 else names}
    if is_dataclass(kind) and isinstance(kind, type):
        _define(kind, definitions)
        return {"$ref": f"#/$defs/{kind.__name__}"}
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [_of(part, definitions) for part in arguments]}
    if origin is Mapping:
        return {"type": "object", "additionalProperties": _of(arguments[1], definitions)}
    return {"type": "array", "items": _of(arguments[0], definitions)}


def _define(kind: type, definitions: dict[str, object]) -> None:
    if kind.__name__ in definitions:
        return
    definitions[kind.__name__] = {}  # a noun may hold itself
    known = {"Bound": pysim.roofline.bound.Bound, **vars(nouns), **vars(sys.modules[kind.__module__])}
    hints = get_type_hints(kind, localns=known)
    properties = {
        field.name: {"enum": list(FIGURE_WORDS.values())}
        if field.name == "figure"
        else _of(hints[field.name], definitions)
        for field in fields(kind)
    }
    definitions[kind.__name__] = {
        "description": " ".join((kind.__doc__ or "").split()),
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
