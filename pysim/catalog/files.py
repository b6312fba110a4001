"""Files of the catalog: which models and devices does pysim know, and what do their files say?

The folders are the registry: a file catalog/models/<key>.toml is the model <key>. Keys come
from the file names, and a file is read only when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal

from pysim.catalog.index import indexed
from pysim.errors import BadCatalogue, quoted

Folder = Literal["models", "devices", "architectures", "engines", "memory_rules"]
CATALOG: Final = Path(__file__).parent


def model_keys() -> tuple[str, ...]:
    """The keys of all models in the catalog, sorted."""
    return catalogue_keys("models")


def device_keys() -> tuple[str, ...]:
    """The keys of all devices in the catalog, sorted."""
    return catalogue_keys("devices")


@lru_cache(maxsize=8)
def catalogue_keys(folder: Folder) -> tuple[str, ...]:
    """The file names of a catalog folder, sorted."""
    heads = indexed(CATALOG, folder)
    if heads is not None:
        return tuple(sorted(heads))
    return tuple(sorted(file.stem for file in (CATALOG / folder).glob("*.toml")))


@lru_cache(maxsize=4)
def names_in(folder: Folder) -> Mapping[str, tuple[str, ...]]:
    """What each entry of a folder is called: its key, its name, and what else people and programs call it (`also`).

    Only the head of each file is read, before its first table: a look at all of them takes milliseconds.
    Raises BadCatalogue for a name that another entry has, or an `also` that is the key or the name of another one;
    what entries are `also` called they may share.
    """
    names: dict[str, tuple[str, ...]] = {}
    owners = {key: key for key in catalogue_keys(folder)}
    for key in catalogue_keys(folder):
        head = read_head(folder, key)
        also = head.get("also", [])
        if not isinstance(also, list) or not all(isinstance(name, str) for name in also):
            raise BadCatalogue(f"{folder}/{key}.toml: also must be a list of names")
        own = [str(head["name"])] if "name" in head else []
        for name in own:
            refuse_taken(folder, key, "name", name, owners.setdefault(name.casefold(), key))
        names[key] = (key, *own, *also)
    for key, called in names.items():
        for name in called:
            refuse_taken(folder, key, "also", name, owners.get(name.casefold(), key))
    return names


def refuse_taken(folder: Folder, key: str, field: str, name: str, owner: str) -> None:
    """Raise BadCatalogue where the `owner` of a name is another entry than `key`, whose `field` has it."""
    if owner != key:
        rule = "a name belongs to one entry" + (
            "; entries may share only names that each lists in also" if field == "also" else ""
        )
        raise BadCatalogue(
            f"{folder}/{key}.toml: {field} {quoted(name)} already belongs to {folder}/{owner}.toml; {rule}"
        )


@lru_cache(maxsize=512)
def read_head(folder: Folder, key: str) -> Mapping[str, object]:
    """The names and words of a catalog file, those before its first table, read cheaply; do not change them."""
    heads = indexed(CATALOG, folder)
    if heads is not None and key in heads:
        return heads[key]
    return _parsed(folder, key, head=True)


def read_table(folder: Folder, key: str) -> dict[str, object]:
    """One catalog file as a mapping, its rules checked: every table with facts has source and date."""
    table = _parsed(folder, key)
    check_sources(table, f"{folder}/{key}.toml")
    return table


def _parsed(folder: Folder, key: str, *, head: bool = False) -> dict[str, object]:
    import tomllib

    try:
        text = (CATALOG / folder / f"{key}.toml").read_text(encoding="utf-8")
        return tomllib.loads(text.partition("\n[")[0] if head else text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadCatalogue(f"{folder}/{key}.toml cannot be read: {error}") from error


def check_sources(table: Mapping[str, object], where: str) -> None:
    """Refuse facts without a source and the day it was checked.

    The file's own source stands for its tables, unless a table names another one.
    """
    tables = [(f"[{name}]", part) for name, part in table.items() if isinstance(part, dict)]
    for place, part in [("the file", table)] if "source" in table else tables:
        source, checked = part.get("source"), part.get("checked")
        if not isinstance(source, str) or not source.strip():
            raise BadCatalogue(f"{where}: {place} needs a source")
        if not isinstance(checked, date):
            raise BadCatalogue(f"{where}: {place} needs checked = <date>, the day its source was read")
