"""At the limit of its device: a run that only another device, or more requests at once, would make faster.

Where no weights make the model fit: the device of the catalog that would hold it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import device_keys
from pysim.doctor.advise.changed_runs import fits, gain_of
from pysim.doctor.advise.lost_time import more_at_once
from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import predicted
from pysim.doctor.words import PHASE_WORDS
from pysim.load import load_device
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Phase, PhaseName
    from pysim.doctor.judge.judgement import Judgement
    from pysim.doctor.judge.prediction import PossibleRun
    from pysim.hardware.device import Device

# Best runs of good engines use about this much of the bandwidth in decode, of the arithmetic in prefill.
_NEAR: Final[dict[PhaseName, float]] = {"decode": 0.6, "prefill": 0.5}
# What a phase takes from a device, and why more of it helps.
_NEEDS: Final[dict[PhaseName, tuple[str, str]]] = {
    "decode": ("bandwidth", "every answer token reads the weights once, and memory bandwidth limits how fast"),
    "prefill": ("compute", "reading a prompt is limited by compute"),
}
_STEP: Final = 1.5
_WORTH: Final = 1.2
_AS_QUICK: Final = 0.75
_NO_STEP: Final = ("cpu", "phone", "tpu", "intel-igpu")


def at_limit(judgement: Judgement) -> tuple[Advice, ...]:
    """That it is there, and what of larger effect remains; empty where it is not, or not known to be."""
    name: PhaseName = "prefill" if judgement.case.slow == "prefill" else "decode"
    phase = judgement.phase(name)
    share = _near(phase, name)
    if phase is None or share is None or len(judgement.possible) != 1:
        return ()
    limit = Advice(
        kind="limit",
        what=f"little more on this device: {PHASE_WORDS[name]} uses {share:.0%} of its {_NEEDS[name][0]}, close to the "
        "most that such runs reach",
        figure=name,
        low=None,
        high=None,
        why="no setting can beat the spec sheet",
        setting=f"{show(phase.tokens_per_s or 0.0, 'tokens/s', digits=3)} of at most "
        f"{show(phase.best_tokens_per_s or 0.0, 'tokens/s', digits=3)}",
    )
    return (limit, *_another_device(judgement.possible[0], name), *more_at_once(judgement, asked=True))


def larger_device(judgement: Judgement) -> Iterator[Advice]:
    """The smallest device of the kind, or of any, in whose memory all of it has room."""
    decode = judgement.case.decode
    if len(judgement.possible) != 1 or decode is None or not decode.pass_s:
        return
    after = _smallest(judgement.possible[0])
    prediction = None if after is None else predicted(after, "decode")
    if after is None or prediction is None:
        return
    memory = show(after.on.device.memory_bytes or 0.0, "B", binary=True, digits=3)
    yield Advice(
        kind="other device",
        what=f"use a device that holds the whole model, such as the {after.on.device.name} with {memory}",
        figure="decode",
        low=decode.pass_s / prediction.high_s,
        high=decode.pass_s / prediction.low_s,
        why="part of the model is in host memory, which is many times slower, and everything waits for it",
        setting="the same weights and cache at typical speeds",
    )


def _near(phase: Phase | None, name: PhaseName) -> float | None:
    """The share of the device that a phase uses, if it is near all that can be had."""
    if phase is None or phase.doubt is not None or phase.note is not None or phase.verdict not in ("typical", "faster"):
        return None
    share = phase.mbu if name == "decode" else phase.mfu
    return share if share is not None and share >= _NEAR[name] else None


def _another_device(run: PossibleRun, phase: PhaseName) -> Iterator[Advice]:
    """The smallest step up in the catalog: of the same kind if there is one."""
    now = _speed(run.on.device, phase)
    steps = sorted(
        (device for device in _devices() if _speed(device, phase) >= _STEP * now),
        key=lambda device: (device.family != run.on.device.family, _speed(device, phase)),
    )
    need, why = _NEEDS[phase]
    several = run.on.n_devices
    for device in steps:
        after = run.moved_to(device, several)
        gain = gain_of((run,), phase, lambda _, after=after: after) if fits(after) else None  # type: ignore[misc]
        if gain is not None and gain[0] > _WORTH:
            yield Advice(
                kind="other device",
                what=f"use {'a device' if several == 1 else f'{several:,} devices'} with more {need}, such as the "
                f"{device.name}",
                figure=phase,
                low=gain[0],
                high=gain[1],
                why=why,
                setting="the same model, weights and engine",
            )
            return


def _smallest(run: PossibleRun) -> PossibleRun | None:
    """The run on the smallest device that holds it and is about as quick, of the same family if there is one."""
    family = run.on.device.family
    least = _AS_QUICK * run.on.device.memory_bandwidth_bytes_per_s
    sized = sorted(
        (device for device in _devices() if device.memory_bytes and device.memory_bandwidth_bytes_per_s >= least),
        key=lambda device: (
            device.family != family,
            device.family.split("-")[0] != family.split("-")[0],
            device.memory_bytes,
            -device.memory_bandwidth_bytes_per_s,
        ),
    )
    moved = (run.moved_to(device) for device in sized)
    return next((after for after in moved if fits(after) and predicted(after, "decode") is not None), None)


def _devices() -> list[Device]:
    return [device for key in device_keys() if (device := load_device(key)).family not in _NO_STEP]


def _speed(device: Device, phase: PhaseName) -> float:
    if phase == "decode":
        return device.memory_bandwidth_bytes_per_s
    return device.peak_flop_per_s.get("fp16", device.peak_flop_per_s.get("fp32", 0.0))
