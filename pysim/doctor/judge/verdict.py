"""Verdict on a phase: its speed against what such devices do, and against the spec sheet."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Phase, Range
from pysim.doctor.judge.own_device import has_peak
from pysim.doctor.judge.prediction import predicted
from pysim.hardware.catalog_entry import PUBLISHED_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.doctor.case import PhaseName, Verdict
    from pysim.doctor.judge.prediction import PossibleRun, Prediction
    from pysim.doctor.judge.timing import Timing
    from pysim.hardware.device import Device

# Spec sheets round; a share slightly above one is no contradiction yet.
_ABOVE_ALL: Final = 1.03
_SAME: Final = 1.1
_ABOVE_16_BITS: Final = "more than the peak used here: engines multiply in 8 bits where the chip does that faster"
_GUESSED: Final = "the range and best case are for writing without guesses; the shares are for a pass that checks some"
# Fewer prompt tokens than these are read at the speed of memory, like an answer: no reading speed to compare.
FEW_TOKENS: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What was measured of a phase: seconds of the whole prompt, or of one pass, and the speeds that follow."""

    tokens: float | None
    pass_s: float | None
    tokens_per_pass: float
    tokens_per_s: float | None
    each_tokens_per_s: float | None
    deviation: float | None
    time_s: float | None
    at_least: bool
    comparable: bool
    guessed: bool = False


def prefill_of(timing: Timing, deviation: float | None) -> Measured | None:
    """The reading of a case."""
    speed = timing.prefill_tokens_per_s
    if speed is None and timing.prefill_s is None:
        return None
    tokens = timing.prompt_tokens
    # Of a service the rate is that of all requests over all time: no pass took that long.
    bound = timing.prefill_at_least and timing.prefill_s is None
    pass_s = tokens * _read_at_once(timing) / speed if tokens and speed and not bound else None
    return Measured(
        tokens=tokens,
        pass_s=pass_s,
        tokens_per_pass=(tokens or 1.0) * _read_at_once(timing),
        tokens_per_s=speed,
        each_tokens_per_s=None if speed is None or pass_s is None else speed / _read_at_once(timing),
        deviation=deviation,
        time_s=timing.prefill_s,
        at_least=timing.prefill_at_least,
        comparable=not timing.prefill_at_least
        and pass_s is not None
        and not (timing.strange or timing.shared)
        and (tokens or 0) >= FEW_TOKENS,
    )


def _read_at_once(timing: Timing) -> float:
    return 1.0 if timing.shared else timing.read_sequences or timing.sequences


def decode_of(timing: Timing, deviation: float | None) -> Measured | None:
    """The writing of a case."""
    speed = timing.decode_each_tokens_per_s
    if speed is None and timing.decode_total_tokens_per_s is None:
        return None
    return Measured(
        tokens=timing.output_tokens,
        pass_s=timing.decode_pass_s or (None if speed is None else 1 / speed),
        guessed=timing.decode_pass_s is not None,
        tokens_per_pass=timing.answer_sequences or timing.sequences,
        tokens_per_s=timing.decode_total_tokens_per_s,
        each_tokens_per_s=speed,
        deviation=deviation,
        time_s=timing.decode_s,
        at_least=timing.decode_at_least,
        # Between the tokens of one request a busy server reads the prompts of others; a window tells no context.
        comparable=speed is not None
        and not (timing.shared or timing.one_token or timing.decode_at_least or timing.decode_pass_s),
    )


