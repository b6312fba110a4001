"""`--measured-…`: what a run on your own machine says about the speeds that `pysim estimate` predicts."""

from __future__ import annotations

import argparse
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.errors import BadValue
from pysim.load import load_model
from pysim.requests.calibrate import Measurement, calibrate

if TYPE_CHECKING:
    from pysim.deployed import Deployed

_NUMBERS: Final = ("prefill", "decode")
_OF_THE_RUN: Final = ("prompt", "answer", "depth", "batch")
_ALL: Final = (*_NUMBERS, *_OF_THE_RUN, "model", "weights", "kv", "output")


def arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a measurement; what is left out of a measured run is as in the run asked for."""
    group = parser.add_argument_group(
        "your own machine",
        "a speed measured on this device calibrates the prediction; by default with this run's settings",
    )
    speed, number = {"type": float, "metavar": "TOK/S"}, {"type": int, "metavar": "N"}
    group.add_argument("--measured-decode", help="writing speed of one conversation", **speed)  # type: ignore[arg-type]
    group.add_argument("--measured-prefill", help="reading speed of all prompts combined", **speed)  # type: ignore[arg-type]
    group.add_argument("--measured-prompt", help="tokens of the measured prompt", **number)  # type: ignore[arg-type]
    group.add_argument("--measured-answer", help="tokens of the measured answer", **number)  # type: ignore[arg-type]
    group.add_argument("--measured-depth", help="tokens cached before the answer (the prompt)", **number)  # type: ignore[arg-type]
    group.add_argument("--measured-batch", help="sequences at once (1)", **number)  # type: ignore[arg-type]
    group.add_argument("--measured-model", metavar="KEY", help="the model that was measured")
    group.add_argument("--measured-weights", metavar="FORMAT", help="how its weights were stored")
    group.add_argument("--measured-kv", metavar="FORMAT", help="how its cache was stored")
    group.add_argument(
        "--measured-output", metavar="FILE", help="what a tool printed on this machine; - reads standard input"
    )


def calibrated(asked: argparse.Namespace, on: Deployed) -> tuple[Deployed, tuple[str, ...]]:
    """The deployment calibrated by its measurement, with notes; without a measurement, unchanged."""
    given = {name: getattr(asked, f"measured_{name}", None) for name in _ALL}
    if all(value is None for value in given.values()):
        return on, ()
    if asked.speed == "datasheet":
        raise BadValue("--speed datasheet is the best case of any machine; leave it out to use a measurement")
    found = _from_file(asked, on, given) if given["output"] is not None else (_from_numbers(asked, on, given),)
    measured = calibrate(on, found)
    return measured, (_words(measured),)


def _from_numbers(asked: argparse.Namespace, on: Deployed, given: dict[str, object]) -> Measurement:
    if given["prefill"] is None and given["decode"] is None:
        lone = next(name for name in _ALL if given[name] is not None)
        raise BadValue(f"--measured-{lone} only describes a measurement: add --measured-decode or --measured-prefill")
    run = _run(asked, on)
    return Measurement(
        prefill_tokens_per_s=asked.measured_prefill,
        decode_tokens_per_s=asked.measured_decode,
        prompt_tokens=_or(asked.measured_prompt, asked.prompt_tokens),
        output_tokens=_or(asked.measured_answer, max(1, asked.output_tokens)),
        decode_depth_tokens=asked.measured_depth,
        batch=_or(asked.measured_batch, 1),
        model=run.model,
        weight_format=run.weight_format,
        kv_format=run.kv_format,
    )


def _from_file(asked: argparse.Namespace, on: Deployed, given: dict[str, object]) -> tuple[Measurement, ...]:
    from pysim.cli.doctor import LARGEST_BYTES, text_of
    from pysim.doctor.measurements import measurements

    too_many = [name for name in (*_NUMBERS, *_OF_THE_RUN) if given[name] is not None]
    if too_many:
        raise BadValue(f"--measured-output already says this; leave out --measured-{too_many[0]}")
    path = str(given["output"])
    said = given["model"] is not None or given["weights"] is not None
    try:
        return measurements(text_of(path, LARGEST_BYTES), _run(asked, on), model_said=said)
    except BadValue as error:
        raise error.at(path) from error


def _run(asked: argparse.Namespace, on: Deployed) -> Deployed:
    """The measured model in its format, on the machine."""
    model = on.model if asked.measured_model is None else load_model(asked.measured_model)
    weights = on.weight_format if asked.measured_weights is None else asked.measured_weights
    return replace(on, model=model, weight_format=weights, kv_format=asked.measured_kv or on.kv_format)


def _words(on: Deployed) -> str:
    runs = () if on.calibration is None else on.calibration.measured
    told = [f"its {run.phase} was {math.exp(-run.log_ratio):.2f} times typical" for run in runs]
    missing = {"prefill", "decode"} - {run.phase for run in runs}
    rest = f"; {missing.pop()} was not measured and stays typical" if missing else ""
    return f"calibrated by your measurement: {', '.join(told)}{rest}"


def _or(value: int | None, otherwise: int) -> int:
    return otherwise if value is None else value
