"""A part of the model lies in the host's memory: what would it bring to have it all on the device?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Advice
from pysim.doctor.judge.prediction import outlook
from pysim.formats.names import weight_format
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.doctor.case import Case
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.prediction import Phases, Subject
    from pysim.doctor.judge.setups import Known

# Buffers, other programs and the screen take the rest.
_FILLED: Final = 0.93
_FORMATS: Final = ("Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q3_K_M")


def place_changes(case: Case, group: Group, facts: Known, kept: str | None) -> Iterator[Advice]:
    """All layers on the device, in these weights if they fit, else in the widest smaller ones that do."""
    too_large = any(each.kind == "does not fit" for each in case.cannot_tell)
    if kept is None and not too_large:
        return
    fitting = [(each, after) for each in facts.subjects if (after := _fitting(each)) is not None]
    same = all(after.weights == each.weights for each, after in fitting)
    if not fitting or len(fitting) < len(facts.subjects) or not (same or len(fitting) == 1):
        return
    after = fitting[0][1]
    how = _how(group.first.tool.lower())
    what = f"all layers on the device ({how})" if same else f"weights in {after.weights}, all layers on the device"
    for figure, name in (("writing", "decode"), ("reading", "prefill")):
        phase = case.decode if name == "decode" else case.prefill
        phases: Phases = "decode" if name == "decode" else "prefill"
        views = [view for _, each in fitting if (view := outlook(each, phases)) is not None]
        if phase is None or not phase.pass_s or len(views) < len(fitting) or (name == "prefill" and not phase.tokens):
            continue
        yield Advice(
            kind="device",
            what=what,
            figure=figure,
            low=phase.pass_s / max(view.high_s for view in views),
            high=phase.pass_s / min(view.low_s for view in views),
            why="the host's memory is many times slower than the device's, and everything waits for it",
            setting=f"weights {weight_format(after.weights).name} and cache on the device, its typical range",
        )


def _how(tool: str) -> str:
    if "ollama" in tool:
        return "ollama: a smaller num_ctx, nothing else in the device's memory, num_gpu 99"
    return "--gpulayers 99" if "kobold" in tool else "-ngl 99"


def _fitting(subject: Subject) -> Subject | None:
    if fits(subject):
        return subject
    now = weights_bytes(subject.model, subject.weights)
    for weights in _FORMATS:
        after = replace(subject, weights=weights)
        if weights_bytes(subject.model, weights) < now and fits(after):
            return after
    return None


def fits(at: Subject) -> bool:
    """Is there room on the devices, with some to spare for what an engine needs besides?"""
    view, memory = outlook(at, "decode"), at.device.memory_bytes
    if view is None or memory is None or view.fits is not True:
        return False
    return view.weights_bytes + view.kv_bytes <= _FILLED * memory * at.n_devices
