"""Which models does llama.cpp's label mean, such as "llama 8B Q4_K - Medium"?

It names an architecture, as its files do, and a rough size; the number of parameters tells which model it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, cast

from pysim.catalog.files import catalogue_keys, read_table
from pysim.catalog.labels import labels
from pysim.doctor.recognise.names import words
from pysim.load import load_model
from pysim.models.architecture import load_architecture
from pysim.models.parameters import parameters as count_parameters

if TYPE_CHECKING:
    from pysim.models.model import Model

_LABEL: Final = re.compile(r"\s*([a-z][a-z0-9_-]{1,20}) (\?|\d{1,4}(?:\.\d{1,2})?)([BM]?)", re.IGNORECASE)
# Behind the size nothing but experts, a remark and a format: "Qwen3 4B 2507" is a name.
_BEHIND: Final = re.compile(
    r"(?:\.A\d{1,3}(?:\.\d)?B|x\d{1,3}(?:B|E)|x\d{1,3}\.\d{1,2}B)?(?: \([^()]{1,20}\))?(?: mostly)?"
    r"(?:[ ,](?:all |guessed|unknown|ud-|i?q\d|tq\d|b?f\d\d|mxfp4|nvfp4).{0,60})?\s*\Z",
    re.IGNORECASE,
)
# Dense architectures of llama.cpp of which the catalog has no model.
_DENSE: Final = frozenset({
    "bloom", "mpt", "starcoder", "gptneox", "refact", "persimmon", "codeshell", "plamo", "xverse", "cohere2", "olmo",
    "openelm", "jais", "nemotron", "exaone", "glm4", "chameleon", "arcee", "ernie4_5", "minicpm", "apertus", "bitnet",
    "plm", "dream", "llada", "mistral",
})  # fmt: skip
_SIZE: Final = re.compile(r"\d{1,4}(?:\.\d{1,3})?[bm]\Z")
# Counts are printed with two decimals; variants of one architecture differ by more.
_AGREE: Final = 0.0015
_ROUNDED: Final = 6e6
_ROUGHLY: Final = 0.09


@dataclass(frozen=True, slots=True, kw_only=True)
class Labeled:
    """The models that a label may mean; `windows`: whether files of this architecture tell windows of attention."""

    name: str
    models: tuple[Model, ...]
    windows: bool


def models_of_label(text: str, parameters: float | None) -> Labeled | None:
    """The models of llama.cpp's architecture and size, None where the text is no label of a known one."""
    label = _LABEL.match(text)
    if label is None or _BEHIND.match(text, label.end()) is None:
        return None
    name = label[1].lower()
    keys = _models_by_architecture().get(name, ())
    models = _of_size([load_model(key) for key in keys], label, text, parameters)
    return Labeled(name=name, models=tuple(models), windows=_has_windows(name)) if models else None


def may_have_experts(text: str) -> bool:
    """Is a text llama.cpp's label of an architecture that is not known to be dense: "dots1 ?B", "grok 314B"?"""
    label = _LABEL.match(text)
    if label is None or not (label[2] == "?" or label[3]):
        return False
    name = label[1].lower()
    keys = _models_by_architecture().get(name)
    if keys is None:
        return name not in _DENSE
    sparse = [load_model(key).num_experts > 0 for key in keys]
    # Of an architecture with both kinds the label tells experts by "8x7B" or "A3B", where it knows the size.
    return all(sparse) or (any(sparse) and label[2] == "?")


def _of_size(models: list[Model], label: re.Match[str], text: str, parameters: float | None) -> list[Model]:
    if parameters is not None:
        most = max(_ROUNDED, parameters * _AGREE)
        return [model for model in models if abs(count_parameters(model).total - parameters) <= most]
    mixture = re.match(r"x\d", text[label.end() :]) is not None
    if label[2] == "?" or not label[3] or mixture:
        return []
    size = float(label[2]) * (1e9 if label[3] in "Bb" else 1e6)
    near = [model for model in models if size and abs(count_parameters(model).total / size - 1) < _ROUGHLY]
    word = (label[2] + label[3]).lower()
    return [model for model in near if word in (sizes := _sizes_in(model.name)) or not sizes]


def _sizes_in(name: str) -> list[str]:
    return [word for word in words(name) if _SIZE.match(word)]


@lru_cache(maxsize=1)
def _models_by_architecture() -> dict[str, tuple[str, ...]]:
    """llama.cpp's names of architectures, each with the models whose files have it."""
    models: dict[str, tuple[str, ...]] = {}
    for label in labels("models"):
        for name in _names_in_files(label.model_type):
            models[name] = (*models.get(name, ()), label.key)
    return models


@lru_cache(maxsize=256)
def _names_in_files(model_type: str) -> tuple[str, ...]:
    """What llama.cpp's files call an architecture; none where they are not known to have it."""
    table = read_table("architectures", load_architecture(model_type).model_type)
    own = cast("dict[str, str]", table.get("gguf_names", {})).get(model_type)
    names = [table.get("gguf", ""), *cast("list[str]", table.get("gguf_more", []))] if own is None else [own]
    return tuple(str(name) for name in names if name)


def _has_windows(name: str) -> bool:
    """Do files of this architecture keep windows: llama.cpp computes "llama", Mistral's too, without any."""
    return name not in catalogue_keys("architectures") or load_architecture(name).window_rule != "full"
