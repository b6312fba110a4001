"""Host memory: how fast is the main memory that a text tells of?"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.evidence import Words

# 64 bits a channel, of DDR4 (JEDEC JESD79-4) and DDR5 (two halves of 32, JESD79-5) alike.
CHANNEL_BYTES: Final = 8
# Transfers a second of the modules that are sold most, in millions; JEDEC's own steps.
_USUAL: Final = {"3": (1333, 1866), "4": (2666, 3200), "5": (4800, 6000)}
_FASTEST: Final = {"3": 2400, "4": 5000, "5": 9000}
_DESKTOP_CHANNELS: Final = 2
_MOST_CHANNELS: Final = 24
_WORDS: Final = {
    "single": 1, "one": 1, "dual": 2, "two": 2, "quad": 4, "four": 4, "hexa": 6, "six": 6, "octa": 8, "eight": 8,
    "twelve": 12,
}  # fmt: skip
_KIND: Final = re.compile(r"\bDDR([345])(?:[- ]?(\d{4,5})\b)?", re.IGNORECASE)
_SPEED: Final = re.compile(r"\b(\d{4})[ -]?(?:MT/s|MHz)\b", re.IGNORECASE)
_CHANNELS: Final = re.compile(rf"\b(\d{{1,2}}|{'|'.join(_WORDS)})[- ]?channels?\b", re.IGNORECASE)
_MODULES: Final = re.compile(r"\b(\d{1,2}) ?[x×] ?(?:8|16|24|32|48|64|96|128|256) ?GB?\b", re.IGNORECASE)
_TIMES: Final = re.compile(r"\bDDR[345](?:[- ]?\d{4,5})?(?: MT/s| MHz)? ?[x×] ?(\d{1,2})\b", re.IGNORECASE)
_SERVER: Final = re.compile(r"\bEPYC\b|\bXeon\b|\bThreadripper\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMemory:
    """Main memory: the bandwidth that it has at least and at most, in bytes per second, and what it follows from.

    `assumed`: the text says nothing of it.
    """

    low_bytes_per_s: float
    high_bytes_per_s: float
    words: str
    assumed: bool = False


def host_memory(words: Words) -> HostMemory | None:
    """The memory of a text; None for a server of which the text says neither kind nor channels."""
    kind = words.find(_KIND)
    channels = _channels(words)
    if kind is None:
        return None if words.find(_SERVER) is not None or channels else _any()
    if channels is None and words.find(_SERVER) is not None:
        return None
    of = channels or _DESKTOP_CHANNELS
    generation, printed = kind.match[1], kind.match[2]
    told = words.find(_SPEED) if printed is None else None
    speed = int(printed or (told.match[1] if told is not None else 0))
    if not _USUAL[generation][0] / 2 < speed <= _FASTEST[generation]:
        slow, fast = _USUAL[generation]
        return HostMemory(
            low_bytes_per_s=_bytes_per_s(of, slow),
            high_bytes_per_s=_bytes_per_s(of, fast),
            words=f"DDR{generation}-{slow} to {fast}, {_in_words(of)}",
        )
    exact = _bytes_per_s(of, speed)
    return HostMemory(low_bytes_per_s=exact, high_bytes_per_s=exact, words=f"DDR{generation}-{speed}, {_in_words(of)}")


def _any() -> HostMemory:
    return HostMemory(
        low_bytes_per_s=_bytes_per_s(_DESKTOP_CHANNELS, _USUAL["4"][0]),
        high_bytes_per_s=_bytes_per_s(_DESKTOP_CHANNELS, _USUAL["5"][1]),
        words=f"DDR4-{_USUAL['4'][0]} to DDR5-{_USUAL['5'][1]}, {_in_words(_DESKTOP_CHANNELS)}",
        assumed=True,
    )


def _channels(words: Words) -> int | None:
    for pattern in (_CHANNELS, _TIMES):
        found = words.find(pattern)
        if found is not None:
            count = _WORDS.get(found.match[1].lower()) or int(found.match[1])
            return count if 1 <= count <= _MOST_CHANNELS else None
    modules = words.find(_MODULES)
    if modules is None:
        return None
    count = int(modules.match[1])
    # Boards of desktops have two channels, however many modules; on a server each has its own.
    server = words.find(_SERVER) is not None
    return min(count, _MOST_CHANNELS) if server and count else min(count, _DESKTOP_CHANNELS) or None


def _bytes_per_s(channels: int, mega_transfers: int) -> float:
    return channels * CHANNEL_BYTES * mega_transfers * 1e6


def _in_words(channels: int) -> str:
    return f"{channels} channel{'' if channels == 1 else 's'}"
