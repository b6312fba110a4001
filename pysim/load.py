"""Load a model or a device: by key, everyday name, Hugging Face id, config.json or GGUF file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from pysim.catalog.files import Folder, catalogue_keys, names_in, read_table
from pysim.errors import BadCatalogue, BadConfig, BadValue, UnknownName, quoted

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model

LARGEST_CONFIG_BYTES: Final = 10_000_000
# An entry of measurements that do not say which of two chips it was has the name of one of them.
_GGUF: Final = b"GGUF"
_UNSURE: Final = "-unspecified"
# Left out by people: "M4 Pro", "Instinct MI300X".
_MAKERS: Final = ("apple", "nvidia", "amd", "intel")


def load_model(given: str | Path | Mapping[str, object]) -> Model:
    """The model of a key, a name, a Hugging Face id, the path of a config.json or a GGUF file, or of a mapping.

    Names are compared in any case, with any kind of dash, and with spaces left out or put in. Of a Hugging
    Face id such as "meta-llama/Llama-3.1-70B-Instruct" the organization and words such as "Instruct" do not
    count: they do not change how a model is built; "FP8" in one is how its weights are stored.
    Raises UnknownName with the nearest names, BadValue where a name means several models, BadConfig where a config
    cannot be read.
    """
    if isinstance(given, Mapping):
        return _of_config(given)
    if isinstance(given, Path) or (isinstance(given, str) and _is_file(given)):
        return _read_file(Path(given))
    key = _key("models", given)
    return _model(key) if given == key else _stored(key, given)


def _is_file(given: str) -> bool:
    """Does a text name a file? One that is missing and ends in .gguf is taken for a model's name, if it is one."""
    if not given.lower().endswith((".json", ".gguf")):
        return False
    try:
        there = Path(given).exists()
    except (OSError, ValueError):  # too long for a name, or with a zero byte
        there = False
    return given.lower().endswith(".json") or there or not _keys_of_name("models", given)


def load_device(name: str, *, memory: str | None = None) -> Device:
    """The device of a key or a name, compared in any case, with any kind of dash, and with spaces left out or put in.

    A machine that is sold with several sizes of memory has the largest, unless `memory` ("24 GiB"), the end of its
    key ("apple-m4-pro-20c-24gb") or of its name ("M4 Pro 24 GB") says another one. Raises UnknownName with the
    nearest names, BadValue where a name means several devices or no such size is sold.
    """
    from pysim.hardware.sizes import asked_size, named_size

    if isinstance(name, str) and name not in catalogue_keys("devices"):
        sized = named_size(name, partial(_keys_of_name, "devices"))
        if sized is not None:
            name, size = sized
            return _device(name, size if memory is None else asked_size(name, memory))
    key = _key("devices", name)
    return _device(key, None if memory is None else asked_size(key, memory))


def _key(folder: Folder, name: object) -> str:
    if isinstance(name, str) and name in catalogue_keys(folder):
        return name
    return _key_of_name(folder, name) if isinstance(name, str) else _unknown(folder, name)


@lru_cache(maxsize=1024)
def _key_of_name(folder: Folder, name: str) -> str:
    keys = _keys_of_name(folder, name)
    if len(keys) > 1:
        kind, choice = folder.removesuffix("s"), " or ".join(f'"{key}"' for key in keys)
        raise BadValue(f"{quoted(name)} is the name of more than one {kind}: {choice}?")
    return keys[0] if keys else _unknown(folder, name)


def _keys_of_name(folder: Folder, name: str) -> tuple[str, ...]:
    """The keys of all entries that have a name; none where nobody has it."""
    for word in _spellings(folder, name):
        keys = _keys_called(folder, word)
        if keys:
            return tuple(key for key in keys if not key.endswith(_UNSURE)) or keys
    return ()


def _spellings(folder: Folder, name: str) -> Iterator[str]:
    """A name as it is, and what else it may be called: with its maker, or without what does not change a model."""
    from pysim.catalog.names import plain_name
    from pysim.catalog.repositories import built_names

    plain = plain_name(name)
    yield plain
    yield from built_names(name) if folder == "models" else (f"{maker} {plain}" for maker in _MAKERS)


