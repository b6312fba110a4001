"""Rules of usable memory: which part of its memory does a kind of device leave to a program?

A device's file names its rule, `[memory] rule = "nvidia-hbm"`; without one, the rule of its family's name holds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast

from pysim import units
from pysim.catalog.fields import SOURCE, Field, check_fields
from pysim.catalog.files import catalogue_keys, read_table
from pysim.errors import BadCatalogue

_USABLE: Final = {
    **SOURCE,
    "shares": Field(
        kind="rows",
        required=True,
        fields={"up_to": Field(kind="quantity", unit="B"), "share": Field(kind="fraction", required=True)},
    ),
    "system": Field(required=True),
    "note": Field(),
}
_READ: Final = {
    **SOURCE,
    "device": Field(required=True),
    "usable": Field(kind="quantity", unit="B", required=True),
    "system": Field(required=True),
}
_HEAD: Final = {"name": Field(required=True), "read": Field(kind="rows", fields=_READ)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a program of a `system` printed as usable on a `device`, whose key may name a size of memory."""

    device: str
    usable_bytes: float
    system: str
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRule:
    """Shares of the nominal size, each up to a size in bytes, from the smallest on; and readings that bear it out."""

    key: str
    name: str
    shares: tuple[tuple[float, float], ...]
    system: str
    note: str
    source: str
    readings: tuple[Reading, ...]

    def share_of(self, memory_bytes: float) -> float:
        """The usable part of a memory of this size, from 0 to 1."""
        return next(share for up_to_bytes, share in self.shares if memory_bytes <= up_to_bytes)


def rule_of(family: str, named: str | None) -> MemoryRule | None:
    """The rule that a device's file names, or that of its family; None where there is none.

    Raises BadCatalogue for a name that no rule has.
    """
    keys = catalogue_keys("memory_rules")
    if named is not None and named not in keys:
        raise BadCatalogue(f"memory.rule: there is no rule {named}; there are {', '.join(keys)}")
    key = named or family
    return memory_rule(key) if key in keys else None


@lru_cache(maxsize=64)
def memory_rule(key: str) -> MemoryRule:
    """The rule of a file; raises BadCatalogue in one line with the field that is wrong."""
    where = f"memory_rules/{key}.toml"
    table = read_table("memory_rules", key)
    check_fields({name: value for name, value in table.items() if name != "usable"}, _HEAD, where)
    usable = table.get("usable")
    if not isinstance(usable, dict):
        raise BadCatalogue(f"{where}: [usable] is missing")
    check_fields(cast("Mapping[str, object]", usable), _USABLE, f"{where} [usable]")
    shares = tuple((_up_to(row), float(row["share"])) for row in usable["shares"])
    sizes = [up_to for up_to, _ in shares]
    if not sizes or sizes != sorted(set(sizes)) or sizes[-1] != math.inf:
        raise BadCatalogue(f"{where} [usable]: shares must go from the smallest up_to on, and the last one has none")
    return MemoryRule(
        key=key,
        name=str(table["name"]),
        shares=shares,
        system=usable["system"],
        note=usable.get("note", ""),
        source=usable["source"],
        readings=tuple(
            Reading(
                device=row["device"],
                usable_bytes=units.parse(row["usable"], "B"),
                system=row["system"],
                source=row["source"],
            )
            for row in cast("list[dict[str, str]]", table.get("read", []))
        ),
    )


def _up_to(row: Mapping[str, str]) -> float:
    return units.parse(row["up_to"], "B") if "up_to" in row else math.inf
