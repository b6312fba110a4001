"""Windows' driver moves the GPU's memory to the host's without a word."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WINDOWS: Final = re.compile(r"\bWindows\b|[A-Z]:\\\w|\bPS [A-Z]:\\|\w\.exe\b")
_FULL: Final = 0.9


def cause(evidence: Evidence) -> Cause | None:
    """Told by a full NVIDIA card under Windows; https://nvidia.custhelp.com/app/answers/detail/a_id/5490 (2023)."""
    judgement = evidence.judgement
    devices = judgement.known.devices
    if not devices or any(not it.family.startswith("nvidia-") for it in devices) or judgement.on_host is not None:
        return None
    windows = evidence.find(_WINDOWS)
    if windows is None or not evidence.may_be_slow("decode") or not _is_full(evidence):
        return None
    return Cause(
        name="memory moved by the driver",
        certainty="likely",
        reveals=f"Windows ({windows.words}), and the card's memory is full",
        line=windows.line,
        what='choose a smaller context or format; in NVIDIA\'s control panel, set "CUDA - Sysmem Fallback Policy" to '
        '"Prefer No Sysmem Fallback"',
        test='the Task Manager shows no "shared GPU memory" in use',
    )


def _is_full(evidence: Evidence) -> bool:
    judgement = evidence.judgement
    if judgement.does_not_fit:
        return True
    if len(judgement.possible) != 1:
        return False
    fullest = judgement.possible[0].memories.fullest
    if fullest is None or not fullest.size_bytes:
        return False
    return fullest.weights_bytes + fullest.taken_bytes > _FULL * fullest.size_bytes
