"""Reader of an engine's memory tables: which fields they have, and the rules made of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pysim import units
from pysim.catalog.fields import Field
from pysim.engines.memory_rules import PLAIN_CACHE, CacheRule, ReservationKind, ReservationRule

MEMORY_TABLES: Final[Mapping[str, Mapping[str, Field]]] = {
    "reservation": {
        "kind": Field(allowed=("share of memory", "whole context", "context by memory"), required=True),
        "order": Field(kind="count", required=True),
        "share": Field(kind="fraction"),
        "step_tokens": Field(kind="count"),
        "slots": Field(kind="count"),
        "unified": Field(kind="flag"),
        "contexts": Field(
            kind="rows",
            fields={
                "least_memory": Field(kind="quantity", unit="B", zero=True, required=True),
                "tokens": Field(kind="count", required=True),
            },
        ),
        "rule": Field(required=True),
        "note": Field(required=True),
    },
    "cache": {
        "block_tokens": Field(kind="count"),
        "cell_tokens": Field(kind="count"),
        "absorbs_latents": Field(kind="flag"),
        "smaller": Field(),
        "window_holds_pass": Field(kind="flag"),
        "window_format": Field(),
        "unread_windows": Field(kind="texts"),
        "conv_bytes": Field(kind="count"),
    },
}


def cache_rule(cache: Mapping[str, object], reservation: Mapping[str, object], chunk_tokens: int | None) -> CacheRule:
    """How the engine stores the cache, by its tables [cache] and [reservation] and the pieces it reads a prompt in."""
    slots = _count(reservation, "slots", PLAIN_CACHE.slots)
    return CacheRule(
        step_tokens=_count(cache, "cell_tokens", _count(cache, "block_tokens", PLAIN_CACHE.step_tokens)),
        window_pass_tokens=(chunk_tokens or 0) if cache.get("window_holds_pass") else 0,
        window_format=cast("str | None", cache.get("window_format")),
        unread_windows=tuple(cast("list[str]", cache.get("unread_windows", []))),
        conv_bytes=_count(cache, "conv_bytes", PLAIN_CACHE.conv_bytes),
        slots=slots,
        shared_up_to=slots if reservation.get("unified") else 0,
    )


def reservation_rule(table: Mapping[str, object] | None) -> ReservationRule | None:
    """How the engine sets memory aside; None for a file without [reservation]."""
    if table is None:
        return None
    rows = cast("list[Mapping[str, object]]", table.get("contexts", []))
    contexts = [(units.parse(str(row["least_memory"]), "B"), _count(row, "tokens", 0)) for row in rows]
    return ReservationRule(
        kind=cast("ReservationKind", table["kind"]),
        order=_count(table, "order", 0),
        share=float(cast("float", table.get("share", 1.0))),
        step_tokens=_count(table, "step_tokens", 1),
        contexts=tuple(sorted(contexts, reverse=True)),
        rule=str(table["rule"]),
        note=str(table["note"]),
        source=str(table["source"]),
    )


def _count(table: Mapping[str, object], name: str, otherwise: int) -> int:
    return cast("int", table.get(name, otherwise))
