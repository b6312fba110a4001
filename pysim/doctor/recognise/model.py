"""Which model of the catalogue do the words of a tool name, and do its size and parameters agree?

By name ("Qwen2.5-7B-Instruct", "llama3.2:3b"), or by llama.cpp's label of an architecture and a size
("llama 8B Q4_K - Medium"), where only the number of parameters tells which model it is.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import catalogue_keys, model_keys, read_table
from pysim.doctor.case import Recognised
from pysim.doctor.recognise.names import Words, in_order, known, words
from pysim.load import load_model
from pysim.models.model import Published
from pysim.models.parameters import parameters as count_parameters

if TYPE_CHECKING:
    from pysim.engines.engine import Registry
    from pysim.models.model import Model

_OTHER: Final = frozenset({"distill", "plus", "large", "xl", "vision", "draft", "eagle", "mtp"})
_LABEL: Final = re.compile(r"\s*([a-z][a-z0-9_-]{1,20}) (\?|\d{1,4}(?:\.\d{1,2})?)([BM]?)", re.IGNORECASE)
_FORMAT: Final = re.compile(r"\b(?:ud-)?i?q\d_\w{1,12}", re.IGNORECASE)
_SIZE: Final = re.compile(r"\d{1,4}(?:\.\d{1,3})?[bm]\Z")
# Counts are printed with two decimals; variants of one architecture differ by more.
_AGREE: Final = 0.0015
_ROUNDED: Final = 6e6
_NEAR: Final = 0.02


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
        return _unknown(shown, "the text names several, and not which of them it was", tuple(either))
    if registry is not None:
        name = name.removesuffix(":latest")
        size = registry.size_of(name)
        name = name if size is None else f"{name} {size}"
    models, basis = _by_label(name, parameters), "label and parameters"
    if not models:
        models, basis = _by_name(name), "name"
        if models and parameters is not None:
            agreeing = [model for model in models if abs(count_parameters(model).total / parameters - 1) < _NEAR]
            if not agreeing:
                counted = f"{parameters / 1e9:.2f} B parameters"
                return _unknown(shown, f"named like {models[0].name}, but it has {counted}")
            models, basis = agreeing, "name and parameters"
    groups = _alike(models)
    if not groups:
        return _unknown(shown, "not a model of the catalogue; paste its config.json")
    if len(groups) > 1:
        names = ", ".join(group[0].name for group in groups)
        keys = tuple(group[0].key for group in groups)
        return _unknown(shown, f"which of these, the text does not say: {names}", keys)
    alike = sorted(groups[0], key=lambda model: in_order(words(model.name), words(name)) is None)
    others = "".join(f"; {model.name} is built alike" for model in alike[1:])
    return Recognised(words=shown, key=alike[0].key, name=alike[0].name, how=f'{basis} in "{shown}"{others}')


def _unknown(shown: str, reason: str, candidates: tuple[str, ...] = ()) -> Recognised:
    return Recognised(words=shown, key=None, name=shown, how=reason, candidates=candidates)


def _by_name(text: str) -> list[Model]:
    """The models whose longest name stands in the last part of a path, or else in all of it."""
    for part in dict.fromkeys((re.split(r"[/\\]", text.rstrip("/\\"))[-1], text)):
        asked = words(_FORMAT.sub(" ", part))
        best, models = 0, []
        for name, key in known("models"):
            if len(name) < best:
                break
            if in_order(name, asked) is None or any(word in _OTHER for word in set(asked) - set(name)):
                continue
            model = load_model(key)
            if _size_agrees(model, asked):
                best = len(name)
                models.append(model)
        if models:
            return list(dict.fromkeys(models))
    return []


def _size_agrees(model: Model, text: Words) -> bool:
    """Does the size in a name, if there is one, belong to this model: "deepseek-r1:8b" is no DeepSeek R1."""
    for before, word in zip(("", *text), text, strict=False):
        if not _SIZE.match(word) or before == "a" or before.endswith("x"):
            continue
        size = float(word[:-1]) * (1e9 if word.endswith("b") else 1e6)
        parameters = count_parameters(model)
        counts = (parameters.total, parameters.active, parameters.total - parameters.embedding)
        if all(not 0.8 < size / count < 1.25 for count in counts):
            return False
    return True


def _by_label(text: str, parameters: float | None) -> list[Model]:
    """The models of llama.cpp's architecture and size; the parameters decide where they are known."""
    label = _LABEL.match(text)
    if label is None or label[1].lower() not in _architectures():
        return []
    kinds = _architectures()[label[1].lower()]
    models = [model for key in model_keys() if (model := load_model(key)).model_type in kinds]
    if parameters is not None:
        most = max(_ROUNDED, parameters * _AGREE)
        return [model for model in models if abs(count_parameters(model).total - parameters) <= most]
    if label[2] == "?" or not label[3]:
        return []
    size = float(label[2]) * (1e9 if label[3] in "Bb" else 1e6)
    mixture = re.match(r"\dx", text[label.end() :]) is not None
    if mixture or not size:
        return []
    return [model for model in models if abs(count_parameters(model).total / size - 1) < 0.09]


@lru_cache(maxsize=1)
def _architectures() -> dict[str, set[str]]:
    """llama.cpp's names of architectures, each with the model types that it stands for."""
    architectures: dict[str, set[str]] = {}
    for key in catalogue_keys("architectures"):
        name = read_table("architectures", key).get("gguf")
        if isinstance(name, str):
            architectures.setdefault(name, set()).add(key)
    return architectures


def _alike(models: list[Model]) -> list[list[Model]]:
    """Models that differ in name alone together: they run alike."""
    groups: dict[Model, list[Model]] = {}
    for model in models:
        shape = replace(
            model, key="", name="", max_position_embeddings=1, published=Published(), source="", quantization=None
        )
        groups.setdefault(shape, []).append(model)
    return list(groups.values())
