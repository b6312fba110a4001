"""The cache is kept in the host's memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"(?<![\w-])(?:-nkvo|--no-kv-offload|--usecublas [^\n]{0,20}lowvram|--lowvram|low_vram\W{1,3}[tT]rue)\b"
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the options that put it there."""
    words = evidence.find(_WORDS)
    if words is None:
        return None
    return Cause(
        name="cache on the host",
        certainty="shown",
        reveals=words.words,
        line=words.line,
        what="leave out that option: attention then runs on the device, if the cache fits there",
        test="speed falls less as the context grows",
    )
