"""Index of the catalog: the heads of all files of a folder in one, where a pack of the browser brings it.

In the browser two hundred small files take a second to open and parse, one of the same content some milliseconds.
From a folder of the project there is no index, and every file is read itself: a change counts at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, cast

NAME: Final = "index.json"
INDEXED: Final = ("models", "devices")
FIELDS: Final[tuple[str, ...]] = ("name", "also", "heard", "family")
# Of the tables behind the head, what lists show.
TABLE_FIELDS: Final[dict[str, tuple[str, ...]]] = {"memory": ("size", "sizes"), "config": ("model_type",)}

Heads = Mapping[str, Mapping[str, object]]


def indexed(catalog: Path, folder: str) -> Heads | None:
    """What the index says of each entry of a folder, by its key; None where there is no index of it."""
    return _read(catalog).get(folder)


def index_text(catalog: Path) -> str:
    """The index of a catalog's files: for each entry the fields `FIELDS`, and those of `TABLE_FIELDS`."""
    import json
    import tomllib

    index: dict[str, dict[str, dict[str, object]]] = {}
    for folder in INDEXED:
        index[folder] = {}
        for file in sorted((catalog / folder).glob("*.toml")):
            table = tomllib.loads(file.read_text(encoding="utf-8"))
            fields: dict[str, object] = {name: table[name] for name in FIELDS if name in table}
            for part, names in TABLE_FIELDS.items():
                fields |= {name: table[part][name] for name in names if name in table.get(part, {})}
            index[folder][file.stem] = fields
    return json.dumps(index, ensure_ascii=False, separators=(",", ":"))


@lru_cache(maxsize=2)
def _read(catalog: Path) -> Mapping[str, Heads]:
    file = catalog / NAME
    if not file.exists():
        return {}
    import json

    return cast("Mapping[str, Heads]", json.loads(file.read_text(encoding="utf-8")))
