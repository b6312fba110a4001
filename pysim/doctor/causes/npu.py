"""An NPU writes no faster than the memory that it shares."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(r"\bNPU\b|\bXDNA ?2?\b|\bRKLLM\b|\bHexagon\b|\bQNN\b|device[=: ]{1,3}NPU")


def cause(evidence: Evidence) -> Cause | None:
    """Told by the NPU's names, where writing is slow or cannot be compared."""
    words = evidence.find(_WORDS)
    if words is None or not evidence.may_be_slow("decode"):
        return None
    return Cause(
        name="NPU",
        certainty="possible",
        reveals=words.words,
        line=words.line,
        what="compare with the chip's graphics or cores: an NPU reads prompts fast, but writing is limited by memory",
        test="the same model with the GPU backend (Vulkan, DirectML, OpenVINO GPU)",
    )
