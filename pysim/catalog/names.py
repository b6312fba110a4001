"""Names of catalog entries: keys, names and everyday names, compared in any case and with any kind of dash."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from pysim.catalog.files import Folder, catalogue_keys, names_in, read_head

_GAPS: Final = re.compile(r"[\s_-]+")
_SIGNS: Final = re.compile(r"[^\w.]+")
_REMARK: Final = re.compile(r"\([^()]*\)")


def plain_name(name: str) -> str:
    """A name as it is compared: lower case, dashes and underscores as spaces, without remarks in parentheses."""
    return _GAPS.sub(" ", _REMARK.sub(" ", name.lower())).strip()


def name_letters(name: str) -> str:
    """A name's letters, digits and dots alone, for what people write: "RTX4090", "Qwen 3 8B", "llama3.1:8b"."""
    return _SIGNS.sub("", plain_name(name))


@lru_cache(maxsize=4)
def keys_by_name(folder: Folder) -> Mapping[str, tuple[str, ...]]:
    """The keys of the entries that have a name, for every name of a folder; reads the head of every file."""
    owners: dict[str, tuple[str, ...]] = {}
    for key, names in names_in(folder).items():
        for name in dict.fromkeys(map(plain_name, names)):
            owners[name] = (*owners.get(name, ()), key)
    return owners


@lru_cache(maxsize=4)
def keys_by_plain_key(folder: Folder) -> Mapping[str, str]:
    """The key of every entry by its plain form; lists the folder and reads no file."""
    return {plain_name(key): key for key in catalogue_keys(folder)}


@lru_cache(maxsize=4)
def keys_by_letters(folder: Folder) -> Mapping[str, tuple[str, ...]]:
    """The keys of the entries by `name_letters` of their names."""
    owners: dict[str, tuple[str, ...]] = {}
    for name, keys in keys_by_name(folder).items():
        letters = name_letters(name)
        owners[letters] = tuple(dict.fromkeys((*owners.get(letters, ()), *keys)))
    return owners


@lru_cache(maxsize=1)
def keys_by_id() -> Mapping[str, tuple[str, ...]]:
    """The keys of the models by the Hugging Face ids that their entries name, as `plain_name` has them."""
    owners: dict[str, tuple[str, ...]] = {}
    for key in catalogue_keys("models"):
        ids = read_head("models", key).get("hugging_face", [])
        for name in ids if isinstance(ids, list) else []:
            plain = plain_name(str(name))
            owners[plain] = (*owners.get(plain, ()), key)
    return owners
