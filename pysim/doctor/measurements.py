"""Measurements in a tool's output: what it says of the machine of a deployment, for `Deployment.calibrated`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.find import programs, read
from pysim.doctor.judge.judging import judge_group
from pysim.doctor.judge.pairing import Group, grouped
from pysim.doctor.judge.plausible import sane
from pysim.doctor.judge.setups import Choices
from pysim.errors import BadValue, quoted
from pysim.requests.calibrate import Measurement
from pysim.roofline.corrections import DECODES_UP_TO_TOKENS

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.doctor.judge.judgement import Judgement

MOST_RUNS: Final = 200
MOST_GROUPS: Final = 20


def measurements(text: str, on: Deployed, *, model_said: bool = False) -> tuple[Measurement, ...]:
    """The first reading and the first writing speed in a text, as of a run on the devices of `on`.

    Model and formats are those that the text names; where it names none, those of `on` (all of them where
    `model_said`, because a caller named them for the measured run). Raises BadValue where nothing was measured, where
    the text is of another device, or where its names fit several models or formats.
    """
    found: list[Measurement] = []
    reads = writes = False
    for group in grouped([sane(run) for run in read(text).runs[:MOST_RUNS]])[:MOST_GROUPS]:
        if group.first.kind == "combined":
            continue
        measurement = _measurement(group, on, model_said=model_said)
        if measurement is None:
            continue
        measurement = (
            replace(
                measurement,
                prefill_tokens_per_s=None if reads else measurement.prefill_tokens_per_s,
                decode_tokens_per_s=None if writes else measurement.decode_tokens_per_s,
            )
            if _has_more(measurement, reads=reads, writes=writes)
            else None
        )
        if measurement is not None:
            found.append(measurement)
            reads = reads or measurement.prefill_tokens_per_s is not None
            writes = writes or measurement.decode_tokens_per_s is not None
    if not found:
        *most, last = programs()
        raise BadValue(
            f"it has no reading or writing speed of a single run; paste all that {', '.join(most)} or {last} printed"
        )
    return tuple(found)


def _has_more(measurement: Measurement, *, reads: bool, writes: bool) -> bool:
    """Has it a speed that is not known yet?"""
    return (not reads and measurement.prefill_tokens_per_s is not None) or (
        not writes and measurement.decode_tokens_per_s is not None
    )


def _measurement(group: Group, on: Deployed, *, model_said: bool) -> Measurement | None:
    judgement = _judged(group, on, model_said=model_said)
    case = judgement.case
    reads = None if case.prefill is None or case.prefill.at_least else case.prefill.tokens_per_s
    writes = None if case.decode is None or case.decode.at_least else case.decode.each_tokens_per_s
    if reads is None and writes is None:
        return None
    if judgement.on_host is not None:
        raise BadValue("part of the model was on the host; measure with all layers on the device")
    run = judgement.possible[0]
    if run.prompt_tokens <= DECODES_UP_TO_TOKENS:
        reads = None
    if reads is None and writes is None:
        return None
    return Measurement(
        prefill_tokens_per_s=reads,
        decode_tokens_per_s=writes,
        prompt_tokens=max(1, run.prompt_tokens),
        prompt_depth=run.prompt_depth_tokens,
        output_tokens=max(1, run.output_tokens),
        decode_depth_tokens=run.decode_depth_tokens,
        batch=run.answer_sequences if writes is not None else run.sequences,
        model=run.on.model,
        weight_format=run.on.weight_format,
        kv_format=run.on.kv_format,
    )


def _judged(group: Group, on: Deployed, *, model_said: bool) -> Judgement:
    """The group as a run on the devices of `on`, of one model in one format."""
    alone = judge_group(group, Choices()).known
    named = alone.devices
    if named and all(device.entry != on.device.entry for device in named):
        raise BadValue(f"it was measured on {named[0].name}, not on {on.device.name}")
    chosen = Choices(device=on.device, engine=on.engine, n_devices=on.n_devices)
    if model_said or alone.model is None:
        chosen = replace(chosen, model=on.model)
    if model_said or alone.weights is None or not alone.weights.key:
        chosen = replace(chosen, weights=on.weight_format)
    judgement = judge_group(group, chosen)
    if not judgement.possible:
        words = judgement.known.model.words if judgement.known.model is not None else ""
        raise BadValue(
            f"its model {quoted(words)} is not in the catalog, or matches several entries; say which one it was"
        )
    if len({(run.on.model.key, run.on.weight_format) for run in judgement.possible}) > 1:
        names = ", ".join(sorted({f"{run.on.model.key} {run.on.weight_format}" for run in judgement.possible}))
        raise BadValue(f"it may have been any of {names}; say which model and format it was")
    return judgement
