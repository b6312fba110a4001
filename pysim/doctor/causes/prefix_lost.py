"""The beginning of the prompt is read again, though it was in the cache."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"forcing full prompt re-processing|context shift(?: is)? (?:is )?(?:disabled|applied)?|slot context shift|"
    r"input truncated|prompt is too long|truncating input prompt|cache_prompt[\"']?[:= ]+false|"
    r"erased invalidated context checkpoint",
    re.IGNORECASE,
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the server's own lines; full contexts lose the beginning with every request."""
    words = evidence.find(_WORDS)
    if words is None or evidence.case.prefill is None:
        return None
    return Cause(
        name="prefix lost",
        certainty="shown",
        reveals=words.words,
        line=words.line,
        what="keep the prompt's beginning word for word (same template, tools and order), in a context larger than the "
        "conversation",
        test="send the same prompt twice: the second time only a few tokens are read",
        figure="prefill",
        replaces=("prefix",),
    )
