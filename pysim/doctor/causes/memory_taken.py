"""Other programs hold a part of the device's memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.units import MIB, show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_FREE: Final = re.compile(r"using device \w{2,12} \([^)\n]{2,80}\)[^\n]{0,40}? - (\d{2,7}) MiB free")
_MUCH: Final = 0.8


def cause(evidence: Evidence) -> Cause | None:
    """Told by llama.cpp's line of the free memory, held against the device's."""
    words = evidence.find(_FREE)
    devices = evidence.judgement.known.devices
    if words is None or len(devices) != 1 or not devices[0].memory_bytes:
        return None
    free, whole = int(words.match[1]) * MIB, devices[0].memory_bytes
    if free > _MUCH * whole:
        return None
    return Cause(
        name="memory taken by others",
        certainty="shown",
        reveals=f"only {show(free, 'B', binary=True, digits=3)} of {show(whole, 'B', binary=True, digits=3)} were free",
        line=words.line,
        what="close what else uses the GPU (browsers, games, another server)",
        test="nvidia-smi lists no other process with much memory",
    )
