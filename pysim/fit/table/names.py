"""Names in a table: which entry of the catalog is meant, by a key or else by a name?"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import PurePath
from typing import Final, Literal

from pysim import units
from pysim.catalog.names import keys_by_plain_key, plain_name
from pysim.errors import BadValue, PysimError, quoted
from pysim.load import load_device, load_model

# So many names are compared with all others; beyond, a table of nothing but typing errors would take hours.
MOST_COMPARED: Final = 300
LONGEST_NAME: Final = 200
# Endings of files that `load_model` would open: a table names models, it does not make us read the reader's disk.
_FILES: Final = frozenset({".json", ".gguf", ".toml", ".safetensors"})
_REMARK: Final = re.compile(r"\([^()]*\)")
_CORES: Final = re.compile(r"\(?\b(\d+)[ -]cores?(?: GPU)?\b\)?", re.IGNORECASE)
_SIZE: Final = re.compile(r"\b(\d+) ?GB\b", re.IGNORECASE)
_SAME_SIZE: Final = 0.1
# A machine, and in parentheses what really ran.
_HOLDS_ANOTHER: Final = re.compile(r"\([^()]*\b(nvidia|amd|intel|geforce|radeon|rtx|rx|gtx|arc|cpu)\b", re.IGNORECASE)
_MAKERS: Final = re.compile(r"\A(nvidia|amd|intel)\s+", re.IGNORECASE)
_BRANDS: Final = re.compile(
    r"\A(nvidia\s+|amd\s+|intel\s+)?(geforce|radeon|instinct|arc|tesla|quadro)\s+", re.IGNORECASE
)

Kind = Literal["model", "device"]


class Names:
    """Looks names up, and remembers how many it did not find."""

    def __init__(self) -> None:
        self._missed = 0
        self._looked_up = lru_cache(maxsize=4096)(self._look_up)

    def key(self, kind: Kind, row: dict[str, str]) -> str:
        """The catalog's key of a row's model or device; BadValue with the nearest names."""
        given = [name for name in (row[f"{kind}_key"], row[kind]) if name]
        if not given:
            raise BadValue(f"no {kind}: {kind}_key and {kind} are empty")
        answers = [self._looked_up(kind, name) for name in given]
        for key, _ in answers:
            if key:
                return key
        raise BadValue(answers[0][1])

    def _look_up(self, kind: Kind, name: str) -> tuple[str, str]:
        """The key, or why there is none."""
        unknown = f"unknown {kind} {quoted(name)}"
        if PurePath(name).suffix.lower() in _FILES or len(name) > LONGEST_NAME:
            return "", unknown
        if self._missed >= MOST_COMPARED:
            known = keys_by_plain_key("models" if kind == "model" else "devices").get(plain_name(name), "")
            return known, f"{unknown} (after so many names, this one was compared only with keys)"
        if kind == "device" and _HOLDS_ANOTHER.search(name):
            return "", f"unknown device {quoted(name)}: the name covers the machine and what ran in it; give device_key"
        first: PysimError | None = None
        for form in _forms(name) if kind == "device" else (name, _REMARK.sub(" ", name).strip()):
            try:
                entry = load_model(form) if kind == "model" else load_device(form)
            except PysimError as error:
                first = first or error
            else:
                if kind == "model" or _has_size(name, form, load_device(form).memory_bytes):
                    return entry.key, ""
        self._missed += 1
        return "", str(first or unknown)


def _forms(name: str) -> dict[str, None]:
    """A device's name as others write it: with cores as the keys have them, without maker, brand and memory size."""
    cores = _CORES.sub(r" \1c ", name).strip()
    plain = [cores, _MAKERS.sub("", cores), _BRANDS.sub("", cores)]
    sized = [_SIZE.sub(r"\1", form) for form in plain]
    return dict.fromkeys((name, *plain, *sized, *(_SIZE.sub("", form).strip() for form in plain)))


def _has_size(name: str, form: str, memory_bytes: float | None) -> bool:
    """Where the memory's size was dropped from a name, is it that of the device?"""
    size = _SIZE.search(name)
    if size is None or size[1] in form:
        return True
    return memory_bytes is not None and abs(memory_bytes / units.GIB / float(size[1]) - 1) < _SAME_SIZE
