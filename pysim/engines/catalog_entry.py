"""Reader of an engine's catalog file: checks every field and makes the `Engine`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, cast

from pysim.catalog import files
from pysim.catalog.fields import SOURCE, Field, check_fields
from pysim.catalog.files import catalogue_keys, read_head, read_table
from pysim.engines.engine import Engine, Registry, Split, StoredWeights
from pysim.engines.entry_checks import check_engine_among_others
from pysim.engines.memory_entry import MEMORY_TABLES, cache_rule, reservation_rule, working_rule
from pysim.engines.scheduler import SCHEDULER_FIELDS, scheduler_rule
from pysim.errors import BadCatalogue, UnknownName

BACKENDS: Final = ("cuda", "rocm", "hipblaslt", "rocwmma", "metal", "vulkan", "amdvlk", "sycl", "cpu", "tpu", "webgpu")
_TEXTS: Final = Field(kind="texts")
_HEAD: Final = {
    "name": Field(required=True),
    "also": _TEXTS,
    "built_on": _TEXTS,
    "measured_as": Field(),
    "rank": Field(kind="count"),
    "tools": _TEXTS,
}
_TABLES: Final[Mapping[str, Mapping[str, Field]]] = {
    "about": {"what": Field(required=True)},
    "context": {
        "default": Field(allowed=("model", "memory", "tokens", "whole prompt"), required=True),
        "default_tokens": Field(kind="count"),
    },
    **MEMORY_TABLES,
    "weights": {
        "stored_as": Field(allowed=("gguf", "checkpoint", "mlx", "exl2", "own"), required=True),
        "smaller": _TEXTS,
        "by_size": _TEXTS,
        "bits_name": Field(),
        "nf4_more": Field(kind="fraction"),
        "eight_bit_kernels": _TEXTS,
    },
    "registry": {"default_sizes": Field(kind="sizes", required=True), "usual_formats": _TEXTS},
    "devices": {
        "split": Field(allowed=("tensor", "layers")),
        "backends": Field(kind="texts", allowed=BACKENDS),
    },
    "prefill": {
        "chunk_tokens": Field(kind="count"),
        "larger_chunk": Field(),
        "pads": Field(kind="flag"),
        "fused_since": Field(),
    },
    "decode": {"speculates": Field(kind="flag")},
    "scheduler": SCHEDULER_FIELDS,
    "timing": {"command": Field(), "benchmark": Field(), "loads_before": Field(kind="flag")},
    "slow": {"keep_loaded": Field(), "all_on_device": Field(), "look_for": _TEXTS},
}
# What a kind of reservation or of default cannot do without, and no other kind has.
_NEEDED: Final[Mapping[str, tuple[str, Mapping[str, str]]]] = {
    "reservation": (
        "kind",
        {"share of memory": "share", "all but a reserve": "reserves", "context by memory": "contexts"},
    ),
    "context": ("default", {"tokens": "default_tokens"}),
}
# A program passes on what the engine in it does; how it takes memory and what it prints are its own.
_INHERITED: Final = ("cache", "working_memory", "weights", "devices", "prefill", "decode", "slow")


def read_engine(key: str) -> Engine:
    """The engine of one file; a table that it lacks is that of the engine it is built on.

    Raises BadCatalogue with file, field and what is allowed.
    """
    table = _checked(key)
    bases = _texts(table, "built_on")
    tables = {name: _mapping(value) for name, value in table.items() if isinstance(value, dict)}
    if bases:
        base = _checked(bases[0])
        tables = {name: _mapping(base[name]) for name in _INHERITED if name in base} | tables
    cache, context, devices, prefill, timing, slow = (
        tables.get(name, {}) for name in ("cache", "context", "devices", "prefill", "timing", "slow")
    )
    return Engine(
        key=key,
        name=str(table["name"]),
        also=_texts(table, "also"),
        what=str(tables["about"]["what"]),
        built_on=bases,
        measured_as=measured_as(key),
        rank=_count(table, "rank"),
        tools=_texts(table, "tools"),
        sources=tuple(dict.fromkeys(str(section["source"]) for section in tables.values())),
        reservation=reservation_rule(tables.get("reservation")),
        cache=cache_rule(cache, tables.get("reservation", {}), _count(prefill, "chunk_tokens")),
        working=working_rule(tables.get("working_memory")),
        weights=_weights(tables.get("weights")),
        registry=_registry(tables.get("registry")),
        smaller_cache=_text(cache, "smaller"),
        block_tokens=_count(cache, "block_tokens"),
        absorbs_latents=bool(cache.get("absorbs_latents", False)),
        default_context=_text(context, "default"),
        default_context_tokens=_count(context, "default_tokens"),
        split=cast("Split | None", _text(devices, "split")),
        backends=_texts(devices, "backends"),
        chunk_tokens=_count(prefill, "chunk_tokens"),
        larger_chunk=_text(prefill, "larger_chunk"),
        fused_since=_text(prefill, "fused_since"),
        pads=bool(prefill.get("pads", False)),
        scheduler=scheduler_rule(tables.get("scheduler")),
        speculates=bool(tables.get("decode", {}).get("speculates", False)),
        command=_text(timing, "command"),
        benchmark=_text(timing, "benchmark"),
        loads_before=bool(timing.get("loads_before", False)),
        keep_loaded=_text(slow, "keep_loaded"),
        all_on_device=_text(slow, "all_on_device"),
        look_for=_texts(slow, "look_for"),
    )


def measured_as(key: str) -> str:
    """The name under which an engine was measured; reads the heads of its file and of those that it is built on."""
    head = _head(key)
    if "measured_as" in head:
        return str(head["measured_as"])
    bases = _texts(head, "built_on")
    return measured_as(bases[0]) if bases else key


@lru_cache(maxsize=1)
def tools_in_heads() -> Mapping[str, str]:
    """The key of the engine by the beginning of a tool's name, in lower case."""
    return {tool.lower(): key for key in catalogue_keys("engines") for tool in _texts(_head(key), "tools")}


