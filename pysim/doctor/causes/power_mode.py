"""The machine saves power."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"low power mode|powersave|power[- ](?:saver|saving)|\bon battery\b|battery power|\bunplugged\b|"
    r"power limit(?:ed)? (?:to|at|of) \d{2,4} ?W",
    re.IGNORECASE,
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by words of the text, where a phase is slow or cannot be compared."""
    words = evidence.find(_WORDS)
    if words is None or not (evidence.may_be_slow("decode") or evidence.may_be_slow("prefill")):
        return None
    return Cause(
        name="power mode",
        certainty="likely" if evidence.is_slow("decode") or evidence.is_slow("prefill") else "possible",
        reveals=words.words,
        line=words.line,
        what="run on mains power, with the power mode at its highest and no power limit",
        test="the clocks rise during the run (nvidia-smi -q -d CLOCK, powermetrics)",
        figure="prefill",
    )
