"""How does a catalogue file become a device?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim import units
from pysim.checks import shown
from pysim.errors import BadCatalogue, BadValue
from pysim.hardware.device import PRECISIONS, Device, Link

PUBLISHED_KINDS: Final = ("datasheet", "derived")
STAND_IN_KINDS: Final = ("instructions", "measured")
_UNITS: Final = {"_bytes_per_s": "B/s", "_flop_per_s": "FLOP/s", "_bytes": "B"}


def read_device(key: str, table: Mapping[str, object]) -> Device:
    """The device of one file; quantities are texts as their publisher prints them."""
    try:
        return _read(key, table)
    except BadValue as error:
        raise BadCatalogue(f"devices/{key}.toml: {error}") from error


def _read(key: str, table: Mapping[str, object]) -> Device:
    peak, kind = _peak(table)
    memory = _optional(table, "memory")
    if "bandwidth" not in memory:
        raise BadValue("memory.bandwidth is missing")
    size = memory.get("size")
    sections = [each for each in table.values() if isinstance(each, dict)]
    return Device(
        key=key,
        name=_text(table, "name"),
        family=_text(table, "family"),
        kind=_text(table, "kind"),
        peak_flop_per_s={each: _quantity(peak, each, "FLOP/s") for each in PRECISIONS if each in peak},
        peak_kind=kind,
        memory_bandwidth_bytes_per_s=_quantity(memory, "bandwidth", "B/s"),
        memory_bytes=None if size is None else _quantity(memory, "size", "B"),
        links=_links(table),
        measured=_measured(_optional(table, "measured")),
        confidence=str(table.get("confidence", "")),
        notes=tuple(str(each["note"]) for each in sections if "note" in each),
        sources=tuple(dict.fromkeys(str(each["source"]) for each in sections if "source" in each)),
    )


def _peak(table: Mapping[str, object]) -> tuple[Mapping[str, object], str | None]:
    """The published peaks or, for a device without any, those that stand in for them; with their kind."""
    found = [name for name in ("peak", "stand_in_peak") if name in table]
    if len(found) > 1:
        raise BadValue("[stand_in_peak] is for devices without a published [peak]")
    if not found:
        return {}, None
    peak = _optional(table, found[0])
    kinds = PUBLISHED_KINDS if found == ["peak"] else STAND_IN_KINDS
    kind = peak.get("kind")
    if kind not in kinds:
        raise BadValue(f"{found[0]}.kind must be one of {', '.join(kinds)}, not {shown(kind)}")
    return peak, str(kind)


def _links(table: Mapping[str, object]) -> tuple[Link, ...]:
    return tuple(
        Link(name=name, bytes_per_s=_quantity(each, "one_way", "B/s"), source=str(each["source"]))
        for name, each in table.items()
        if isinstance(each, dict) and "one_way" in each
    )


def _measured(table: Mapping[str, object]) -> dict[str, float]:
    """Measured figures; the end of a name says its unit."""
    found: dict[str, float] = {}
    for name in table:
        unit = next((unit for ending, unit in _UNITS.items() if name.endswith(ending)), None)
        if unit is not None:
            found[name] = _quantity(table, name, unit)
    return found


def _quantity(table: Mapping[str, object], name: str, unit: str) -> float:
    value = table[name]
    if not isinstance(value, str):
        raise BadValue(f'{name} must be a text with its unit, such as "3.35 {unit}", not {shown(value)}')
    return units.parse(value, unit)


def _optional(table: Mapping[str, object], name: str) -> Mapping[str, object]:
    found = table.get(name, {})
    if not isinstance(found, dict):
        raise BadValue(f"[{name}] must be a table")
    return found


def _text(table: Mapping[str, object], name: str) -> str:
    value = table.get(name)
    if not isinstance(value, str) or not value:
        raise BadValue(f"{name} is missing")
    return value
