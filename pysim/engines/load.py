"""Loading of engines: `load_engine("vLLM")` reads catalog/engines/vllm.toml.

Listing the keys reads no file, looking up an everyday name the heads of all, an engine one whole file.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.catalog.files import catalogue_keys, names_in
from pysim.catalog.names import keys_by_name, keys_by_plain_key, plain_name
from pysim.checks import shown
from pysim.engines.catalog_entry import keys_with, ranked_names, read_engine, tools_in_heads
from pysim.errors import BadCatalogue, BadValue, UnknownName

if TYPE_CHECKING:
    from pysim.engines.engine import Engine


def engine_keys() -> tuple[str, ...]:
    """The keys of all engines in the catalog, sorted."""
    return catalogue_keys("engines")


def load_engine(name: str) -> Engine:
    """The engine of a key, name or everyday name in any case; UnknownName offers the nearest."""
    key = engine_key(name)
    if key is None:
        every = (known for names in names_in("engines").values() for known in names)
        raise UnknownName("engine", name, dict.fromkeys(every))
    return _engine(key)


def find_engine(name: str | None) -> Engine | None:
    """The engine of a name; None without a name, for all engines together ("typical"), and for an unknown one."""
    key = None if name is None else engine_key(name)
    return None if key is None else load_engine(key)


def engine_key(name: str) -> str | None:
    """The key of an engine as people write its name; None for one that the catalog does not have."""
    if not isinstance(name, str):
        raise not_an_engine(name)
    return _key_of_name(name)


def not_an_engine(value: object) -> BadValue:
    """The refusal of what cannot be an engine's name."""
    return BadValue(
        f'an engine is a name such as "llama.cpp", or None for all engines combined, not {shown(value)}; '
        'the best case is speed="datasheet"'
    )


@lru_cache(maxsize=256)
def _key_of_name(name: str) -> str | None:
    word = plain_name(name)
    key = keys_by_plain_key("engines").get(word)
    return key if key is not None else _keys().get(word)


@lru_cache(maxsize=1)
def _keys() -> Mapping[str, str]:
    """The key of every name; BadCatalogue where two engines claim the same one."""
    for name, keys in keys_by_name("engines").items():
        if len(keys) > 1:
            first, second = keys[:2]
            raise BadCatalogue(
                f'engines/{second}.toml: the name "{name}" already belongs to engines/{first}.toml; names are unique'
            )
    return {name: keys[0] for name, keys in keys_by_name("engines").items()}


@lru_cache(maxsize=128)
def _engine(key: str) -> Engine:
    _keys()
    return read_engine(key)


@lru_cache(maxsize=256)
def tool_engine(tool: str) -> Engine | None:
    """The engine that a tool belongs to, such as ollama's of "ollama --verbose"; None where it belongs to none.

    A tool's name begins with one of the engine's `tools`, as whole words.
    """
    name = f"{tool.lower()} "
    owners = [(len(start), key) for start, key in tools_in_heads().items() if name.startswith(f"{start} ")]
    return _engine(max(owners)[1]) if owners else None


def reserving_engines() -> tuple[Engine, ...]:
    """The engines that are shown side by side by how they set memory aside, in their order."""
    engines = [_engine(key) for key in keys_with("reservation")]
    shown = [(engine.reservation.order, engine) for engine in engines if engine.reservation is not None]
    return tuple(engine for order, engine in sorted(shown, key=lambda pair: pair[0] or 0) if order is not None)


def engine_choices() -> tuple[tuple[str, str], ...]:
    """The engines that people choose from: what each is measured as, and the names of those that share it, by rank."""
    names: dict[str, list[str]] = {}
    for _, name, measured in ranked_names():
        names.setdefault(measured, []).append(name)
    return tuple((measured, ", ".join(shared)) for measured, shared in names.items())
