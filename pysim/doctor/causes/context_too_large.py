"""The cache of a long context pushes the model out of the device."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence, Found

_WORDS: Final = re.compile(
    r"(?:\bn_ctx\s{0,20}=|--ctx-size[ =]|\bnum_ctx[ =:]|\s-c |KvSize:|OLLAMA_CONTEXT_LENGTH[=:])"
    r"\s{0,9}(\d{3,8})"
)
_LARGE: Final = 8192
_MOST: Final = 10**8
_MORE_THAN_USED: Final = 2


def cause(evidence: Evidence) -> Cause | None:
    """Told by a context far beyond what was used, where not all of the model is on the device."""
    judgement, case = evidence.judgement, evidence.case
    if judgement.on_host is None and not judgement.does_not_fit:
        return None
    words = evidence.find(_WORDS)
    tokens = evidence.setup.context_tokens or (None if words is None else int(words.match[1]))
    used = sum(part or 0.0 for part in (case.prompt_tokens, case.output_tokens, case.depth_tokens))
    if tokens is None or not _LARGE <= tokens <= _MOST or tokens < _MORE_THAN_USED * used:
        return None
    return Cause(
        name="context too large",
        certainty="likely",
        reveals=_reveals(evidence, tokens, words),
        line=None if words is None else words.line,
        what=f"choose a smaller context than {tokens:,} tokens; then more of the model fits on the device",
        test="the log counts more layers on the device",
    )


def _reveals(evidence: Evidence, tokens: int, words: Found | None) -> str:
    models, kv = evidence.judgement.known.models, evidence.judgement.known.kv
    said = f"a context of {tokens:,} tokens" if words is None else words.words
    if len(models) != 1 or kv.key is None:
        return said
    return f"{said}: its cache takes {show(kv_cache_bytes(models[0], tokens, kv.key), 'B', digits=3)}"
