"""Offload: a part of the model is in the host's memory; what all of it on the device would bring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.changed_runs import fits
from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import predicted
from pysim.engines.load import find_engine
from pysim.formats.names import weight_format
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.prediction import PossibleRun

_FORMATS: Final = ("Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M")


def place_changes(judgement: Judgement) -> Iterator[Advice]:
    """All layers on the device, in these weights if they fit, else in the widest smaller ones that do."""
    if judgement.on_host is None and not judgement.does_not_fit:
        return
    fitting = [(run, after) for run in judgement.possible if (after := _fitting(run)) is not None]
    same = all(after.on.weight_format == run.on.weight_format for run, after in fitting)
    if not fitting or len(fitting) < len(judgement.possible) or not (same or len(fitting) == 1):
        return
    weights = fitting[0][1].on.weight_format
    what = all_on_device(judgement) if same else f"use {weights} weights, with all layers on the device"
    for name, phase in reversed(list(judgement.phases())):
        predictions = [forecast for _, after in fitting if (forecast := predicted(after, name)) is not None]
        if not phase.pass_s or len(predictions) < len(fitting) or (name == "prefill" and not phase.tokens):
            continue
        yield Advice(
            kind="device",
            what=what,
            figure=name,
            low=phase.pass_s / max(prediction.high_s for prediction in predictions),
            high=phase.pass_s / min(prediction.low_s for prediction in predictions),
            why="host memory is many times slower than the device's, and everything waits for it",
            setting=f"{weight_format(weights).name} weights and cache on the device, at typical speeds",
        )


def all_on_device(judgement: Judgement) -> str:
    """The change, with the options of the program that printed the text, or else of the engine that ran."""
    program = judgement.known.program or find_engine(judgement.run.engine)
    option = None if program is None else program.all_on_device
    return "put all layers on the device" + (f" ({option})" if option else "")


def _fitting(run: PossibleRun) -> PossibleRun | None:
    if fits(run):
        return run
    now = weights_bytes(run.on.model, run.on.weight_format, engine=run.on.engine)
    for weights in _FORMATS:
        after = run.stored_in(weights)
        if weights_bytes(run.on.model, weights, engine=run.on.engine) < now and fits(after):
            return after
    return None
