"""Flash attention is off, so scores go through memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.lost_time import unfused_cost
from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"flash_attn\s{0,20}[=:]\s{0,4}(?:0|false|disabled)\b|(?:-fa|--flash-attn)[ =](?:0|off)\b|FlashAttention:false|"
    r"OLLAMA_FLASH_ATTENTION[:=](?:false|0)\b",
    re.IGNORECASE,
)
# Scores grow with the context: of a short one they are little.
_LONG_TOKENS: Final = 1000
_WORTH: Final = 1.04


def cause(evidence: Evidence) -> Cause | None:
    """Told by the setting; the gain is the time that the scores take."""
    words = evidence.find(_WORDS)
    if words is None and evidence.setup.flash_attention is not False:
        return None
    if (evidence.case.prompt_tokens or 0.0) + (evidence.case.depth_tokens or 0.0) < _LONG_TOKENS:
        return None
    changes = [change for change in unfused_cost(evidence.judgement) if (change.low or 1.0) >= _WORTH]
    change = max(changes, key=lambda change: change.low or 1.0, default=None)
    return Cause(
        name="flash attention off",
        certainty="shown",
        reveals="flash attention is off" if words is None else words.words,
        line=None if words is None else words.line,
        what="turn on flash attention (-fa 1, OLLAMA_FLASH_ATTENTION=1)",
        test="time the same prompt with and without it",
        figure="decode" if change is None else change.figure,
        low=None if change is None else change.low,
        high=None if change is None else change.high,
        replaces=("flash attention",),
    )
