"""Facts of the catalog page: the entries of each folder, with all that their files say and where that is from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Final, cast

from hooks.pages.catalogue_text import readable, value_text
from pysim import units
from pysim.catalog.files import Folder, catalogue_keys, read_table
from pysim.formats.table import KV_FORMATS, WEIGHT_FORMATS, KvFormat, WeightFormat
from pysim.hardware.device import Device
from pysim.load import load_device, load_model
from pysim.memory.kv_cache import kv_bytes_per_token
from pysim.models.parameters import parameters
from pysim.units import GIB

_ABOUT: Final = frozenset({"source", "checked", "note"})
_KNOWN: Final = {"read": "as printed on this device", "rule": "by a rule for its kind of memory"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One table of a file: what it says, where that is from, and when that was last checked."""

    title: str
    text: str
    source: str
    checked: date | None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry: its names, the figures that people look for first, and its facts."""

    key: str
    name: str
    figures: str
    facts: tuple[Fact, ...]
    group: str = ""
    also: tuple[str, ...] = ()


@lru_cache(maxsize=1)
def models() -> tuple[Entry, ...]:
    """Every model, ordered by name."""
    return _by_name(_model(key) for key in catalogue_keys("models"))


@lru_cache(maxsize=1)
def devices() -> tuple[Entry, ...]:
    """Every device, ordered by family and name."""
    return tuple(sorted(map(_device, catalogue_keys("devices")), key=lambda entry: (entry.group, entry.name.lower())))


@lru_cache(maxsize=1)
def engines() -> tuple[Entry, ...]:
    """Every engine, ordered by name."""
    return _by_name(_entry("engines", key, _what(read_table("engines", key))) for key in catalogue_keys("engines"))


@lru_cache(maxsize=1)
def rules() -> tuple[Entry, ...]:
    """Every rule of usable memory, with the readings that bear it out."""
    return _by_name(_rule(key) for key in catalogue_keys("memory_rules"))


@lru_cache(maxsize=1)
def formats() -> tuple[Entry, ...]:
    """Every format of weights, then those of the cache, as their table has them."""
    weights = [_format(key, stored) for key, stored in WEIGHT_FORMATS.items()]
    return (*weights, *(_kv_format(key, stored) for key, stored in KV_FORMATS.items()))


def _by_name(entries: Iterator[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda entry: entry.name.lower()))


def _model(key: str) -> Entry:
    model = load_model(key)
    counted = parameters(model)
    active = f", {_count(counted.active)} active" if counted.active < counted.total else ""
    per_token = units.show(kv_bytes_per_token(model), "B", binary=True, digits=3)
    context = f" · context {model.max_position_embeddings:,}" if model.max_position_embeddings else ""
    return _entry(
        "models", key, f"{_count(counted.total)} parameters{active} · {per_token} of cache per token{context}"
    )


def _count(number: float) -> str:
    """A number of parameters as people write it: "8.03B", "494M", "1.03T"."""
    for size, letter in ((1e12, "T"), (1e9, "B"), (1e6, "M")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.0f}"


def _device(key: str) -> Entry:
    device = load_device(key)
    size = _memory(device)
    speed = units.show(device.memory_bandwidth_bytes_per_s, "B/s", digits=4)
    peak = max(device.peak_flop_per_s.get(name, 0.0) for name in ("fp16", "fp32"))
    figures = " · ".join(part for part in (speed, size, f"{peak / 1e12:.4g} TFLOPS" if peak else "") if part)
    sure = f"{device.family}, confidence {device.confidence}" if device.confidence else device.family
    return _entry("devices", key, figures, group=sure, more=_usable(device))


def _memory(device: Device) -> str:
    sizes = device.sizes_bytes or ((device.memory_bytes,) if device.memory_bytes else ())
    return f"{' / '.join(f'{size / GIB:g}' for size in sizes)} GiB" if sizes else ""


def _usable(device: Device) -> tuple[Fact, ...]:
    """What a program can have, where a rule says it; what was read is in a table of the file."""
    if device.usable_kind != "rule" or device.memory_bytes is None or device.usable_memory_bytes is None:
        return ()
    parts = f"{device.usable_memory_bytes / GIB:.4g} of {device.memory_bytes / GIB:g} GiB"
    return (Fact(title="usable memory", text=f"{parts}, {_KNOWN['rule']}", source=device.usable_source, checked=None),)


def _what(table: Mapping[str, object]) -> str:
    about = table.get("about")
    return str(about.get("what", "")) if isinstance(about, dict) else ""


def _rule(key: str) -> Entry:
    table = read_table("memory_rules", key)
    usable = cast("Mapping[str, object]", table["usable"])
    shares = cast("list[Mapping[str, object]]", usable["shares"])
    figures = ", ".join(
        f"{value_text(row['share'])} up to {row['up_to']}" if "up_to" in row else value_text(row["share"])
        for row in shares
    )
    readings = tuple(
        _fact(f"read on {row['device']}", row) for row in cast("list[dict[str, object]]", table.get("read", []))
    )
    return _entry("memory_rules", key, f"{figures} of the size", more=readings)


def _format(key: str, stored: WeightFormat) -> Entry:
    fields = {
        "bits per weight": stored.bits_per_weight,
        "of experts": stored.expert_bits,
        "all but experts": stored.beside_experts_bits,
        "of the head": stored.head_bits,
        "of the input table": stored.embedding_bits,
    }
    text = ", ".join(f"{name} {bits:.4g}" for name, bits in fields.items())
    how = f"{text}; multiplies in {stored.multiplies_in}"
    fact = Fact(title="bits", text=how, source=stored.source, checked=None)
    return Entry(
        key=key,
        name=stored.name,
        figures=f"{stored.bits_per_weight:.4g} bits per weight",
        group="weights",
        facts=(fact,),
    )


def _kv_format(key: str, stored: KvFormat) -> Entry:
    figures = f"{stored.bits_per_element:.4g} bits per cached number"
    fact = Fact(title="bits", text=figures, source=stored.source, checked=None)
    return Entry(key=f"kv-{key}", name=f"{stored.name} cache", figures=figures, group="cache", facts=(fact,))


def _entry(folder: Folder, key: str, figures: str, *, group: str = "", more: tuple[Fact, ...] = ()) -> Entry:
    table = read_table(folder, key)
    tables = {name: part for name, part in table.items() if isinstance(part, dict)}
    facts = [_fact(readable(name), part) for name, part in tables.items()]
    return Entry(
        key=key,
        name=str(table.get("name", key)),
        figures=figures,
        group=group,
        also=tuple(cast("list[str]", table.get("also", []))),
        facts=(*facts, *more),
    )


def _fact(title: str, part: Mapping[str, object]) -> Fact:
    fields = {name: value for name, value in part.items() if name not in _ABOUT}
    text = ", ".join(f"{readable(name)} {value_text(value)}" for name, value in fields.items())
    checked = part.get("checked")
    return Fact(
        title=title,
        text=text,
        source=str(part.get("source", "")),
        checked=checked if isinstance(checked, date) else None,
        note=str(part.get("note", "")),
    )
