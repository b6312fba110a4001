"""Words for each way to make a model fit."""

from __future__ import annotations

from demos.kit.declare.choices import CACHES
from demos.kit.number import count, plural
from pysim.formats.names import weight_format
from pysim.memory.ways_to_fit import Load, Way


def way_words(way: Way) -> str:
    """Return "weights in Q4_K_M and 4 devices" for a way's changes."""
    return " and ".join(_change_words(name, way.after) for name in way.changes)


def _change_words(name: str, after: Load) -> str:
    words = {
        "weights": f"{weight_format(after.on.weight_format).name} weights",
        "kv": f"cache in {CACHES.get(after.on.kv_format, after.on.kv_format)}",
        "context_tokens": f"a context of {count(after.context_tokens)} tokens",
        "conversations": plural(after.batch, "conversation"),
        "devices": f"{count(after.on.n_devices)} such devices",
    }
    return words[name]
