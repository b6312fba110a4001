"""Devices that running text names: where, how many of them, and which of the catalog they can mean."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from pysim.doctor.read.text import Text
from pysim.doctor.recognise.chat import without_chat
from pysim.doctor.recognise.device import HOSTS, device_of, on_graphics
from pysim.doctor.recognise.heard import heard_device, hints
from pysim.doctor.recognise.names import words
from pysim.doctor.recognise.nearby_words import (
    APPLE,
    BARE,
    BEFORE,
    BEHIND,
    CARD,
    DEVICE,
    DEVICE_WORDS,
    ENDS,
    JOINED,
    MANY,
    NUMBERED,
    ROW,
    SIZE,
    near,
)
from pysim.doctor.recognise.weight import SAID, Weight, weight_of
from pysim.load import load_device

MOST_CHARACTERS: Final = 200_000
MOST_NAMES: Final = 60
_WINDOW: Final = 48
_LEAD: Final = re.compile(r"(?:([2-8]) ?[x×]|(dual|two))", re.IGNORECASE)
_MEMORY_USED: Final = re.compile(r"\A\|[^\n]{10,60}\d{1,7}MiB / {1,4}(\d{3,7})MiB \|")
SAID_ONCE: Final = Weight(value=SAID)
_SHORT: Final = (
    (re.compile(r"(?<=\d)s\b"), ""),
    (re.compile(r"^(?:(?:nvidia|geforce) ){1,2}(?=[2345]0[5-9]0)", re.IGNORECASE), "RTX "),
    (re.compile(r"^(?:(?:amd|radeon|rx) ?){0,3}(?=[679]\d{3}\b)", re.IGNORECASE), "RX "),
    (re.compile(r"^(?:intel )?(?=[AB][3-7][578]0\b)"), "Arc "),
    (re.compile(r"^(?=ai max)", re.IGNORECASE), "Ryzen "),
    (re.compile(r"\brtx (\d{4}) pro\b", re.IGNORECASE), r"RTX PRO \1"),
)
_HOST: Final = re.compile(r"(?:amd |intel )?(?:ryzen|epyc|xeon|core|i\d)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A name in the text, its line, what of the catalog it can mean (nothing: unknown), and how many are said."""

    words: str
    line: int
    keys: frozenset[str]
    count: int = 1
    weight: Weight = SAID_ONCE

    @property
    def is_host(self) -> bool:
        """Does it name a processor, not graphics?"""
        if self.keys:
            return all(load_device(key).family in HOSTS for key in self.keys)
        return _HOST.match(self.words) is not None


def devices_near(text: Text) -> list[Name]:
    """Every device that the text names, in its order."""
    plain = without_chat(text.plain[:MOST_CHARACTERS])
    names: list[Name] = []
    rows: dict[str, int] = {}
    for match in _matches(plain)[:MOST_NAMES]:
        written = _written(plain, match)
        count = _count(plain, match)
        line_start = plain.rfind("\n", 0, match.start()) + 1
        if ROW.match(plain[line_start : line_start + 40]):
            rows[written] = count = rows.get(written, 0) + 1
        keys = _keys(written)
        size = _size_behind(plain, match) or _size_below(plain, match.end())
        sized = f"{written} {size}GB" if size else written
        several = len(keys) > 1 or any(load_device(key).sizes_bytes for key in keys)
        if several and _keys(sized) and _keys(sized) != keys:
            written, keys = sized, _keys(sized)
        if keys or match.re is not heard_device():
            weight = weight_of(plain, match.start(), match.end() + len(written) - len(match[0].strip()))
            line = text.number_at(match.start())
            names.append(Name(words=written, line=line, keys=keys, count=count, weight=weight))
    return names


def fitting(names: list[Name], backend: str | None) -> list[Name]:
    """Of processors and graphics the kind on which such a run runs: graphics, unless it says otherwise."""
    hosts = [name for name in names if name.is_host]
    graphics = [name for name in names if not name.is_host]
    on_device = on_graphics(backend)
    if on_device is False:
        return hosts
    return graphics or ([] if on_device else hosts)


