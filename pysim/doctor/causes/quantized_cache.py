"""A quantized cache makes attention run on the processor, where a build has no kernels for it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"(?:-ctk|-ctv|--cache-type-[kv])[ =]i?q\d\w{0,4}|KV_CACHE_TYPE[=:]\"?q\d\w{0,4}|KvCacheType:q\d\w{0,4}",
    re.IGNORECASE,
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the cache's format, where a phase is slow or cannot be compared."""
    setup = evidence.setup
    words = evidence.find(_WORDS)
    formats = [name for name in (setup.kv_keys, setup.kv_values) if name and "q" in name.lower()]
    slow = evidence.is_slow("prefill") or evidence.is_slow("decode")
    if (words is None and not formats) or not (
        slow or (evidence.may_be_slow("prefill") and evidence.may_be_slow("decode"))
    ):
        return None
    return Cause(
        name="quantized cache",
        certainty="likely" if slow else "possible",
        reveals=f"the cache is in {formats[0]}" if words is None else words.words,
        line=None if words is None else words.line,
        what="try the cache in F16 (no -ctk, no -ctv): some builds run attention on the processor for others",
        test="the processor is busy while a prompt is read, and idle with F16",
        figure="prefill",
        replaces=("cache",),
    )
