"""The calculator's numbers: the readouts of the memory, and the table of all."""

from __future__ import annotations

from functools import lru_cache

import pysim
from demos.calculator.controls import prefix
from demos.calculator.engine_reservations import reservation_values
from demos.calculator.simulation import Scene
from demos.calculator.speed_table import SPEED_READOUTS, speed_value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.readouts import Banded, Missing, ReadoutValue
from pysim.memory.kv_cache import kv_bytes_per_token, kv_cache_bytes
from pysim.memory.ways_to_fit import Load


def memory_values(scene: Scene) -> dict[str, ReadoutValue]:
    """Return the readouts of the memory by their names."""
    load = scene.load
    return {
        "fits": load.free_bytes >= 0,
        "weights_bytes": pysim.weights_bytes(load.on.model, load.on.weight_format),
        "kv_cache_needed_bytes": kv_cache_bytes(load.on.model, load.context_tokens, load.on.kv_format, load.batch),
        "engine_bytes": max(memory.working.total_bytes for memory in scene.room.per_device),
        "usable_memory_bytes": load.on.device.usable_memory_bytes or 0.0,
        "free_bytes": load.free_bytes,
        "largest_context_tokens": largest_context_tokens(load),
        "largest_conversations": load.max_batch,
        "kv_bytes_per_token": kv_bytes_per_token(load.on.model, load.on.kv_format),
    }


@lru_cache(maxsize=64)
def largest_context_tokens(load: Load) -> int:
    """Return the longest context that fits, kept since searching for it takes time."""
    return load.max_context_tokens


def table(scene: Scene) -> list[list[Cell]]:
    """Every number of the picture, with its unit in its name."""
    rows: list[list[Cell]] = [["name", "value"]]
    rows += [["model", scene.load.on.model.name], ["device", scene.load.on.device.name]]
    load, on = scene.load, scene.load.on
    rows += [["n_devices", on.n_devices], ["split", on.split], ["weights", on.weight_format], ["kv", on.kv_format]]
    rows += [["context_tokens", load.context_tokens], ["sequences", load.batch]]
    rows.append(["speed_of", scene.engine])
    for name, value in memory_values(scene).items():
        rows.append([name, _plain(value)])
    for taken, longest in zip(scene.reservations, scene.longest, strict=True):
        for name, value in reservation_values(scene.load, taken, longest).items():
            rows.append([f"{prefix(taken.engine)}_{name}", _plain(value)])
    for readout in SPEED_READOUTS:
        value = speed_value(scene.typical, readout.name, scene.unknown)
        rows.append([readout.name, _plain(value)])
        if isinstance(value, Banded):
            rows += [[f"{readout.name}_p10", value.low], [f"{readout.name}_p90", value.high]]
    return rows


def _plain(value: ReadoutValue) -> Cell:
    if isinstance(value, Banded):
        return value.value
    if isinstance(value, bool):
        return "true" if value else "false"
    return "none" if isinstance(value, Missing) else value
