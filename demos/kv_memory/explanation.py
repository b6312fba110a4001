"""The math and the table of the demo `kv-memory`."""

from __future__ import annotations

import pysim
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import typical_time
from demos.kit.number import count
from demos.kv_memory.simulation import Scene, token_times
from pysim import units
from pysim.memory.cache_parts import cache_parts
from pysim.memory.kv_cache import state_bytes_per_sequence


def explain(scene: Scene) -> list[Formula]:
    """Bytes per token, bytes of the cache, of the weights, and the time of one token."""
    model = scene.at.on.model
    per_token = pysim.kv_bytes_per_token(model, scene.at.on.kv_format)
    by_kind = ""
    if model.layer_order:
        by_kind = "; ".join(part.words(model.num_hidden_layers) for part in cache_parts(model, scene.at.on.kv_format))
    state = " + a state of fixed size for each conversation" if state_bytes_per_sequence(model) else ""
    return [
        Formula(
            label="Cache of one token",
            rule="layers × bytes of keys and values in one layer",
            inserted=by_kind or f"{model.num_hidden_layers} × {per_token / model.num_hidden_layers:,.9g} B",
            result=f"{per_token:,.9g} B",
            source=model.source,
        ),
        Formula(
            label="Cache in use",
            rule="conversations × tokens × bytes per token (layers with a window keep their window only)" + state,
            inserted=f"{scene.at.conversations} × {count(scene.context)} × {per_token:,.9g} B",
            result=units.show(scene.filled.cache_bytes, "B"),
            source="counted per layer by pysim.memory.kv_cache",
        ),
        typical_time("Time of one token", scene.at.pass_of(scene.context)),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """The cache and the time of a token over the whole range of lengths."""
    rows: list[list[Cell]] = [["context_tokens", "kv_cache_bytes", "weights_bytes", "tpot_s"]]
    for tokens, tpot_s in [*token_times(scene.at), (scene.context, scene.tpot_s)]:
        rows.append([int(tokens), scene.at.filled(int(tokens), 0).cache_bytes, scene.filled.weights_bytes, tpot_s])
    return rows
