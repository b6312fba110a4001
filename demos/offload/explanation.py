"""The math and the table of the demo `offload`."""

from __future__ import annotations

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import FITTED, ROOFLINE_URL
from demos.offload.simulation import Scene, speeds
from pysim import units
from pysim.roofline.host_part import movable_layers


def explain(scene: Scene) -> list[Formula]:
    """What stays on the device, what moves, and what a token takes."""
    here, host = scene.here, scene.on.host
    moved = "experts of the moved layers" if scene.experts_only else "moved layers, with their cache"
    what = [units.show(size, "B", digits=3) for size in (here.device_weights_bytes, here.device_cache_bytes)]
    engine = units.show(here.device_working_bytes, "B", digits=3)
    total = here.device_weights_bytes + here.device_cache_bytes + here.device_working_bytes
    slow = scene.on.device if host is None else host
    bandwidths = [units.show(device.memory_bandwidth_bytes_per_s, "B/s") for device in (scene.on.device, slow)]
    movable = movable_layers(scene.on, experts_only=scene.experts_only)
    return [
        Formula(
            label="On the device",
            rule="weights that stay + cache that stays + what the engine needs",
            inserted=f"{what[0]} + {what[1]} + {engine}",
            result=units.show(total, "B", digits=3),
            source=scene.on.model.source,
        ),
        Formula(
            label="In main memory",
            rule=moved,
            inserted=f"{here.layers} of {movable} layers",
            result=units.show(here.host_bytes, "B", digits=3),
            source="counted per layer by pysim.memory",
        ),
        Formula(
            label="Time of one token",
            rule="time of the part on the device + time of the part in main memory, one after the other",
            inserted=f"{bandwidths[0]} on the device, {bandwidths[1]} in main memory",
            result=units.show(here.token_s, "s", digits=3),
            source=FITTED,
            source_url=ROOFLINE_URL,
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """The speed of writing from no layer moved to all of them."""
    rows: list[list[Cell]] = [["layers_in_main_memory", "decode_tokens_per_s"]]
    points = speeds(scene.on, scene.context, scene.experts_only)
    return rows + [[layers, tokens_per_s] for layers, tokens_per_s in points]
