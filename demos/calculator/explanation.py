"""The calculator's math: bytes of weights and cache, what engines set aside, and both speeds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pysim
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import ROOFLINE, ROOFLINE_URL
from demos.kit.number import count
from pysim import units
from pysim.formats.names import kv_format, weight_format
from pysim.memory.cache_parts import cache_parts
from pysim.memory.kv_cache import kv_bytes_per_token, kv_cache_bytes, state_bytes_per_sequence, windows
from pysim.memory.reservation import Reservation
from pysim.memory.ways_to_fit import Load
from pysim.models.parameters import parameters


def memory_math(load: Load, taken: Sequence[Reservation]) -> list[Formula]:
    """Return the bytes: of weights, of a token, of the cache, of what stays free, and of what engines reserve."""
    model, kv = load.on.model, kv_format(load.on.kv_format)
    stored = weight_format(load.on.weight_format)
    total = pysim.weights_bytes(model, load.on.weight_format)
    per_token = kv_bytes_per_token(model, load.on.kv_format)
    cache = kv_cache_bytes(model, load.context_tokens, load.on.kv_format, load.batch)
    windowed = any(window is not None for _, window in windows(model))
    kept = " (layers with a window keep only their window)" if windowed else ""
    kept += " + fixed states" if state_bytes_per_sequence(model) else ""
    room = pysim.occupancy(load.on, load.context_tokens, load.batch)
    fullest = room.fullest or room.per_device[0]
    per_layer, bits = model.kv_elements_per_token_per_layer, kv.bits_per_element
    by_kind = ""
    if model.layer_order:
        by_kind = "; ".join(part.words(model.num_hidden_layers) for part in cache_parts(model, load.on.kv_format))
    return [
        Formula(
            label="Weights",
            rule="parameters × bits per weight ÷ 8, each tensor in its own format",
            inserted=f"{count(parameters(model).total)} × {8 * total / parameters(model).total:,.4g} bits ÷ 8",
            result=units.show(total, "B"),
            source=f"{model.source}; {stored.name}: {stored.source}",
        ),
        Formula(
            label="Cache of one token",
            rule="layers × numbers kept per layer × bits ÷ 8",
            inserted=by_kind or f"{model.num_hidden_layers} × {count(per_layer)} × {bits:g} ÷ 8",
            result=units.show(per_token, "B"),
            source=kv.source,
        ),
        Formula(
            label="Cache needed",
            rule=f"conversations × tokens × cache of one token{kept}",
            inserted=f"{count(load.batch)} × {count(load.context_tokens)} × {units.show(per_token, 'B')}",
            result=units.show(cache, "B"),
            source="counted layer by layer by pysim.memory.kv_cache",
        ),
        Formula(
            label="Left free, fullest device",
            rule="usable memory − its part of weights and cache − what the engine takes, about",
            inserted=" − ".join(
                units.show(size, "B")
                for size in (
                    fullest.memory_bytes or 0.0,
                    fullest.weights_bytes + fullest.taken_bytes,
                    fullest.working.total_bytes,
                )
            ),
            result=units.show(load.free_bytes, "B"),
            source=f"{load.on.device.name}: {load.on.device.usable_source or '; '.join(load.on.device.sources[:2])}",
        ),
        *[_reserve(load, reserved) for reserved in taken],
    ]


def _reserve(load: Load, taken: Reservation) -> Formula:
    rule = taken.rule
    if rule.pooled:
        memory, weights = units.show(taken.memory_bytes, "B"), units.show(max(taken.weights_bytes), "B")
        several = f"{load.on.n_devices} × " if load.on.n_devices > 1 else ""
        share = taken.limit_bytes / taken.memory_bytes
        working = units.show(max(working.total_bytes for working in taken.working), "B")
        inserted = f"{several}({share:.3g} × {memory} − {weights} − {working})"
    else:
        inserted = f"{count(load.batch)} × {count(taken.slot_tokens)} tokens"
    return Formula(
        label=f"{taken.engine.name} sets aside",
        rule=rule.rule,
        inserted=inserted,
        result=units.show(math.fsum(taken.reserved_bytes), "B"),
        source=rule.note,
        source_url=rule.source,
    )


def speed_math(load: Load, typical: pysim.Estimate | None, best: pysim.Estimate | None) -> list[Formula]:
    """Return both speeds, at best and typically."""
    if best is None or typical is None or best.tpot_s is None or typical.tpot_s is None:
        return []
    tokens = load.context_tokens * load.batch
    moved_bytes = pysim.pass_cost(load.on, 1, load.context_tokens, load.batch, speed="datasheet").moved_bytes
    bandwidth = load.on.device.memory_bandwidth_bytes_per_s
    single = load.on.n_devices == 1
    reading = Formula(
        label="Bytes moved by each writing pass",
        rule="weights used by a token + cache",
        inserted=units.show(moved_bytes, "B"),
        result=f"at least {units.show(moved_bytes / bandwidth, 's')} at {units.show(bandwidth, 'B/s')}",
        source=ROOFLINE,
        source_url=ROOFLINE_URL,
    )
    return [
        *([reading] if single else []),
        Formula(
            label="Reads at",
            rule="prompt tokens of all conversations ÷ time to first token",
            inserted=f"{count(tokens)} ÷ {units.show(typical.ttft_s, 's')}",
            result=units.show(typical.prefill_tokens_per_s, "tokens/s"),
            source=f"pysim.estimate; at best {units.show(best.ttft_s, 's')}",
        ),
        Formula(
            label="Writes at, per conversation",
            rule="1 ÷ time of each token after the first",
            inserted=f"1 ÷ {units.show(typical.tpot_s, 's')}",
            result=units.show(1 / typical.tpot_s, "tokens/s"),
            source=f"pysim.estimate; at best {units.show(best.tpot_s, 's')}",
        ),
    ]
