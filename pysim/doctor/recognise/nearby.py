"""Which device and which model does the text around a measurement name, where its own lines name none?

Names are looked for as people write them ("my M2 Max", "2x 3090", a row of nvidia-smi). One that stands alone in the
text counts; several are handed on together, joined by "or", and asked about.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pysim.doctor.read.run import Run
from pysim.doctor.read.text import Text
from pysim.doctor.recognise.device import HOSTS, device_of, on_graphics
from pysim.doctor.recognise.heard import NOT_IN_CATALOGUE, heard_device, heard_model, hints
from pysim.doctor.recognise.model import model_of
from pysim.doctor.recognise.names import words
from pysim.doctor.recognise.nearby_words import (
    APPLE,
    BARE,
    BEFORE,
    BEHIND,
    CARD,
    CHAT,
    DEVICE,
    DEVICE_WORDS,
    ENDS,
    FORMAT,
    FORMAT_WORDS,
    JOINED,
    MANY,
    NOT_IT,
    OF_CACHE,
    ROW,
    SPLIT,
    near,
)
from pysim.engines.load import find_engine
from pysim.load import load_device

MOST_CHARACTERS: Final = 200_000
MOST_OF_THEM: Final = 6
_MOST_NAMES: Final = 60
_WINDOW: Final = 48


@dataclass(frozen=True, slots=True, kw_only=True)
class _Name:
    """A name in the text, its line, what of the catalogue it can mean (nothing: unknown), and how many are said."""

    words: str
    line: int
    keys: frozenset[str]
    count: int = 1


def with_names(text: Text, runs: Sequence[Run]) -> list[Run]:
    """The runs, each with the device and the model that the text names elsewhere, where it has none of its own."""
    bare = [run for run in runs if run.setup.device is None or not (run.setup.model or run.setup.model_file)]
    if not bare:
        return list(runs)
    devices: list[_Name] | None = None
    models: list[_Name] | None = None
    split = _split(text)
    named: list[Run] = []
    for run in runs:
        setup = run.setup
        if setup.device is None:
            devices = _devices(text) if devices is None else devices
            found = _fitting(devices, setup.backend)
            if found:
                count = found[0].count if len(found) == 1 and not _is_host(found[0]) else 1
                setup = replace(
                    setup,
                    device=_either(found),
                    device_line=found[0].line,
                    n_devices=setup.n_devices
                    or (None if _in_layers(run.engine) else split)
                    or (count if count > 1 else None),
                )
        if setup.model is None and setup.model_file is None:
            models = _models(text) if models is None else models
            if models:
                setup = replace(setup, model=_either(models), model_line=models[0].line)
        if setup is not run.setup and setup.weights is None and setup.weights_bytes is None and setup.model:
            setup = replace(setup, weights=_format(text))
        named.append(run if setup is run.setup else replace(run, setup=setup))
    return named


def _in_layers(engine: str | None) -> bool:
    """Does an engine split a model by layers unasked, so that a server's option is not about it?"""
    known = find_engine(engine)
    return known is not None and known.split == "layers"


def _either(names: list[_Name]) -> str:
    return " or ".join(each.words for each in names[:MOST_OF_THEM])


def _split(text: Text) -> int | None:
    """Over how many devices a server's command splits the model."""
    said = set(SPLIT.findall(text.plain[:MOST_CHARACTERS]))
    return int(said.pop()) if len(said) == 1 else None


def _devices(text: Text) -> list[_Name]:
    plain = _without_chat(text.plain[:MOST_CHARACTERS])
    found: list[_Name] = []
    rows: dict[str, int] = {}
    matches = (
        match
        for start, end in near(plain, (*DEVICE_WORDS, *hints("devices")))
        for kind in (DEVICE, CARD, heard_device())
        for match in kind.finditer(plain, start, end)
    )
    places = sorted({match.start(): match for match in matches}.items())
    for start, match in places[:_MOST_NAMES]:
        rest = plain[start : start + _WINDOW + len(match[0])].split("\n")[0]
        behind = rest[len(match[0]) :]
        whole = match[0] + (ENDS.split(behind)[0] if behind else "")
        if match[0].lower().startswith(("mac", "mini", "air", "imac")) or BARE.match(behind):
            whole = ("RTX " if BARE.match(behind) else "") + ENDS.split(behind)[0]
        said = APPLE.sub("Apple M", JOINED.sub(" ", " ".join(whole.split()))).strip()
        line_start = plain.rfind("\n", 0, start) + 1
        number = text.number_at(start)
        keys = _keys(said)
        before = BEFORE.search(
            plain[max(line_start, start - 24) : start] + match[0][: len(match[0]) - len(match[0].lstrip())]
        )
        count = int(before[1]) if before and before[1] else MANY[before[2].lower()] if before else 1
        more = BEHIND.match(behind)
        count = int(more[1]) if count == 1 and more else count
        lead = re.match(r"(?:([2-8]) ?[x×]|(dual|two))", match[0], re.IGNORECASE)
        if lead is not None:
            count = int(lead[1]) if lead[1] else 2
        if ROW.match(plain[line_start : line_start + 40]):
            rows[said] = count = rows.get(said, 0) + 1
        found.append(_Name(words=said, line=number, keys=keys, count=count))
    return _merged(found)


