"""A pass that conversations share, as two lanes: what is read and computed, and which of the two takes longer."""

from __future__ import annotations

from simple_html import SafeString, span

import pysim
from demos.kit.draw.lanes import Lane, LanePart, key, lanes
from demos.kit.html import joined
from demos.kit.number import count, share
from pysim import units


def batch_pass(cost: pysim.PassCost, conversations: int, alone_s: float, gone_s: float) -> SafeString:
    """Return the pass as two lanes, to a scale twice as wide as the pass of one alone, or as wide as this one.

    `gone_s` seconds of it are over.
    """
    weights, cache = cost.weights_read_bytes, cost.kv_read_bytes + cost.kv_written_bytes
    memory_s, compute_s, pass_s = (cost.memory_s, cost.compute_s, cost.time_s)
    weights_s = memory_s * weights / (weights + cache)
    own = units.show(cache / conversations, "B", digits=3)
    flop = units.show(cost.flop / conversations, "FLOP", digits=3)
    waits = f"waits {share(1 - min(memory_s, compute_s) / pass_s)}"
    reading = Lane(
        title="Read",
        note=joined(
            key("mem", f"weights {units.show(weights, 'B')}, once for all"),
            key("kvr", f"caches {count(conversations)} × {own}"),
            span(f"in {units.show(memory_s, 's', digits=3)}"),
        ),
        parts=[LanePart(kind="mem", time_s=weights_s), LanePart(kind="kvr", time_s=memory_s - weights_s)],
        waits=waits if memory_s < compute_s else "",
    )
    doing = Lane(
        title="Do the math",
        note=joined(
            key("math", f"{count(conversations)} × {flop}"), span(f"in {units.show(compute_s, 's', digits=3)}")
        ),
        parts=[LanePart(kind="math", time_s=compute_s)],
        waits=waits if compute_s < memory_s else "",
    )
    now_s = gone_s if gone_s > 1e-6 * pass_s else None
    return lanes([reading, doing], max(2 * alone_s, pass_s), end_s=pass_s, now_s=now_s)
