"""A run near what its device can do: what is left is another device, or more requests at once.

And a model that no weights make fit: which device of the catalogue would hold it?
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.catalog.files import device_keys
from pysim.doctor.advise.fewer_bytes import changed
from pysim.doctor.advise.lost_time import more_at_once
from pysim.doctor.advise.offload import fits
from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import outlook
from pysim.load import load_device
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Case, Phase
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.prediction import Phases, Subject
    from pysim.doctor.judge.setups import Known
    from pysim.hardware.device import Device

# Best runs of good engines use about this much of the bandwidth or of the arithmetic.
_NEAR_MBU: Final = 0.6
_NEAR_MFU: Final = 0.5
_STEP: Final = 1.5
_WORTH: Final = 1.2
_AS_QUICK: Final = 0.75
_NO_STEP: Final = ("cpu", "phone", "tpu", "intel-igpu")


def at_limit(case: Case, group: Group, facts: Known) -> tuple[Advice, ...]:
    """That it is there, and what of larger effect remains; empty where it is not, or not known to be."""
    writing = case.slow != "prefill"
    phase, name = (case.decode, "decode") if writing else (case.prefill, "prefill")
    share = _near(phase, writing=writing)
    if phase is None or share is None or len(facts.subjects) != 1:
        return ()
    figure, what = ("writing", "bandwidth") if writing else ("reading", "arithmetic")
    limit = Advice(
        kind="limit",
        what=f"little on this device: {figure} uses {share:.0%} of its {what}, near what such runs reach",
        figure=figure,
        low=None,
        high=None,
        why="no setting makes more of a device than its data sheet has",
        setting=f"{show(phase.tokens_per_s or 0.0, 'tokens/s', digits=3)} of at most "
        f"{show(phase.best_tokens_per_s or 0.0, 'tokens/s', digits=3)}",
    )
    phases: Phases = "decode" if name == "decode" else "prefill"
    return (limit, *_another_device(facts, facts.subjects[0], phases), *more_at_once(case, group, facts, asked=True))


def larger_device(case: Case, facts: Known) -> Iterator[Advice]:
    """The smallest device of the kind, or of any, in whose memory all of it has room."""
    if len(facts.subjects) != 1 or case.decode is None or not case.decode.pass_s:
        return
    (subject,) = facts.subjects
    found = _smallest(subject)
    view = None if found is None else outlook(found, "decode")
    if found is None or view is None:
        return
    memory = show(found.device.memory_bytes or 0.0, "B", binary=True, digits=3)
    yield Advice(
        kind="other device",
        what=f"a device that holds all of it, such as one {found.device.name} with {memory}",
        figure="writing",
        low=case.decode.pass_s / view.high_s,
        high=case.decode.pass_s / view.low_s,
        why="a part of the model lies in the host's memory, which is many times slower, and everything waits for it",
        setting="the same weights and cache, its typical range",
    )


def _near(phase: Phase | None, *, writing: bool) -> float | None:
    if phase is None or phase.doubt is not None or phase.note is not None or phase.verdict not in ("typical", "faster"):
        return None
    share = phase.mbu if writing else phase.mfu
    return share if share is not None and share >= (_NEAR_MBU if writing else _NEAR_MFU) else None


def _another_device(facts: Known, subject: Subject, phase: Phases) -> Iterator[Advice]:
    """The smallest step up in the catalogue: of the same kind if there is one."""
    now = _speed(subject.device, phase)
    steps = sorted(
        (each for each in _devices() if _speed(each, phase) >= _STEP * now),
        key=lambda each: (each.family != subject.device.family, _speed(each, phase)),
    )
    for device in steps:
        after = replace(subject, device=device, backend=None, n_devices=1)
        gain = changed(facts, phase, lambda _, after=after: after) if fits(after) else None  # type: ignore[misc]
        if gain is not None and gain[0] > _WORTH:
            reads = phase == "prefill"
            yield Advice(
                kind="other device",
                what=f"a device with more {'arithmetic' if reads else 'bandwidth'}, such as one {device.name}",
                figure="reading" if reads else "writing",
                low=gain[0],
                high=gain[1],
                why="every answer token reads the weights once, as fast as the memory gives them"
                if not reads
                else "reading is arithmetic",
                setting="the same model, weights and engine there",
            )
            return


def _smallest(subject: Subject) -> Subject | None:
    family = subject.device.family
    least = _AS_QUICK * subject.device.memory_bandwidth_bytes_per_s
    sized = sorted(
        (each for each in _devices() if each.memory_bytes and each.memory_bandwidth_bytes_per_s >= least),
        key=lambda each: (
            each.family != family,
            each.family.split("-")[0] != family.split("-")[0],
            each.memory_bytes,
            each.memory_bandwidth_bytes_per_s,
        ),
    )
    holding = (replace(subject, device=each, backend=None, n_devices=1) for each in sized)
    return next((each for each in holding if fits(each)), None)


def _devices() -> list[Device]:
    return [each for key in device_keys() if (each := load_device(key)).family not in _NO_STEP]


def _speed(device: Device, phase: Phases) -> float:
    if phase == "decode":
        return device.memory_bandwidth_bytes_per_s
    return device.peak_flop_per_s.get("fp16", device.peak_flop_per_s.get("fp32", 0.0))