def ranked_names() -> tuple[tuple[int, str, str], ...]:
    """Rank, name and what it is measured as, of each engine whose file has a rank, in order."""
    heads = {key: _head(key) for key in catalogue_keys("engines")}
    ranked = [(_count(head, "rank"), str(head["name"]), measured_as(key)) for key, head in heads.items()]
    return tuple(sorted((rank, name, measured) for rank, name, measured in ranked if rank is not None))


@lru_cache(maxsize=8)
def keys_with(section: str) -> tuple[str, ...]:
    """The keys of the engines whose files have a table of that name."""
    return tuple(key for key in catalogue_keys("engines") if f"\n[{section}]\n" in _text_of(key))


def _text_of(key: str) -> str:
    return (files.CATALOG / "engines" / f"{key}.toml").read_text(encoding="utf-8")


@lru_cache(maxsize=128)
def _head(key: str) -> Mapping[str, object]:
    head, where = read_head("engines", key), f"engines/{key}.toml"
    check_fields(head, _HEAD, where)
    for base in _texts(head, "built_on"):
        if base not in catalogue_keys("engines"):
            raise BadCatalogue(f"{where}: built_on: {UnknownName('engine', base, catalogue_keys('engines'))}")
        if "built_on" in read_head("engines", base):
            raise BadCatalogue(f"{where}: built_on must name a base engine, but {base} is itself built on another one")
    return head


def _checked(key: str) -> Mapping[str, object]:
    table = read_table("engines", key)
    where = f"engines/{key}.toml"
    _head(key)
    for name, value in table.items():
        if isinstance(value, dict):
            if name not in _TABLES:
                raise BadCatalogue(str(UnknownName("table", name, _TABLES, where)))
            check_fields(value, {**_TABLES[name], **SOURCE}, f"{where} [{name}]")
    for name, (choice, needs) in _NEEDED.items():
        section = _mapping(table.get(name, {}))
        for chosen, needed in needs.items():
            if (needed in section) != (section.get(choice) == chosen):
                raise BadCatalogue(f'{where} [{name}]: {needed} belongs only to {choice} = "{chosen}"')
    if "about" not in table:
        raise BadCatalogue(f"{where}: [about] is missing")
    check_engine_among_others(key, table)
    return table


def _weights(table: Mapping[str, object] | None) -> StoredWeights | None:
    if table is None:
        return None
    return StoredWeights(
        stored_as=str(table["stored_as"]),
        smaller=_texts(table, "smaller"),
        by_size=_texts(table, "by_size"),
        bits_name=_text(table, "bits_name"),
        nf4_more=cast("float", table.get("nf4_more", 0.0)),
        eight_bit_kernels=_texts(table, "eight_bit_kernels"),
    )


def _registry(table: Mapping[str, object] | None) -> Registry | None:
    if table is None:
        return None
    sizes = cast("Mapping[str, str]", table["default_sizes"])
    return Registry(
        default_sizes=tuple((name.lower(), size) for name, size in sizes.items()),
        usual_formats=_texts(table, "usual_formats"),
    )


def _mapping(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value)


def _texts(table: Mapping[str, object], name: str) -> tuple[str, ...]:
    return tuple(cast("list[str]", table.get(name, [])))


def _text(table: Mapping[str, object], name: str) -> str | None:
    return cast("str | None", table.get(name))


def _count(table: Mapping[str, object], name: str) -> int | None:
    return cast("int | None", table.get(name))