def _keys_called(folder: Folder, word: str) -> tuple[str, ...]:
    from pysim.catalog.names import keys_by_id, keys_by_letters, keys_by_name, keys_by_plain_key, name_letters

    key = keys_by_plain_key(folder).get(word)
    if key is not None:
        return (key,)
    named = keys_by_name(folder).get(word) or keys_by_letters(folder).get(name_letters(word), ())
    return named or (keys_by_id().get(word, ()) if folder == "models" else ())


def _unknown(folder: Folder, name: object) -> str:
    error = UnknownName(folder.removesuffix("s"), name, catalogue_keys(folder))
    if error.nearest or not isinstance(name, str):
        raise error
    every = dict.fromkeys(known for names in names_in(folder).values() for known in names)
    close = UnknownName(folder.removesuffix("s"), name.rpartition("/")[2], every)
    raise UnknownName(folder.removesuffix("s"), name, every) if close.nearest else error


def read_pasted_model(text: str) -> Model:
    """The model of a pasted text: a config.json, or the digest of a GGUF header; BadConfig says what is wrong.

    Its name is what the text calls it, shortened to one line; the text is data and nothing else.
    """
    from pysim.models.config_json import json_of, read_config_text

    if '"gguf"' in text[:200]:
        return _of_config(cast("Mapping[str, object]", json_of(text)))
    return read_config_text(text)


def _of_config(config: Mapping[str, object], key: str = "", where: str = "") -> Model:
    """The model of a config, or of a digest of GGUF headers, which names itself."""
    from pysim.gguf.digest import headers_of, is_digest
    from pysim.gguf.model import model_of
    from pysim.models.config import read_config

    return model_of(headers_of(config)) if is_digest(config) else read_config(config, key=key, where=where)


def _read_file(path: Path) -> Model:
    from pysim.models.config_json import json_of

    try:
        # A device or a pipe has no end, or waits for somebody to write.
        if not path.is_file() and path.exists() and not path.is_dir():
            raise BadConfig(f"{path} is a device or a pipe, not a file")
        with path.open("rb") as file:
            given = file.read(len(_GGUF))
            if given == _GGUF or path.suffix.lower() == ".gguf":
                return _read_gguf(path)
            given += file.read(LARGEST_CONFIG_BYTES + 1 - len(given))
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        raise BadConfig(f"{path}: {getattr(error, 'strerror', None) or error}") from error
    if len(given) > LARGEST_CONFIG_BYTES:
        raise BadConfig(f"{path}: larger than {LARGEST_CONFIG_BYTES:,} bytes, too large for a config.json")
    try:
        config = json_of(given.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is not JSON: {error.reason} at byte {error.start}") from error
    except BadConfig as error:
        raise BadConfig(f"{path} is not JSON: {error}") from error
    key = path.absolute().parent.name if path.name == "config.json" else path.stem.removesuffix(".config")
    return _of_config(cast("Mapping[str, object]", config), key=key, where=str(path))


def _read_gguf(path: Path) -> Model:
    from pysim.gguf.file import read_headers
    from pysim.gguf.model import model_of

    return model_of(read_headers(path))


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
def _stored(key: str, name: str) -> Model:
    """The model of an entry, its weights as the name of a repository or a file says that they are stored."""
    from dataclasses import replace

    from pysim.catalog.repositories import stored_as

    model, stored = _model(key), stored_as(name)
    if stored is None or stored == model.quantization or (model.quantization is None and stored in ("bf16", "f16")):
        return model
    return replace(model, quantization=stored, quantization_note="", other_widths=(), stored_by="name")


@lru_cache(maxsize=512)
def _device(key: str, memory_bytes: float | None = None) -> Device:
    from pysim.catalog.taken_names import check_names
    from pysim.hardware.catalog_entry import read_device
    from pysim.hardware.entry_fields import check_device_entry, check_family

    table = read_table("devices", key)
    check_device_entry(key, table)
    check_family(key, table)
    check_names("devices", key, table)
    return read_device(key, table, memory_bytes)
