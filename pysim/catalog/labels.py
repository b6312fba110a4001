"""Labels of all models and devices, found without reading the whole of every file.

A list of a hundred names must not cost the parsing of a hundred files where a browser starts Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from pysim import units
from pysim.catalog import files
from pysim.catalog.files import Folder, catalogue_keys
from pysim.catalog.index import indexed

_QUOTED: Final = re.compile(r'"([^"]*)"')
_SIZES: Final = re.compile(r"^sizes = \[([^\]]*)\]", re.MULTILINE)
_LINE: Final = re.compile(r'^(name|family|size|model_type) = "([^"\\]*)"', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """A catalog file's key and name; a device's family and, where it is known, the size of its memory.

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
    heads = indexed(files.CATALOG, folder)
    head = _head_of_text(folder, key) if heads is None else heads[key]
    sized = folder == "devices" and "size" in head
    return Label(
        key=key,
        name=str(head.get("name", key)),
        family=str(head.get("family", "")),
        memory_bytes=units.parse(str(head["size"]), "B") if sized else None,
        model_type=str(head.get("model_type", "")),
        sizes_bytes=tuple(units.parse(size, "B") for size in cast("list[str]", head.get("sizes", []))),
    )


def _head_of_text(folder: Folder, key: str) -> Mapping[str, object]:
    """The few lines of a file that a label is made of, without parsing the rest of it."""
    text = (files.CATALOG / folder / f"{key}.toml").read_text(encoding="utf-8")
    head: dict[str, object] = {}
    for name, value in _LINE.findall(text):
        head.setdefault(name, value)
    if folder == "devices" and (sizes := _SIZES.search(text)) is not None:
        head["sizes"] = _QUOTED.findall(sizes[1])
    return head