def compared(seen: Measured, phase: PhaseName, possible: Sequence[PossibleRun], *, whole_on_device: bool) -> Phase:
    """The phase with what pysim makes of it; several possible set-ups give the range of all of them."""
    predictions = _predictions(seen, phase, possible)
    if not predictions:
        return _bare(seen)
    per_s = seen.tokens_per_pass
    mbu = mfu = None
    if seen.pass_s is not None and whole_on_device:
        # Of a lower bound of a speed these are lower bounds too.
        mbu = _agreed([prediction.best_memory_s / seen.pass_s for prediction in predictions])
        if all(has_peak(run.on.device) for run in possible):
            mfu = _agreed([prediction.best_compute_s / seen.pass_s for prediction in predictions])
    doubt = _doubt(predictions, seen, possible[0].on.device)
    usable = seen.comparable and whole_on_device and doubt is None
    sides = {prediction.side for prediction in predictions}
    best = max(per_s / prediction.best_s for prediction in predictions)
    # No run is faster than the spec sheet, whatever the spread of others says.
    high = max(per_s / max(prediction.low_s, prediction.best_s) for prediction in predictions)
    middle = _middle([per_s / max(prediction.typical_s, prediction.best_s) for prediction in predictions])
    return replace(
        _bare(seen),
        moved_bytes=_agreed([prediction.moved_bytes for prediction in predictions]),
        flop=_agreed([prediction.flop for prediction in predictions]),
        mbu=mbu,
        mfu=mfu,
        side=next(iter(sides)) if len(sides) == 1 else None,
        typical=Range(
            low_tokens_per_s=min(middle, min(per_s / prediction.high_s for prediction in predictions)),
            typical_tokens_per_s=middle,
            high_tokens_per_s=high,
        ),
        verdict=_verdict(seen.tokens_per_s, per_s, predictions) if usable else None,
        best_tokens_per_s=best,
        doubt=doubt,
        note=_note(seen, mfu, doubt),
    )


def _predictions(seen: Measured, phase: PhaseName, possible: Sequence[PossibleRun]) -> list[Prediction]:
    """One prediction for each set-up; none unless all have one and there is a speed to hold against them."""
    if not seen.tokens_per_s or (phase == "prefill" and seen.tokens is None):
        return []  # how fast a prompt is read depends on its length
    predictions = [prediction for run in possible if (prediction := predicted(run, phase)) is not None]
    return predictions if len(predictions) == len(possible) else []


def _note(seen: Measured, mfu: float | None, doubt: str | None) -> str | None:
    if seen.guessed:
        return _GUESSED
    return _ABOVE_16_BITS if doubt is None and mfu is not None and mfu > _ABOVE_ALL else None


def _bare(seen: Measured) -> Phase:
    return Phase(
        tokens=seen.tokens,
        tokens_per_s=seen.tokens_per_s,
        each_tokens_per_s=seen.each_tokens_per_s,
        deviation_tokens_per_s=seen.deviation,
        at_least=seen.at_least,
        time_s=seen.time_s,
        pass_s=seen.pass_s,
    )


def _verdict(speed: float | None, per_s: float, predictions: Sequence[Prediction]) -> Verdict | None:
    """What the run is for every set-up that it may have been; None where that is not the same."""
    if speed is None:
        return None
    verdicts: set[Verdict] = {
        "faster" if speed > per_s / prediction.low_s else "slower" if speed < per_s / prediction.high_s else "typical"
        for prediction in predictions
    }
    return verdicts.pop() if len(verdicts) == 1 else None


def _doubt(predictions: Sequence[Prediction], seen: Measured, device: Device) -> str | None:
    """Is a phase faster than the device can be, whichever of the set-ups it was?"""
    if seen.pass_s is None:
        return None
    mbu = min(prediction.best_memory_s for prediction in predictions) / seen.pass_s
    mfu = min(prediction.best_compute_s for prediction in predictions) / seen.pass_s / _narrow(device)
    if max(mbu, mfu) <= _ABOVE_ALL:
        return None
    what = "bandwidth" if mbu >= mfu else "arithmetic"
    return (
        f"this would take {max(mbu, mfu):.2f} times the {what} on the {device.name}'s spec sheet: the model, device or "
        "weights are others than assumed, there were more devices, tokens came from the cache or from guesses, "
        "or the tool is wrong"
    )


def _narrow(device: Device) -> float:
    """How many times faster than in 16 bits a device multiplies at most: engines may use 8 or 4 bits unasked."""
    peaks = device.peak_flop_per_s
    sixteen = peaks.get("fp16", peaks.get("fp32"))
    if device.peak_kind not in PUBLISHED_KINDS:
        return 4.0  # a stand-in for processors: their 8-bit instructions do four times as much, where they have them
    # GeForce's and workstation cards' 8-bit rate is that of FP16 with FP16 sums, twice the published one.
    floor = 2.0 if device.family.startswith(("nvidia", "amd", "intel")) else 1.0
    return max(floor, max(peaks.values()) / sixteen) if sixteen else 1.0


def _agreed(values: Sequence[float]) -> float | None:
    """The value, if all set-ups give about the same one."""
    return _middle(values) if max(values) <= _SAME * min(values) else None


def _middle(values: Sequence[float]) -> float:
    return float((min(values) * max(values)) ** 0.5)
