"""How did a phase do, against what such devices do and against the datasheet?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Phase, Range
from pysim.doctor.judge.prediction import Outlook, outlook
from pysim.hardware.catalog_entry import PUBLISHED_KINDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.doctor.case import Verdict
    from pysim.doctor.judge.prediction import Phases, Subject
    from pysim.doctor.judge.timing import Timing
    from pysim.hardware.device import Device

# Datasheets round; a share a little above one is no contradiction yet.
_ABOVE_ALL: Final = 1.03
_SAME: Final = 1.1
_ABOVE_16_BITS: Final = (
    "more than the peak that is counted with: engines multiply in 8 bits where the chip does that faster"
)
_GUESSED: Final = "range and best case are those without guesses, the shares those of a pass that checks some"
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


def prefill_of(time: Timing, deviation: float | None) -> Measured | None:
    """The reading of a case."""
    speed = time.prefill_tokens_per_s
    if speed is None and time.prefill_s is None:
        return None
    tokens = time.prompt_tokens
    # Of a service the rate is that of all requests over all time: no pass took that long.
    bound = time.prefill_at_least and time.prefill_s is None
    pass_s = tokens * _read_at_once(time) / speed if tokens and speed and not bound else None
    return Measured(
        tokens=tokens,
        pass_s=pass_s,
        tokens_per_pass=(tokens or 1.0) * _read_at_once(time),
        tokens_per_s=speed,
        each_tokens_per_s=None if speed is None or pass_s is None else speed / _read_at_once(time),
        deviation=deviation,
        time_s=time.prefill_s,
        at_least=time.prefill_at_least,
        comparable=not time.prefill_at_least
        and pass_s is not None
        and not (time.strange or time.shared)
        and (tokens or 0) >= FEW_TOKENS,
    )


def _read_at_once(time: Timing) -> float:
    return 1.0 if time.shared else time.read_sequences or time.sequences


def decode_of(time: Timing, deviation: float | None) -> Measured | None:
    """The writing of a case."""
    each = time.decode_each_tokens_per_s
    if each is None and time.decode_total_tokens_per_s is None:
        return None
    return Measured(
        tokens=time.output_tokens,
        pass_s=time.decode_pass_s or (None if each is None else 1 / each),
        guessed=time.decode_pass_s is not None,
        tokens_per_pass=time.answer_sequences or time.sequences,
        tokens_per_s=time.decode_total_tokens_per_s,
        each_tokens_per_s=each,
        deviation=deviation,
        time_s=time.decode_s,
        at_least=time.decode_at_least,
        # Between the tokens of one request a busy server reads the prompts of others; a window tells no context.
        comparable=each is not None
        and not (time.shared or time.one_token or time.decode_at_least or time.decode_pass_s),
    )


def judged(seen: Measured, phase: Phases, subjects: Sequence[Subject], *, whole_on_device: bool) -> Phase:
    """The phase with what pysim makes of it; several possible set-ups give the range of all of them."""
    views = [found for each in subjects if (found := outlook(each, phase)) is not None] if seen.tokens_per_s else []
    if phase == "prefill" and seen.tokens is None:
        views = []  # how fast a prompt is read depends on its length
    if len(views) < len(subjects) or not views:
        return _bare(seen)
    per_s = seen.tokens_per_pass
    typical = Range(
        low_tokens_per_s=min(per_s / each.high_s for each in views),
        typical_tokens_per_s=_middle([per_s / each.typical_s for each in views]),
        high_tokens_per_s=max(per_s / each.low_s for each in views),
    )
    mbu = mfu = None
    if seen.pass_s is not None and whole_on_device:
        # Of a lower bound of a speed these are lower bounds too.
        mbu = _agreed([each.best_memory_s / seen.pass_s for each in views])
        mfu = _agreed([each.best_compute_s / seen.pass_s for each in views])
    doubt = _doubt(views, seen, subjects[0].device)
    usable = seen.comparable and whole_on_device and doubt is None
    sides = {each.side for each in views}
    return Phase(
        tokens=seen.tokens,
        tokens_per_s=seen.tokens_per_s,
        each_tokens_per_s=seen.each_tokens_per_s,
        deviation_tokens_per_s=seen.deviation,
        at_least=seen.at_least,
        time_s=seen.time_s,
        pass_s=seen.pass_s,
        moved_bytes=_agreed([each.moved_bytes for each in views]),
        flop=_agreed([each.flop for each in views]),
        mbu=mbu,
        mfu=mfu,
        side=next(iter(sides)) if len(sides) == 1 else None,
        typical=typical,
        verdict=_verdict(seen.tokens_per_s, per_s, views) if usable else None,
        best_tokens_per_s=max(per_s / each.best_s for each in views),
        doubt=doubt,
        note=_GUESSED
        if seen.guessed
        else _ABOVE_16_BITS
        if doubt is None and mfu is not None and mfu > _ABOVE_ALL
        else None,
    )


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


def _verdict(speed: float | None, per_s: float, views: Sequence[Outlook]) -> Verdict | None:
    """What the run is for every set-up that it may have been; None where that is not the same."""
    if speed is None:
        return None
    found: set[Verdict] = {
        "faster" if speed > per_s / each.low_s else "slower" if speed < per_s / each.high_s else "typical"
        for each in views
    }
    return found.pop() if len(found) == 1 else None


def _doubt(views: Sequence[Outlook], seen: Measured, device: Device) -> str | None:
    """Is a phase faster than the device can be, whichever of the set-ups it was?"""
    if seen.pass_s is None:
        return None
    mbu = min(each.best_memory_s for each in views) / seen.pass_s
    mfu = min(each.best_compute_s for each in views) / seen.pass_s / _narrow(device)
    if max(mbu, mfu) <= _ABOVE_ALL:
        return None
    what = "bandwidth" if mbu >= mfu else "arithmetic"
    return (
        f"this would take {max(mbu, mfu):.2f} times the {what} of the {device.name}'s datasheet: model, device or "
        "weights are not what they are taken for, there were more devices, tokens came from the cache or from guesses, "
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