def _without_chat(plain: str) -> str:
    """The text with spaces for what was said in ollama's window, from a prompt to the figures behind its answer."""
    if ">>> " not in plain:
        return plain
    lines = plain.split("\n")
    asked: int | None = None
    for at, line in enumerate(lines):
        if CHAT.match(line):
            asked = at
        elif asked is not None and "total duration:" in line:
            lines[asked:at] = [" " * len(each) for each in lines[asked:at]]
            asked = None
    return "\n".join(lines)


@lru_cache(maxsize=256)
def _keys(said: str) -> frozenset[str]:
    known = device_of(said, None)
    if known is None:
        return frozenset()
    return frozenset([known.key] if known.key is not None else known.candidates)


def _fitting(names: list[_Name], backend: str | None) -> list[_Name]:
    """Of processors and graphics the kind on which such a run runs: graphics, unless it says otherwise."""
    hosts = [each for each in names if _is_host(each)]
    graphics = [each for each in names if each not in hosts]
    said = on_graphics(backend)
    if said is False:
        return hosts
    return graphics or ([] if said else hosts)


def _is_host(name: _Name) -> bool:
    if name.keys:
        return all(load_device(key).family in HOSTS for key in name.keys)
    return re.match(r"(?:amd |intel )?(?:ryzen|epyc|xeon|core|i\d)", name.words, re.IGNORECASE) is not None


def _models(text: Text) -> list[_Name]:
    plain = _without_chat(text.plain[:MOST_CHARACTERS])
    found: list[_Name] = []
    matches = (
        each
        for start, end in near(plain, (*hints("models"), *NOT_IN_CATALOGUE))
        for each in heard_model().finditer(plain, start, end)
    )
    for match in {each.start(): each for each in matches}.values():
        start = plain.rfind("\n", 0, match.start()) + 1
        if any(each in plain[start : match.end()].lower() for each in NOT_IT) or "\n" in match[0]:
            continue
        said = " ".join(match[0].split()).rstrip(".:,-( ")
        found.append(_Name(words=said, line=text.number_at(match.start()), keys=_model_keys(said)))
        if len(found) >= _MOST_NAMES:
            break
    return _merged(found)


@lru_cache(maxsize=256)
def _model_keys(said: str) -> frozenset[str]:
    known = model_of(said)
    if known is None:
        return frozenset()
    return frozenset([known.key] if known.key is not None else known.candidates)


def _merged(names: Iterable[_Name]) -> list[_Name]:
    """Names that can mean the same one as one: the most exact, or the one that says most."""
    kept: list[_Name] = []
    for name in names:
        for place, other in enumerate(kept):
            both = name.keys & other.keys
            if both or (not name.keys and not other.keys and set(words(name.words)) & set(words(other.words))):
                exact = name if (len(name.keys), -len(name.words)) < (len(other.keys), -len(other.words)) else other
                kept[place] = replace(exact, keys=both, count=max(name.count, other.count))
                break
        else:
            kept.append(name)
    return kept


def _format(text: Text) -> str | None:
    """The one format of weights that the text names, caches left out."""
    plain = text.plain[:MOST_CHARACTERS]
    said: set[str] = set()
    matches = (each for start, end in near(plain, FORMAT_WORDS) for each in FORMAT.finditer(plain, start, end))
    for match in matches:
        start = plain.rfind("\n", 0, match.start()) + 1
        if OF_CACHE.search(plain[start : match.start()]) is None:
            said.add(re.sub(r"q(\d)_?k_?([sml])", r"q\1_k_\2", match[0].lower()))
    return said.pop() if len(said) == 1 else None
