"""Reader of an engine's memory tables: which fields they have, and the rules made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, cast

from pysim import units
from pysim.catalog.fields import Field
from pysim.engines.memory_rules import PLAIN_CACHE, CacheRule, PassSize, ReservationKind, ReservationRule, WorkingRule

_BYTES: Final = Field(kind="quantity", unit="B", zero=True)
# What versions of an engine have changed.
_BY_VERSION: Final[Mapping[str, Field]] = {
    "logit_bytes": Field(kind="count"),
    "graph_layer": _BYTES,
    "outside": _BYTES,
    "together": _BYTES,
}
MEMORY_TABLES: Final[Mapping[str, Mapping[str, Field]]] = {
    "reservation": {
        "kind": Field(
            allowed=("share of memory", "whole context", "context by memory", "all but a reserve"), required=True
        ),
        "order": Field(kind="count"),
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
        "earlier": Field(
            kind="rows", fields={"before": Field(required=True), "share": Field(kind="fraction", required=True)}
        ),
        "reserves": Field(
            kind="rows",
            fields={
                "least_memory": Field(kind="quantity", unit="B", zero=True, required=True),
                "free": Field(kind="quantity", unit="B", required=True),
            },
        ),
        "reserve_per_device": _BYTES,
        "margin": _BYTES,
        "least_context_tokens": Field(kind="count"),
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
        "state_copies": Field(kind="count"),
        "equal_pages": Field(kind="flag"),
    },
    "working_memory": {
        "passes": Field(
            kind="rows",
            fields={
                "least_memory": Field(kind="quantity", unit="B", zero=True, required=True),
                "tokens": Field(kind="count", required=True),
                "sequences": Field(kind="count", required=True),
                "except_devices": Field(kind="texts"),
            },
            required=True,
        ),
        "logits_of": Field(allowed=("pass", "sequences"), required=True),
        "number_bytes": Field(kind="count", required=True),
        "hidden_copies": Field(kind="count", required=True),
        "ffn_copies": Field(kind="count", required=True),
        "logits_hidden_copies": Field(kind="count"),
        "holds_expert_rows": Field(kind="flag"),
        "fixed": _BYTES,
        **_BY_VERSION,
        "earlier": Field(kind="rows", fields={"before": Field(required=True), **_BY_VERSION}),
        "note": Field(),
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
        state_copies=_count(cache, "state_copies", PLAIN_CACHE.state_copies),
        equal_pages=bool(cache.get("equal_pages", False)),
    )


def reservation_rule(table: Mapping[str, object] | None) -> ReservationRule | None:
    """How the engine sets memory aside; None for a file without [reservation]."""
    if table is None:
        return None
    contexts = [(_bytes(row, "least_memory"), _count(row, "tokens", 0)) for row in _rows(table, "contexts")]
    earlier = [(str(row["before"]), float(cast("float", row["share"]))) for row in _rows(table, "earlier")]
    reserves = [(_bytes(row, "least_memory"), _bytes(row, "free")) for row in _rows(table, "reserves")]
    return ReservationRule(
        kind=cast("ReservationKind", table["kind"]),
        order=cast("int | None", table.get("order")),
        share=float(cast("float", table.get("share", 1.0))),
        step_tokens=_count(table, "step_tokens", 1),
        contexts=tuple(sorted(contexts, reverse=True)),
        rule=str(table["rule"]),
        note=str(table["note"]),
        source=str(table["source"]),
        earlier_shares=tuple(earlier),
        reserves=tuple(sorted(reserves, reverse=True)),
        reserve_per_device_bytes=_bytes(table, "reserve_per_device"),
        margin_bytes=_bytes(table, "margin"),
        least_context_tokens=_count(table, "least_context_tokens", 0),
    )


def working_rule(table: Mapping[str, object] | None) -> WorkingRule | None:
    """What the engine needs besides weights and cache; None for a file without [working_memory]."""
    if table is None:
        return None
    passes = [
        PassSize(
            least_bytes=_bytes(row, "least_memory"),
            tokens=_count(row, "tokens", 0),
            sequences=_count(row, "sequences", 0),
            except_devices=tuple(word.lower() for word in cast("list[str]", row.get("except_devices", []))),
        )
        for row in _rows(table, "passes")
    ]
    newest = WorkingRule(
        passes=tuple(sorted(passes, key=lambda size: -size.least_bytes)),
        logits_of=cast("Literal['pass', 'sequences']", table["logits_of"]),
        number_bytes=_count(table, "number_bytes", 0),
        hidden_copies=_count(table, "hidden_copies", 0),
        ffn_copies=_count(table, "ffn_copies", 0),
        logits_hidden_copies=_count(table, "logits_hidden_copies", 0),
        holds_expert_rows=bool(table.get("holds_expert_rows", False)),
        fixed_bytes=_bytes(table, "fixed"),
        logit_bytes=_count(table, "logit_bytes", 0),
        graph_layer_bytes=_bytes(table, "graph_layer"),
        outside_bytes=_bytes(table, "outside"),
        together_bytes=_bytes(table, "together"),
        note=str(table.get("note", "")),
        source=str(table["source"]),
    )
    earlier: list[tuple[str, WorkingRule]] = []
    for row in _rows(table, "earlier"):
        older = earlier[-1][1] if earlier else newest
        earlier.append(
            (
                str(row["before"]),
                replace(
                    older,
                    logit_bytes=_count(row, "logit_bytes", int(older.logit_bytes)),
                    graph_layer_bytes=_bytes(row, "graph_layer", older.graph_layer_bytes),
                    outside_bytes=_bytes(row, "outside", older.outside_bytes),
                    together_bytes=_bytes(row, "together", older.together_bytes),
                ),
            )
        )
    return replace(newest, earlier=tuple(earlier))


def _rows(table: Mapping[str, object], name: str) -> list[Mapping[str, object]]:
    return cast("list[Mapping[str, object]]", table.get(name, []))


def _bytes(table: Mapping[str, object], name: str, otherwise: float = 0.0) -> float:
    return units.parse(str(table[name]), "B") if name in table else otherwise


def _count(table: Mapping[str, object], name: str, otherwise: int) -> int:
    return cast("int", table.get(name, otherwise))