def merged(names: Iterable[Name]) -> list[Name]:
    """Names that can mean the same one as one: the most exact, or the one that says most."""
    kept: list[Name] = []
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


def _matches(plain: str) -> list[re.Match[str]]:
    """Every match of a pattern in the order of the text, one at each place."""
    matches = {
        match.start(): match
        for start, end in near(plain, DEVICE_WORDS)
        for pattern in (DEVICE, CARD)
        for match in pattern.finditer(plain, start, end)
    }
    for start, end in near(plain, hints("devices"), whole=True):
        matches = {match.start(): match for match in heard_device().finditer(plain, start, end)} | matches
    return [matches[start] for start in sorted(matches)]


def _behind(plain: str, match: re.Match[str]) -> str:
    """The rest of the line behind a match, as far as a name can reach."""
    return plain[match.start() : match.start() + _WINDOW + len(match[0])].split("\n")[0][len(match[0]) :]


def _written(plain: str, match: re.Match[str]) -> str:
    """The whole name as the catalog spells such names: "RTX 4090" of "my 4090", "Apple M2" of "MacBook Air (M2)"."""
    behind = _behind(plain, match)
    whole = match[0] + (ENDS.split(behind)[0] if behind else "")
    if match[0].lower().startswith(("mac", "mini", "air", "imac")) or BARE.match(behind):
        whole = ("RTX " if BARE.match(behind) else "") + ENDS.split(behind)[0]
    return _spelled(APPLE.sub("Apple M", JOINED.sub(" ", " ".join(whole.split()))).strip())


def _spelled(name: str) -> str:
    """A name with the words that people leave out, as the catalog has them: "RX 7900 XTX", "Arc A770"."""
    for pattern, whole in _SHORT:
        name = pattern.sub(whole, name, count=1)
    return name


def _size_behind(plain: str, match: re.Match[str]) -> str | None:
    """The size of memory that the line says behind a name: "M4 Pro, 24 GB", "Mac Studio (M2 Ultra) with 192GB"."""
    sizes = SIZE.findall(plain[match.end() : match.end() + _WINDOW].split("\n")[0])
    return sizes[0] if len(set(sizes)) == 1 else None


def _size_below(plain: str, end: int) -> str | None:
    """The size in GiB that nvidia-smi has in the row below a name: "21846MiB /  24576MiB"."""
    line_end = plain.find("\n", end)
    below = _MEMORY_USED.search(plain[line_end + 1 : line_end + 121]) if line_end >= 0 else None
    return None if below is None else str(round(int(below[1]) / 1024))


def _count(plain: str, match: re.Match[str]) -> int:
    """How many of it the words before, behind or in it say: "2x 3090", "dual A6000", "H100 x8"."""
    lead = _LEAD.match(match[0])
    if lead is not None:
        return int(lead[1]) if lead[1] else 2
    start = match.start()
    line_start = plain.rfind("\n", 0, start) + 1
    blanks = match[0][: len(match[0]) - len(match[0].lstrip())]
    before = BEFORE.search(plain[max(line_start, start - 24) : start] + blanks)
    count = 1
    if before is not None:
        count = int(before[1]) if before[1] else MANY[before[2].lower()]
    more = BEHIND.match(_behind(plain, match))
    if count == 1 and more:
        return int(more[1])
    numbered = NUMBERED.search(plain[max(line_start, start - 24) : start])
    if (
        count == 1
        and numbered
        and (
            match.re is CARD
            or re.match(r"[^,.;\n]{0,24}(?:\ds|gpus|cards)\b", plain[match.end() - 1 : match.end() + 30], re.I)
        )
    ):
        return int(numbered[1])
    return count


@lru_cache(maxsize=256)
def _keys(written: str) -> frozenset[str]:
    recognised = device_of(written, None)
    if recognised is None:
        return frozenset()
    return frozenset([recognised.key] if recognised.key is not None else recognised.candidates)
