"""The simulation behind the calculator: the placement, what engines set aside, and both speeds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import pysim
from demos.calculator.controls import NO_ENGINE, RESERVING, START_MODEL
from demos.calculator.measured import calibrated
from demos.kit.declare.catalogue_lists import BEST, PASTED
from demos.kit.declare.config_box import pasted_model
from demos.kit.declare.controls import Value
from pysim.memory.occupancy import Occupancy
from pysim.memory.placement import Place, places
from pysim.memory.reservation import Reservation, longest_context_tokens, reservation
from pysim.memory.ways_to_fit import Load


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered. `asked` is the context before the model's own end cut it."""

    load: Load
    asked: int
    note: str
    engine: str
    placed: tuple[Place, ...]
    room: Occupancy
    reservations: tuple[Reservation, ...]
    longest: tuple[int, ...]
    typical: pysim.Estimate | None
    best: pysim.Estimate | None
    unknown: str
    measured_note: str = ""


def scene(**values: Value) -> Scene:
    """Place the model, fill the memories, and time a prompt that fills the context and the token after it."""
    model, note = _model(str(values["model"]), str(values["config"]))
    asked = int(values["context_tokens"])
    on = pysim.Deployment(
        model,
        pysim.load_device(str(values["device"])),
        n_devices=int(values["devices"]),
        split=str(values["split"]),
        weight_format=str(values["weights"]),
        kv_format=str(values["kv"]),
        engine=None if values["engine"] in NO_ENGINE else str(values["engine"]),
    )
    context = min(asked, model.max_position_embeddings)
    load = Load(on=on, context_tokens=context, batch=int(values["conversations"]))
    machine, told = calibrated(on, values) if values["engine"] != BEST else (on, "")
    found = _scene(load, asked, note, str(values["engine"]))
    if not told:
        return found
    typical = found.typical if machine is on else _estimate(replace(load, on=machine), str(values["engine"]))
    return replace(found, typical=typical, measured_note=told)


def _model(choice: str, config: str) -> tuple[pysim.Model, str]:
    """Return the model, and what has to be said where it is not simply the chosen one."""
    if choice != PASTED:
        return pysim.load_model(choice), ""
    if config.strip():
        return pasted_model(config), ""
    model = pysim.load_model(START_MODEL)
    return model, f"This shows {model.name} until the box has the text of a config.json."


@lru_cache(maxsize=16)
def _scene(load: Load, asked: int, note: str, engine: str) -> Scene:
    placed = places(load.on)
    memory, several = load.on.device.usable_memory_bytes or 0.0, load.batch
    # Each engine stores weights in its own way.
    by_engine = [(engine, places(replace(load.on, engine=engine.key))) for engine in RESERVING]
    typical = best = None
    unknown = ""
    try:
        best = _estimate(load, None)
        typical = best if engine == BEST else _estimate(load, engine)
    except pysim.MissingFact:
        unknown = "this device’s peak is not published"
    return Scene(
        load=load,
        asked=asked,
        note=note,
        engine=engine,
        placed=placed,
        room=pysim.occupancy(load.on, load.context_tokens, several),
        reservations=tuple(
            reservation(engine, load.on.model, held, memory, load.context_tokens, several) for engine, held in by_engine
        ),
        longest=tuple(
            longest_context_tokens(engine, load.on.model, held, memory, several) for engine, held in by_engine
        ),
        typical=typical,
        best=best,
        unknown=unknown,
    )


def _estimate(load: Load, engine: str | None) -> pysim.Estimate:
    return pysim.estimate(
        replace(load.on, engine=engine),
        prompt_tokens=load.context_tokens,
        output_tokens=2,
        batch=load.batch,
        speed="datasheet" if engine is None else "typical",
    )
