"""Calibrate a deployment: hold what was measured on a machine against what is predicted of that run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, TypeVar

from pysim import checks, units
from pysim.engines.calibration import Calibration, Measured, Phase, difference, scatter
from pysim.errors import BadValue
from pysim.formats.names import weight_format
from pysim.memory.placement import places
from pysim.models.model import Model
from pysim.requests.impossible import check_possible
from pysim.requests.request_estimate import estimate
from pysim.roofline.corrections import DECODES_UP_TO_TOKENS

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.requests.request_estimate import Estimate

    On = TypeVar("On", bound=Deployed)

# Slower than so many times the prediction, something else ran: layers on the host, another model, a swapping machine.
MOST_TIMES_SLOWER: Final = 10.0
# Two runs of a machine that differ by less than this never contradict each other.
_ALWAYS_ALIKE: Final = 0.3
_TIMES_THE_BAND: Final = 2.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """One measured run of a machine: its reading speed, its writing speed, or both.

    `prefill_tokens_per_s` counts all sequences, `decode_tokens_per_s` one, as in an estimate. `prompt_tokens` were
    read after `prompt_depth` cached ones; `output_tokens` were written after the prompt, or after
    `decode_depth_tokens` where decode was a separate test (llama-bench's tg128: 0). `model`, `weight_format` and
    `kv_format`: of the run, None for those of the deployment. Raises BadValue naming what is wrong.
    """

    prefill_tokens_per_s: float | None = None
    decode_tokens_per_s: float | None = None
    prompt_tokens: int = 512
    output_tokens: int = 128
    prompt_depth: int = 0
    decode_depth_tokens: int | None = None
    batch: int = 1
    model: Model | None = None
    weight_format: str | None = None
    kv_format: str | None = None

    def __post_init__(self) -> None:
        if self.prefill_tokens_per_s is None and self.decode_tokens_per_s is None:
            raise BadValue("a measurement needs prefill_tokens_per_s, decode_tokens_per_s or both")
        for name in ("prefill_tokens_per_s", "decode_tokens_per_s"):
            value = getattr(self, name)
            if value is not None:
                checks.amount(value, name, above=True)
        for name, least in (("prompt_tokens", 1), ("output_tokens", 1), ("prompt_depth", 0), ("batch", 1)):
            checks.count(getattr(self, name), name, least=least)
        if self.decode_depth_tokens is not None:
            checks.count(self.decode_depth_tokens, "decode_depth_tokens", least=0)
        if self.model is not None:
            checks.instance(self.model, Model, "model", "load_model")
        if self.prefill_tokens_per_s is not None and self.prompt_tokens <= DECODES_UP_TO_TOKENS:
            raise BadValue(
                f"prefill of {self.prompt_tokens} tokens says nothing about reading speed: it is bound as writing is; "
                f"measure more than {DECODES_UP_TO_TOKENS} tokens; 512 is usual"
            )


def calibrate(on: On, measurements: Sequence[Measurement]) -> On:
    """The deployment whose typical times carry what the measurements of its machine show.

    They replace what an earlier calibration said. Raises BadValue where there is none, where one contradicts physics
    or cannot be this run, and where two contradict each other; UnknownName and MissingFact as an estimate does.
    """
    if not measurements:
        raise BadValue("which measurement? calibrated(Measurement(decode_tokens_per_s=...))")
    measured: list[Measured] = []
    for measurement in measurements:
        checks.instance(measurement, Measurement, "measurement", "Measurement")
        measured += _measured(on, measurement)
    for index, one in enumerate(measured):
        for other in measured[:index]:
            _check_agree(other, one)
    return replace(on, calibration=Calibration(measured=tuple(measured)))


def _measured(on: Deployed, measurement: Measurement) -> list[Measured]:
    run = replace(
        on,
        model=on.model if measurement.model is None else measurement.model,
        weight_format=on.weight_format if measurement.weight_format is None else measurement.weight_format,
        kv_format=on.kv_format if measurement.kv_format is None else measurement.kv_format,
        calibration=None,
    )
    _check_fits(run, measurement)
    found: list[Measured] = []
    phases: tuple[tuple[Phase, float | None], ...] = (
        ("prefill", measurement.prefill_tokens_per_s),
        ("decode", measurement.decode_tokens_per_s),
    )
    for phase, speed in phases:
        if speed is None:
            continue
        typical, best = (_speed(run, measurement, phase, how) for how in ("typical", "datasheet"))
        check_possible(run, phase, speed, best, measurement.batch)
        if typical > MOST_TIMES_SLOWER * speed:
            raise BadValue(
                f"{phase} at {_shown(speed)} is {typical / speed:.0f} times slower than {run.model.name} typically is "
                f"there ({_shown(typical)}): were layers on the host, or was it another model or device?"
            )
        found.append(
            Measured(
                phase=phase,
                log_ratio=math.log(typical / speed),
                model=run.model.key,
                weight_format=weight_format(run.weight_format).name,
                is_moe=run.model.is_moe,
                batched=measurement.batch > 1,
            )
        )
    return found


def _speed(run: Deployed, measurement: Measurement, phase: Phase, speed: str) -> float:
    """What is predicted of a phase, in the measurement's own terms."""
    given = _estimate(run, measurement, phase, speed)
    value = given.prefill_tokens_per_s if phase == "prefill" else given.decode_tokens_per_s
    if value is None:
        raise BadValue("a decode speed needs an answer of at least two tokens")
    return value


def _estimate(run: Deployed, measurement: Measurement, phase: Phase, speed: str) -> Estimate:
    if phase == "prefill":
        return estimate(
            run,
            prompt_tokens=measurement.prompt_tokens,
            output_tokens=1,
            prompt_depth=measurement.prompt_depth,
            batch=measurement.batch,
            speed=speed,
        )
    after_prompt = measurement.prompt_depth + measurement.prompt_tokens
    depth = after_prompt if measurement.decode_depth_tokens is None else measurement.decode_depth_tokens
    return estimate(
        run,
        prompt_tokens=max(1, depth),
        output_tokens=measurement.output_tokens + 1,
        batch=measurement.batch,
        speed=speed,
    )


def _check_fits(run: Deployed, measurement: Measurement) -> None:
    tokens = measurement.prompt_depth + measurement.prompt_tokens
    for place in places(run):
        nominal = run.device.memory_bytes if run.host is None else place.memory_bytes
        need = place.weights_bytes + place.cache_bytes(tokens, measurement.batch)
        if nominal is not None and need > nominal:
            raise BadValue(
                f"{run.model.name} in {run.weight_format} can't have been measured on this device: it needs "
                f"{units.show(need, 'B', binary=True)} of {units.show(nominal, 'B', binary=True)}; "
                "say how many layers were on the host, or which model and format it was"
            )


def _check_agree(one: Measured, other: Measured) -> None:
    if one.phase != other.phase:
        return
    differs = difference(
        same_model=one.model == other.model,
        same_format=one.weight_format == other.weight_format,
        same_kind=one.is_moe == other.is_moe,
        same_batch=one.batched == other.batched,
    )
    apart = abs(one.log_ratio - other.log_ratio)
    if apart > max(_ALWAYS_ALIKE, _TIMES_THE_BAND * scatter(one.phase, differs)):
        first, second = math.exp(-one.log_ratio), math.exp(-other.log_ratio)
        raise BadValue(
            f"two measurements of {one.phase} contradict each other: one is {first:.2f} times what such runs "
            f"typically reach, the other {second:.2f} times; one of them ran with settings other than stated"
        )


def _shown(speed: float) -> str:
    return units.show(speed, "tokens/s", digits=3)
