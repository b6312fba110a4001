"""Layers of the model are in the host's memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.offload import all_on_device, place_changes
from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"offloaded \d{1,4}/\d{1,4} layers|(?:-ngl|--n-gpu-layers|--gpu-layers)[ =]\d{1,4}|\d+%/\d+% CPU/GPU"
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the tool's own count of layers; the gain is that of all of them on the device, if they fit."""
    judgement = evidence.judgement
    if judgement.on_host is None or evidence.setup.tensors_on_host:
        return None
    change = next(iter(place_changes(judgement)), None)
    words = evidence.find(_WORDS)
    return Cause(
        name="layers on the host",
        certainty="shown",
        reveals=judgement.on_host,
        line=None if words is None else words.line,
        what=f"{all_on_device(judgement)}, or as many as fit" if change is None else change.what,
        test="the log then says that all layers are offloaded, and the processor stays idle",
        figure="decode" if change is None else change.figure,
        low=None if change is None else change.low,
        high=None if change is None else change.high,
        replaces=("device",),
    )
