"""Names around a measurement: the device, model and format that a text gives where its own lines have none.

Names are looked for as people write them ("my M2 Max", "2x 3090", a row of nvidia-smi). One that stands alone in the
text counts; several are handed on together, joined by "or", and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Final

from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.read.run import Run, Setup
from pysim.doctor.read.tabular.by_hand import TOOL as BY_HAND
from pysim.doctor.read.text import Text, clean
from pysim.doctor.recognise.chat import without_chat
from pysim.doctor.recognise.choice import Region, asked_about, chosen, left_out, regions
from pysim.doctor.recognise.heard import NOT_IN_CATALOGUE, heard_model, hints, named_model
from pysim.doctor.recognise.model import model_of
from pysim.doctor.recognise.nearby_devices import MOST_CHARACTERS, MOST_NAMES, Name, devices_near, fitting, merged
from pysim.doctor.recognise.nearby_words import (
    FORMAT,
    FORMAT_WORDS,
    NO_GRAPHICS,
    NOT_IT,
    OF_CACHE,
    SPLIT,
    VISIBLE,
    near,
)
from pysim.doctor.recognise.weight import weight_of
from pysim.engines.load import find_engine

MOST_OF_THEM: Final = 6


class _Around:
    """What a text names, each looked for when it is first asked for."""

    def __init__(self, text: Text) -> None:
        """Nothing is looked for yet."""
        self._text = text

    @cached_property
    def devices(self) -> list[Name]:
        """The devices."""
        return asked_about(devices_near(self._text))

    @cached_property
    def models(self) -> list[Name]:
        """The models."""
        return asked_about(_models(self._text))

    @cached_property
    def split(self) -> int | None:
        """The number of devices over which a server's command splits the model."""
        plain = self._text.plain[:MOST_CHARACTERS]
        counts = {int(count) for count in SPLIT.findall(plain)}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def visible(self) -> int | None:
        """The number of devices that a variable of the environment lets a program see."""
        counts = {listed.count(",") + 1 for listed in VISIBLE.findall(self._text.plain[:MOST_CHARACTERS])}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def without_graphics(self) -> str | None:
        """The backend "CPU" where the text says that there is no graphics card, or that none was used."""
        return "CPU" if NO_GRAPHICS.search(self._text.plain, 0, MOST_CHARACTERS) else None

    @cached_property
    def weights(self) -> str | None:
        """The one format of weights."""
        return _format(self._text)


def with_names(text: Text, runs: Sequence[Run]) -> list[Run]:
    """The runs, each with the device and the model that the text names elsewhere, where it names none itself."""
    around = _Around(text)
    own = _of_sentences(runs)
    return [_named(run, region, around, names) for run, region, names in zip(runs, regions(runs), own, strict=True)]


def _of_sentences(runs: Sequence[Run]) -> list[list[Name]]:
    """The devices that label each rate of a text or table, or the last one with such words in its line."""
    own: list[list[Name]] = []
    for at, run in enumerate(runs):
        names = devices_near(clean(run.label)) if run.tool in (SENTENCE, BY_HAND) and run.label else []
        before = runs[at - 1] if at else None
        if not names and before is not None and before.tool == run.tool == SENTENCE and before.line == run.line:
            names = own[-1]
        own.append(names)
    return own


def _named(run: Run, region: Region, around: _Around, own: list[Name]) -> Run:
    setup, doubts = run.setup, run.doubts
    if setup.device is None:
        own = [name for name in own if name.keys]
        names = [replace(name, line=run.line) for name in own] or chosen(around.devices, region)
        devices = fitting(merged(names), setup.backend or _processor(run, around))
        setup = _with_device(setup, devices, run.engine, around)
        doubts += left_out(around.devices, devices, "device")
    if setup.model is None and setup.model_file is None and around.models:
        models = merged(chosen(around.models, region))
        if models:
            setup = replace(setup, model=_either(models), model_line=models[0].line)
        doubts += left_out(around.models, models, "model")
    if setup is run.setup and doubts == run.doubts:
        return run
    if setup.weights is None and setup.weights_bytes is None and setup.model:
        setup = replace(setup, weights=around.weights)
    return replace(run, setup=setup, doubts=doubts)


def _processor(run: Run, around: _Around) -> str | None:
    """The backend "CPU" where a run used no graphics: by the words before a rate, or else by the text's."""
    if run.tool in (SENTENCE, BY_HAND) and run.label and re.search(r"(?i)\b[cg]pu\b", run.label):
        return None if re.search(r"(?i)\bgpu\b", run.label) else "CPU"
    return around.without_graphics


def _with_device(setup: Setup, names: list[Name], engine: str | None, around: _Around) -> Setup:
    by_command = (None if _in_layers(engine) else around.split) or around.visible
    if not names:
        return setup if by_command is None or setup.n_devices else replace(setup, n_devices=by_command)
    first = names[0]
    count = first.count if len(names) == 1 and not first.is_host else 1
    return replace(
        setup,
        device=_either(names),
        device_line=first.line,
        n_devices=setup.n_devices or by_command or (count if count > 1 else None),
    )


def _in_layers(engine: str | None) -> bool:
    """Does an engine split a model by layers unasked, so a server's option is not about it?"""
    known = find_engine(engine)
    return known is not None and known.split == "layers"


def _either(names: list[Name]) -> str:
    return " or ".join(name.words for name in names[:MOST_OF_THEM])


def _models(text: Text) -> list[Name]:
    plain = without_chat(text.plain[:MOST_CHARACTERS])
    names: list[Name] = []
    stretches = near(plain, (*hints("models"), *NOT_IN_CATALOGUE), whole=True)
    for match in _named_models(plain, stretches):
        line_start = plain.rfind("\n", 0, match.start()) + 1
        before = plain[line_start : match.end()].lower()
        if any(word in before for word in NOT_IT) or "\n" in match[0]:
            continue
        written = " ".join(match[0].split()).rstrip(".:,-( ")
        weight = weight_of(plain, match.start(), match.end())
        line = text.number_at(match.start())
        names.append(Name(words=written, line=line, keys=_model_keys(written), weight=weight))
        if len(names) >= MOST_NAMES:
            break
    return names


def _named_models(plain: str, stretches: Iterable[tuple[int, int]]) -> list[re.Match[str]]:
    """Names with a size, and between them those that need none, in their order."""
    found: dict[int, re.Match[str]] = {}
    for start, end in stretches:
        sized = list(heard_model().finditer(plain, start, end))
        found |= {match.start(): match for match in sized}
        for match in named_model().finditer(plain, start, end):
            if not any(other.start() < match.end() and match.start() < other.end() for other in sized):
                found.setdefault(match.start(), match)
    return [found[start] for start in sorted(found)]


@lru_cache(maxsize=256)
def _model_keys(written: str) -> frozenset[str]:
    recognised = model_of(written)
    if recognised is None:
        return frozenset()
    return frozenset([recognised.key] if recognised.key is not None else recognised.candidates)


def _format(text: Text) -> str | None:
    """The one format of weights that the text names, caches left out."""
    plain = text.plain[:MOST_CHARACTERS]
    formats: set[str] = set()
    for start, end in near(plain, FORMAT_WORDS):
        for match in FORMAT.finditer(plain, start, end):
            line_start = plain.rfind("\n", 0, match.start()) + 1
            if OF_CACHE.search(plain[line_start : match.start()]) is None:
                formats.add(re.sub(r"q(\d)_?k_?([sml])", r"q\1_k_\2", match[0].lower()))
    return formats.pop() if len(formats) == 1 else None
