"""Reader of a device's catalog file, which makes the `Device`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim import units
from pysim.checks import shown
from pysim.errors import BadCatalogue, BadValue
from pysim.hardware.device import PRECISIONS, Device, Link, size_suffix
from pysim.hardware.memory_rule import rule_of
from pysim.units import GIB

PUBLISHED_KINDS: Final = ("datasheet", "derived")
STAND_IN_KINDS: Final = ("instructions", "measured")
_UNITS: Final = {"_bytes_per_s": "B/s", "_flop_per_s": "FLOP/s", "_bytes": "B"}


def read_device(key: str, table: Mapping[str, object], memory_bytes: float | None = None) -> Device:
    """The device of one file; quantities are texts as their publisher prints them.

    `memory_bytes`: one of the sizes that the file lists, or any size where the file has none.
    """
    try:
        return _read(key, table, memory_bytes)
    except BadValue as error:
        raise BadCatalogue(f"devices/{key}.toml: {error}") from error


def _read(key: str, table: Mapping[str, object], memory_bytes: float | None) -> Device:
    peak, kind = _peak(table)
    memory = _optional(table, "memory")
    if "bandwidth" not in memory:
        raise BadValue("memory.bandwidth is missing")
    usual, sizes = sizes_of(memory)
    size = usual if memory_bytes is None else memory_bytes
    share, known, where = _usable(table, memory, usual, size)
    sections = [section for section in table.values() if isinstance(section, dict)]
    return Device(
        key=key if size is None or size == usual else key + size_suffix(size),
        name=_text(table, "name") if size is None or size == usual else f"{_text(table, 'name')}, {size / GIB:g} GB",
        family=_text(table, "family"),
        kind=_text(table, "kind"),
        peak_flop_per_s={
            precision: _quantity(peak, precision, "FLOP/s") for precision in PRECISIONS if precision in peak
        },
        peak_kind=kind,
        memory_bandwidth_bytes_per_s=_quantity(memory, "bandwidth", "B/s"),
        memory_bytes=size,
        usable_share=share,
        usable_kind=known,
        usable_source=where,
        sizes_bytes=sizes,
        links=_links(table),
        measured=_measured(_optional(table, "measured")),
        confidence=str(table.get("confidence", "")),
        notes=tuple(str(section["note"]) for section in sections if "note" in section),
        sources=tuple(dict.fromkeys(str(section["source"]) for section in sections if "source" in section)),
    )


def _peak(table: Mapping[str, object]) -> tuple[Mapping[str, object], str | None]:
    """The published peaks or, for a device without any, those that stand in for them; with their kind."""
    given = [name for name in ("peak", "stand_in_peak") if name in table]
    if len(given) > 1:
        raise BadValue("[stand_in_peak] is for devices without a published [peak]")
    if not given:
        return {}, None
    peak = _optional(table, given[0])
    kinds = PUBLISHED_KINDS if given == ["peak"] else STAND_IN_KINDS
    kind = peak.get("kind")
    if kind not in kinds:
        raise BadValue(f"{given[0]}.kind must be one of {', '.join(kinds)}, not {shown(kind)}")
    return peak, str(kind)


def sizes_of(memory: Mapping[str, object]) -> tuple[float | None, tuple[float, ...]]:
    """The size of memory in a device's table [memory], and all that it is sold with where they are several; bytes.

    Raises BadValue where the size is none of them, or they are not in order.
    """
    size = _quantity(memory, "size", "B") if "size" in memory else None
    listed = memory.get("sizes", [])
    sizes = tuple(units.parse(text, "B") for text in listed) if isinstance(listed, list) else ()
    if sizes and (size not in sizes or list(sizes) != sorted(set(sizes))):
        raise BadValue("memory.sizes must go from the smallest to the largest and have memory.size among them")
    return size, sizes


def _usable(
    table: Mapping[str, object], memory: Mapping[str, object], usual: float | None, size: float | None
) -> tuple[float, str, str]:
    """The share of the memory that a program can have, how it is known, and where that stands."""
    rule = rule_of(_text(table, "family"), str(memory["rule"]) if "rule" in memory else None)
    if size is None:
        return 1.0, "nominal", ""
    if "usable_memory" in table and size == usual:
        read = _optional(table, "usable_memory")
        usable = _quantity(read, "usable", "B")
        if usable > size:
            raise BadValue(f"usable_memory.usable must be at most memory.size, not {shown(read['usable'])}")
        return usable / size, "read", f"{read['source']}, {read['system']}"
    if rule is not None:
        return rule.share_of(size), "rule", f"{rule.name}: {rule.source}"
    return 1.0, "nominal", ""


def _links(table: Mapping[str, object]) -> tuple[Link, ...]:
    return tuple(
        Link(name=name, bytes_per_s=_quantity(link, "one_way", "B/s"), source=str(link["source"]))
        for name, link in table.items()
        if isinstance(link, dict) and "one_way" in link
    )


def _measured(table: Mapping[str, object]) -> dict[str, float]:
    """Measured figures; the end of a name says its unit."""
    figures: dict[str, float] = {}
    for name in table:
        unit = next((unit for ending, unit in _UNITS.items() if name.endswith(ending)), None)
        if unit is not None:
            figures[name] = _quantity(table, name, unit)
    return figures


def _quantity(table: Mapping[str, object], name: str, unit: str) -> float:
    value = table[name]
    if not isinstance(value, str):
        raise BadValue(f'{name} must be a string with a unit, such as "3.35 {unit}", not {shown(value)}')
    return units.parse(value, unit)


def _optional(table: Mapping[str, object], name: str) -> Mapping[str, object]:
    section = table.get(name, {})
    if not isinstance(section, dict):
        raise BadValue(f"[{name}] must be a table")
    return section


def _text(table: Mapping[str, object], name: str) -> str:
    value = table.get(name)
    if not isinstance(value, str) or not value:
        raise BadValue(f"{name} is missing")
    return value
