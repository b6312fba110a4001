"""Load a model or a device: by key, everyday name, Hugging Face id or config.json."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import Folder, catalogue_keys, names_in, read_table
from pysim.errors import BadCatalogue, BadConfig, BadValue, UnknownName, quoted

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

LARGEST_CONFIG_BYTES: Final = 10_000_000
_HUGGING_FACE_ID: Final = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+\Z", re.ASCII)
# Words of a Hugging Face name that say how a model was trained further, not how it is built.
_TUNING: Final = frozenset({"instruct", "it", "chat", "hf", "base", "pt", "meta"})


def load_model(given: str | Path | Mapping[str, object]) -> Model:
    """The model of a key, a name, a Hugging Face id, the path of a config.json, or a config as a mapping.

    Names are compared in any case, with any kind of dash, and with spaces left out or put in. Of a Hugging
    Face id such as "meta-llama/Llama-3.1-70B-Instruct" the organization and words such as "Instruct" do not
    count: they do not change how a model is built. Raises UnknownName with the nearest names, BadValue where
    a name means several models, BadConfig where a config cannot be read.
    """
    if isinstance(given, Mapping):
        from pysim.models.config import read_config

        return read_config(given)
    if isinstance(given, Path) or (isinstance(given, str) and given.endswith(".json")):
        return _read_file(Path(given))
    return _model(_key("models", given))


def load_device(name: str) -> Device:
    """The device of a key or a name, compared in any case, with any kind of dash, and with spaces left out or put in.

    Raises UnknownName with the nearest names, BadValue where a name means several devices.
    """
    return _device(_key("devices", name))


def _key(folder: Folder, name: object) -> str:
    if isinstance(name, str) and name in catalogue_keys(folder):
        return name
    return _key_of_name(folder, name) if isinstance(name, str) else _unknown(folder, name)


@lru_cache(maxsize=1024)
def _key_of_name(folder: Folder, name: str) -> str:
    from pysim.catalog.names import keys_by_letters, keys_by_name, keys_by_plain_key, name_letters, plain_name

    owners = keys_by_name(folder)
    words = [plain_name(name)]
    if folder == "models" and _HUGGING_FACE_ID.match(name):
        built = plain_name(name.rpartition("/")[2])
        words += [built, " ".join(word for word in built.split() if word not in _TUNING)]
    for word in words:
        key = keys_by_plain_key(folder).get(word)
        keys = (key,) if key is not None else owners.get(word) or keys_by_letters(folder).get(name_letters(word), ())
        if len(keys) > 1:
            kind, choice = folder.removesuffix("s"), " or ".join(f'"{key}"' for key in keys)
            raise BadValue(f"{quoted(name)} is the name of more than one {kind}: {choice}?")
        if keys:
            return keys[0]
    return _unknown(folder, name)


def _unknown(folder: Folder, name: object) -> str:
    error = UnknownName(folder.removesuffix("s"), name, catalogue_keys(folder))
    if error.nearest or not isinstance(name, str):
        raise error
    every = dict.fromkeys(known for names in names_in(folder).values() for known in names)
    close = UnknownName(folder.removesuffix("s"), re.sub(r".*/", "", name), every)
    raise UnknownName(folder.removesuffix("s"), name, every) if close.nearest else error


def _read_file(path: Path) -> Model:
    from pysim.models.config import read_config

    try:
        if path.stat().st_size > LARGEST_CONFIG_BYTES:
            raise BadConfig(f"{path}: larger than {LARGEST_CONFIG_BYTES:,} bytes, which no config.json is")
        config = json.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise BadConfig(f"{path}: {error.strerror or error}") from error
    except (ValueError, RecursionError) as error:
        raise BadConfig(f"{path} is not JSON: {error}") from error
    key = path.absolute().parent.name if path.name == "config.json" else path.stem.removesuffix(".config")
    return read_config(config, key=key, where=str(path))


@lru_cache(maxsize=512)
def _model(key: str) -> Model:
    from pysim.catalog.taken_names import check_names
    from pysim.models.catalog_entry import read_model
    from pysim.models.entry_fields import check_model_entry

    table = read_table("models", key)
    try:
        check_model_entry(key, table)
    except BadConfig as error:
        raise BadCatalogue(f"models/{key}.toml [config]: {error}") from error
    check_names("models", key, table)
    return read_model(key, table)


@lru_cache(maxsize=512)
def _device(key: str) -> Device:
    from pysim.catalog.taken_names import check_names
    from pysim.hardware.catalog_entry import read_device
    from pysim.hardware.entry_fields import check_device_entry, check_family

    table = read_table("devices", key)
    check_device_entry(key, table)
    check_family(key, table)
    check_names("devices", key, table)
    return read_device(key, table)
