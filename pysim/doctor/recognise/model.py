"""Which model of the catalog do the words of a tool name, and do its size and parameters agree?

By name ("Qwen2.5-7B-Instruct", "llama3.2:3b"), or by llama.cpp's label of an architecture and a size
("llama 8B Q4_K - Medium"), where only the number of parameters tells which model it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Recognised
from pysim.doctor.recognise.label import models_of_label
from pysim.doctor.recognise.names import Words, in_order, known, words
from pysim.load import load_model
from pysim.models.model import Published
from pysim.models.parameters import parameters as count_parameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.engines.engine import Registry
    from pysim.models.model import LayerType, Model

_OTHER: Final = frozenset({"distill", "plus", "large", "xl", "vision", "draft", "eagle", "mtp"})
_FORMAT: Final = re.compile(r"\b(?:ud-)?i?q\d_\w{1,12}", re.IGNORECASE)
_SIZE: Final = re.compile(r"\d{1,4}(?:\.\d{1,3})?[bm]\Z")
_NEAR: Final = 0.02
# Counts are printed with two decimals.
_ROUNDED: Final = 6e6
# A few rows more in a table make no difference that a clock sees.
_SAME: Final = 0.002


# All runs of a log name the same.
@lru_cache(maxsize=256)
def model_of(
    text: str | None, parameters: float | None = None, *, registry: Registry | None = None
) -> Recognised | None:
    """What a model's name, file or label means; None where there is none.

    `parameters`: as the tool counts them. `registry`: the library of the program that printed the
    name, in which one without a tag means a size.
    """
    if text is None or not text.strip():
        return None
    shown = " ".join(text.split())[:80]
    name = text.strip()
    if " or " in name:
        parts = [model_of(part, parameters) for part in name.split(" or ")]
        either = dict.fromkeys(key for one in parts if one for key in ([one.key] if one.key else one.candidates))
        return _unknown(shown, "the text names several and doesn't say which one ran", tuple(either))
    if registry is not None:
        name = name.removesuffix(":latest")
        size = registry.size_of(name)
        name = name if size is None else f"{name} {size}"
    labeled = models_of_label(name, parameters)
    models, basis = list(labeled.models) if labeled else [], "label and parameters"
    if not labeled:
        models, basis = _by_name(name), "name"
        if models and parameters is not None:
            agreeing = [model for model in models if abs(count_parameters(model).total / parameters - 1) < _NEAR]
            if not agreeing:
                counted = f"{parameters / 1e9:.2f} B parameters"
                return _unknown(shown, f"named like {models[0].name}, but it has {counted}")
            models, basis = agreeing, "name and parameters"
    label = labeled.name if labeled else ""
    groups = [
        _likeliest(group, name, parameters, label) for group in _alike(models, windows=not labeled or labeled.windows)
    ]
    if not groups:
        return _unknown(shown, "not a model in the catalog; paste its config.json")
    if len(groups) > 1:
        names = ", ".join(group[0].name for group in groups)
        keys = tuple(group[0].key for group in groups)
        return _unknown(shown, f"the text doesn't say which of these: {names}", keys)
    alike = groups[0]
    others = "".join(f"; {model.name} has the same architecture" for model in alike[1:])
    return Recognised(words=shown, key=alike[0].key, name=alike[0].name, how=f'{basis} in "{shown}"{others}')


def _unknown(shown: str, reason: str, candidates: tuple[str, ...] = ()) -> Recognised:
    return Recognised(words=shown, key=None, name=shown, how=reason, candidates=candidates)


def _by_name(text: str) -> list[Model]:
    """The models whose longest name is in the last part of a path, or else in all of it."""
    for part in dict.fromkeys((re.split(r"[/\\]", text.rstrip("/\\"))[-1], text)):
        asked = words(_FORMAT.sub(" ", part))
        best, models = 0, []
        for name, key in known("models"):
            if len(name) < best:
                break
            if in_order(name, asked) is None or any(word in _OTHER for word in set(asked) - set(name)):
                continue
            model = load_model(key)
            if _size_agrees(model, asked, name):
                best = len(name)
                models.append(model)
        if models:
            return list(dict.fromkeys(models))
    return []


def _size_agrees(model: Model, text: Words, name: Words) -> bool:
    """Does a size next to the `name`, if there is one, belong to this model: "deepseek-r1:8b" is no DeepSeek R1."""
    for before, word in zip(("", *text), text, strict=False):
        if not _SIZE.match(word) or word in name or before == "a" or before.endswith("x"):
            continue
        size = float(word[:-1]) * (1e9 if word.endswith("b") else 1e6)
        parameters = count_parameters(model)
        counts = (parameters.total, parameters.active, parameters.total - parameters.embedding)
        if all(not 0.8 < size / count < 1.25 for count in counts):
            return False
    return True


def _alike(models: Sequence[Model], *, windows: bool = True) -> list[list[Model]]:
    """Models that differ in name alone together, or in a few rows of their tables: they run alike.

    `windows`: whether a window of attention makes a difference.
    """
    groups: dict[Model, list[Model]] = {}
    for model in models:
        shape = replace(
            model, key="", name="", model_type="-", vocab_size=1, max_position_embeddings=1, published=Published(),
            source="", quantization=None, quantization_note="", left_out=(), other_widths=(),
        )  # fmt: skip
        if not windows and not model.layer_order:
            full: LayerType = "full_attention"
            shape = replace(shape, sliding_window=None, layer_types=(full,) * model.num_hidden_layers)
        groups.setdefault(shape, []).append(model)
    return [alike for group in groups.values() for alike in _of_one_size(group)]


def _of_one_size(models: list[Model]) -> list[list[Model]]:
    sizes: list[list[Model]] = []
    for model in sorted(models, key=lambda model: count_parameters(model).total):
        total = count_parameters(model).total
        if sizes and total <= count_parameters(sizes[-1][0]).total * (1 + _SAME):
            sizes[-1].append(model)
        else:
            sizes.append([model])
    return sizes


def _likeliest(models: list[Model], text: str, parameters: float | None, label: str) -> list[Model]:
    """Models that run alike, in the order in which the text may mean them.

    By name, by the printed count, by the label's word; else the plainest name, the longest context, the latest.
    """

    def rank(model: Model) -> tuple[object, ...]:
        named = in_order(words(model.name), words(text)) is not None
        off = 0.0 if parameters is None else abs(count_parameters(model).total - parameters)
        plain = len(words(model.name))
        return not named, off > _ROUNDED, not model.key.startswith(label), plain, -model.max_position_embeddings

    latest = sorted(models, key=lambda model: model.key, reverse=True)
    return sorted(latest, key=rank)
