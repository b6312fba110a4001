"""The layers of a model one by one, as its config and its architecture's entry describe them.

An entry's `[layers]` says where the config marks each layer (`lists`, or layer numbers in `numbered`), or by which
`rule` the reference code does; `[layers.marks]` says of which parts a layer with a mark is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final, cast

from pysim import checks
from pysim.errors import BadCatalogue, BadConfig, quoted
from pysim.models import feed_forward
from pysim.models.mixer import Layer, LayerParameters, Mixer
from pysim.models.model import MOST_LAYERS
from pysim.models.part import Part

if TYPE_CHECKING:
    from pysim.models.config_fields import FieldReader

_FFN: Final = ("ffn", "dense", "experts")
_MOST_MARK: Final = 10**6


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The layers that differ, which of them each layer is, and the sizes of the first one with attention."""

    distinct: tuple[Layer, ...]
    order: tuple[int, ...]
    layer_types: tuple[str, ...]
    window: int | None
    sizes: Mapping[str, int] = field(default_factory=dict)


def count_layers(reader: FieldReader) -> int:
    """How many layers: the config's number, or the length of the list that marks them."""
    if reader.raw("num_hidden_layers") is None:
        for name in reader.architecture.layers.lists:
            marks = reader.get(name)
            if isinstance(marks, list | str) and marks:
                return checks.count(len(marks), name, most=MOST_LAYERS)
    return reader.size("num_hidden_layers", most=MOST_LAYERS)


def read_plan(reader: FieldReader, layers: int) -> Plan:
    """The plan of all layers; BadConfig names a mark that the architecture does not have."""
    rules = reader.architecture.layers
    marks = _marks(reader, layers)
    sparse = feed_forward.layers_with_experts(reader, layers)
    index: dict[Layer, int] = {}
    order: list[int] = []
    sizes: dict[str, int] = {}
    alike: dict[tuple[str, bool], Layer] = {}
    for number, mark in enumerate(marks):
        if mark not in rules.marks:
            known = ", ".join(rules.marks)
            raise BadConfig(f"{_listed(reader)} holds {checks.shown(mark)} at layer {number}; known: {known}")
        # Most layers with one mark are one layer; where the config or a rule tells them apart, each is read.
        kind = mark, number in sparse
        layer = alike.get(kind)
        if layer is None:
            reader.by_layer = False
            layer = _layer(reader, number, rules.marks[mark], sparse, sizes)
            if not reader.by_layer:
                alike[kind] = layer
        order.append(index.setdefault(layer, len(index)))
    distinct = tuple(index)
    windows = [rows.window for layer in distinct for mixer in layer.mixers for rows in mixer.rows if rows.window]
    return Plan(
        distinct=distinct,
        order=tuple(order),
        layer_types=tuple(distinct[kind].layer_type for kind in order),
        window=max(windows, default=None),
        sizes=sizes,
    )


def _layer(
    reader: FieldReader, number: int, names: tuple[str, ...], sparse: frozenset[int], sizes: dict[str, int]
) -> Layer:
    mixers: list[Mixer] = []
    ffn = dict.fromkeys(("dense", "experts", "expert", "shared", "router"), 0)
    for name in names:
        part = Part(reader, reader.architecture.parts.get(name, {}), number)
        if not part.applies():
            continue
        if name in _FFN:
            kind = name if name != "ffn" else "experts" if number in sparse else "dense"
            part = Part(reader, reader.architecture.parts.get(kind, part.given), number)
            if kind == "experts":
                ffn |= feed_forward.experts(part)
                sizes.setdefault("moe_intermediate_size", part.size("moe_intermediate_size"))
            else:
                ffn["dense"] += feed_forward.dense(part)
                sizes["intermediate_size"] = max(sizes.get("intermediate_size", 0), part.size("intermediate_size"))
            continue
        mixers.append(read_mixer(part))
        if name == "sliding" and mixers[-1].layer_type != "sliding_attention":
            raise reader.missing("sliding_window")
        if any(rows.read for rows in mixers[-1].rows):
            heads = part.size("num_attention_heads")
            sizes.setdefault("num_attention_heads", heads)
            sizes.setdefault("num_key_value_heads", part.optional("num_key_value_heads") or heads)
            sizes.setdefault("head_dim", part.size("head_dim"))
    whole = Part(reader, {}, number)
    norm = whole.size("hidden_size") * (2 if whole.flag("norm_bias") else 1)
    norms = norm * cast("int", reader.architecture.block.get("norms_per_layer", 2))
    for text in reader.architecture.count.layer:
        norms += whole.number(text)
    mixed = sum(mixer.params for mixer in mixers)
    return Layer(mixers=tuple(mixers), params=LayerParameters(attention=mixed, norms=norms, **ffn))


def read_mixer(part: Part) -> Mixer:
    """The mixer of a part, by the file of its kind."""
    kind = str(part.given.get("kind", ""))
    if not kind.isidentifier():
        raise BadCatalogue(f"a part of a layer must name its kind, not {quoted(kind)}")
    return cast("Mixer", import_module(f"pysim.models.kinds.{kind}").read(part))


def _listed(reader: FieldReader) -> str:
    names = reader.architecture.layers.lists
    return next((name for name in names if reader.get(name) is not None), (*names, "layer_types")[0])


def _marks(reader: FieldReader, layers: int) -> list[str]:
    """Each layer's mark: from a list of the config, from lists of numbers, or by the rule of the reference code."""
    rules = reader.architecture.layers
    for name in rules.lists:
        marks = reader.get(name)
        if marks is not None:
            return _listed_marks(reader, name, marks, layers)
    for mark, (name, first) in rules.numbered.items():
        numbers = reader.get(name)
        if numbers is not None:
            other = next(name for name in rules.marks if name != mark)
            chosen = _numbers(name, numbers, first, layers)
            return [mark if layer in chosen else other for layer in range(layers)]
    return [_ruled(reader, layer) for layer in range(layers)]


def _listed_marks(reader: FieldReader, name: str, marks: object, layers: int) -> list[str]:
    if not isinstance(marks, list | str) or not all(isinstance(mark, str | int) for mark in marks):
        raise BadConfig(f"{name} must be a list with a mark for each layer, not {checks.shown(marks)}")
    if len(marks) != layers and not (reader.architecture.layers.longer and len(marks) > layers):
        raise BadConfig(f"{name} has {len(marks)} entries for num_hidden_layers {layers}")
    return [str(mark) if isinstance(mark, str) or abs(mark) < _MOST_MARK else "…" for mark in marks[:layers]]


def _numbers(name: str, numbers: object, first: int, layers: int) -> frozenset[int]:
    """Layer numbers of a list, counted from 0."""
    if not isinstance(numbers, list):
        raise BadConfig(f"{name} must be a list of layer numbers, not {checks.shown(numbers)}")
    return frozenset(checks.count(number, name, least=first, most=layers - 1 + first) - first for number in numbers)


def _ruled(reader: FieldReader, layer: int) -> str:
    part = Part(reader, {}, layer)
    mark = next((mark for mark, text in reader.architecture.layers.rule.items() if part.number(text)), None)
    if mark is None:
        raise BadConfig(f"{_listed(reader)} is missing, so the kind of each layer is unknown")
    return mark
