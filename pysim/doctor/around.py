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

from pysim.catalogue import load_device
from pysim.doctor.names import words
from pysim.doctor.reading import Run
from pysim.doctor.recognise_device import HOSTS, device_of, on_graphics
from pysim.doctor.recognise_model import model_of
from pysim.doctor.text import Text

MOST_CHARACTERS: Final = 200_000
MOST_OF_THEM: Final = 6
_MOST_NAMES: Final = 60
_WINDOW: Final = 48
_DEVICE: Final = re.compile(
    r"(?<![\w.-])(?:(?:nvidia |geforce |tesla |amd |intel )?(?:"
    r"(?:rtx|gtx)[ -]?(?:pro[ -]?|a)?\d{3,4}|rx[ -]?\d{4}|radeon (?:\w{1,8} ){0,2}\w{0,2}\d{3,4}|instinct mi\d{3}"
    r"|arc(?:\(tm\))? [ab]\d{3}|r9700|mi(?:100|210|250|3\d\d)x?\b|(?:ryzen|epyc|xeon|core)(?:\((?:r|tm)\))? "
    r"[\w() +-]{0,20}\d{3,5}|i[3579]-\d{4,5})"
    r"|(?:apple )?m[1-5][ -]?(?:max|pro|ultra)\b|apple m[1-5]\b"
    r"|(?:macbook|mac|mini|air|imac)\b[\w ,()\"-]{0,16}?(?=\bm[1-5]\b)"
    r"|dgx[ -]spark|strix[ -]halo|raspberry pi|(?:jetson|agx|orin) \w{2,5}|snapdragon \w|tpu[ -]?v\d"
    r"|(?:(?:my|an?|on|single|dual|with|one|two|[1-8] ?[x×]) ?|\bgpu: )(?=[2345]0[6-9]0(?![\d.,])))",
    re.IGNORECASE,
)
# Short names are names in capitals only.
_CARD: Final = re.compile(r"(?<![\w.-])(?:A100|H100|H200|B200|V100|GB10|L40S?|A10G?|A40|A[46]000|H20|L4|T4)(?![\w.])")
_JOINED: Final = re.compile(r"(?<=\d)(?=(?:ti|super|xtx|xt|gre|max|pro|ultra)\b)", re.IGNORECASE)
_APPLE: Final = re.compile(r"(?<!apple )\bm(?=[1-5]\b)", re.IGNORECASE)
_BARE: Final = re.compile(r"^[2345]0[6-9]0")
_ENDS: Final = re.compile(r"[|,;:/+&()\[\]*\"']|  | and | with | or |\. |\bVRAM|\bOff\b|\bOn\b")
_BEFORE: Final = re.compile(
    r"(?:\b([2-9]|1\d) ?[x×*]|\b(dual|two|twin|three|quad|four)) ?(?:nvidia |geforce )*\Z", re.I
)
_BEHIND: Final = re.compile(r"[^|\n]{0,24}?(?<!\w)[x×] ?([2-9])\b", re.IGNORECASE)
_MANY: Final = {"dual": 2, "two": 2, "twin": 2, "three": 3, "quad": 4, "four": 4}
_ROW: Final = re.compile(r"^\W{0,4}\d{1,2} +NVIDIA ")
_SPLIT: Final = re.compile(r"(?:tensor[-_]parallel[-_]size|--tp(?:[-_]size)?|(?<!\w)-tp)[ =]{1,3}(\d{1,3})\b")
_MODEL: Final = re.compile(
    r"(?<![\w])(?:[\w.-]{1,40}/)?(?:meta[- ])?(?:codellama|tinyllama|llama|qwen|qwq|mi[sx]tral|ministral|gemma|phi"
    r"|deepseek|gpt-oss|olmo|smollm|falcon|command-r|aya|glm|vicuna|granite|nemotron)"
    r"[\w.:+ -]{0,28}?(?<![\d.])\d{1,3}(?:\.\d{1,2})?b\b[\w.:-]{0,60}"
    r"(?:[ (,]{1,2}(?:i?q\d\w{0,8}|awq|gptq|fp8|[248]-?bit|bf16|f16|mxfp4)\b)?",
    re.IGNORECASE,
)
_NOT_IT: Final = ("draft", "embed", "rerank", "mmproj")
_FORMAT: Final = re.compile(
    r"(?<![\w])(?:ud-)?i?q[2-8]_?(?:k_?[sml]|k_xl|xxs|xs|nl|[01])(?![\w])|mxfp4|\bgptq\b|\bawq\b", re.I
)
_OF_CACHE: Final = re.compile(r"cache|\bk?v\b|ctk|ctv|type_[kv]|- type", re.IGNORECASE)


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
    named: list[Run] = []
    for run in runs:
        setup = run.setup
        if setup.device is None:
            devices = _devices(text) if devices is None else devices
            found = _fitting(devices, setup.backend)
            if found:
                count = found[0].count if len(found) == 1 else 1
                setup = replace(
                    setup,
                    device=_either(found),
                    device_line=found[0].line,
                    n_devices=setup.n_devices or _split(text, run) or (count if count > 1 else None),
                )
        if setup.model is None and setup.model_file is None:
            models = _models(text) if models is None else models
            if models:
                setup = replace(setup, model=_either(models), model_line=models[0].line)
        if setup is not run.setup and setup.weights is None and setup.weights_bytes is None and setup.model:
            setup = replace(setup, weights=_format(text))
        named.append(run if setup is run.setup else replace(run, setup=setup))
    return named


