"""Labels of all models and devices, found without reading the whole of every file.

A list of a hundred names must not cost the parsing of a hundred files where a browser starts Python.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pysim import units
from pysim.catalog import files
from pysim.catalog.files import Folder, catalogue_keys

_QUOTED: Final = re.compile(r'"([^"]*)"')
_SIZES: Final = re.compile(r"^sizes = \[([^\]]*)\]", re.MULTILINE)
_LINE: Final = re.compile(r'^(name|family|size|model_type) = "([^"\\]*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A catalogue file's key and name; a device's family and, where it is known, the size of its memory.

    `model_type`: a model's architecture. `sizes_bytes`: those that a machine is sold with, where they are several.
    """

    key: str
    name: str
    family: str = ""
    memory_bytes: float | None = None
    model_type: str = ""
    sizes_bytes: tuple[float, ...] = ()


@lru_cache(maxsize=4)
def labels(folder: Folder) -> tuple[Label, ...]:
    """The label of every file of a folder, sorted by key."""
    return tuple(_label(folder, key) for key in catalogue_keys(folder))


def _label(folder: Folder, key: str) -> Label:
    text = (files.CATALOG / folder / f"{key}.toml").read_text(encoding="utf-8")
    head: dict[str, str] = {}
    for name, value in _LINE.findall(text):
        head.setdefault(name, value)
    size = head.get("size") if folder == "devices" else None
    sizes = _SIZES.search(text) if folder == "devices" else None
    return Label(
        key=key,
        name=head.get("name", key),
        family=head.get("family", ""),
        memory_bytes=None if size is None else units.parse(size, "B"),
        model_type=head.get("model_type", ""),
        sizes_bytes=() if sizes is None else tuple(units.parse(size, "B") for size in _QUOTED.findall(sizes[1])),
    )