def _either(names: list[_Name]) -> str:
    return " or ".join(each.words for each in names[:MOST_OF_THEM])


def _split(text: Text, run: Run) -> int | None:
    """Over how many devices a server's command splits the model."""
    if run.engine in ("llama.cpp", "ik_llama.cpp", "mlx-lm"):
        return None
    said = set(_SPLIT.findall(text.plain[:MOST_CHARACTERS]))
    return int(said.pop()) if len(said) == 1 else None


def _devices(text: Text) -> list[_Name]:
    plain = text.plain[:MOST_CHARACTERS]
    found: list[_Name] = []
    rows: dict[str, int] = {}
    places = sorted({match.start(): match for kind in (_DEVICE, _CARD) for match in kind.finditer(plain)}.items())
    for start, match in places[:_MOST_NAMES]:
        rest = plain[start : start + _WINDOW + len(match[0])].split("\n")[0]
        behind = rest[len(match[0]) :]
        whole = match[0] + (_ENDS.split(behind)[0] if behind else "")
        if match[0].lower().startswith(("mac", "mini", "air", "imac")) or _BARE.match(behind):
            whole = ("RTX " if _BARE.match(behind) else "") + _ENDS.split(behind)[0]
        said = _APPLE.sub("Apple M", _JOINED.sub(" ", " ".join(whole.split()))).strip()
        line_start = plain.rfind("\n", 0, start) + 1
        number = text.number_at(start)
        keys = _keys(said)
        before = _BEFORE.search(
            plain[max(line_start, start - 24) : start] + match[0][: len(match[0]) - len(match[0].lstrip())]
        )
        count = int(before[1]) if before and before[1] else _MANY[before[2].lower()] if before else 1
        more = _BEHIND.match(behind)
        count = int(more[1]) if count == 1 and more else count
        lead = re.match(r"(?:([2-8]) ?[x×]|(dual|two))", match[0], re.IGNORECASE)
        if lead is not None:
            count = int(lead[1]) if lead[1] else 2
        if _ROW.match(plain[line_start : line_start + 40]):
            rows[said] = count = rows.get(said, 0) + 1
        found.append(_Name(words=said, line=number, keys=keys, count=count))
    return _merged(found)


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
    plain = text.plain[:MOST_CHARACTERS]
    found: list[_Name] = []
    for match in _MODEL.finditer(plain):
        start = plain.rfind("\n", 0, match.start()) + 1
        if any(each in plain[start : match.end()].lower() for each in _NOT_IT) or "\n" in match[0]:
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
    for match in _FORMAT.finditer(plain):
        start = plain.rfind("\n", 0, match.start()) + 1
        if _OF_CACHE.search(plain[start : match.start()]) is None:
            said.add(re.sub(r"q(\d)_?k_?([sml])", r"q\1_k_\2", match[0].lower()))
    return said.pop() if len(said) == 1 else None
