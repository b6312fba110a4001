"""Experts of a sparse model are in the host's memory."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(r"(?:-ncmoe|--n-cpu-moe)[ =]\d{1,4}|--cpu-moe|-cmoe\b|exps=CPU")


def cause(evidence: Evidence) -> Cause | None:
    """Told by the options that put them there."""
    if not evidence.judgement.on_host or not evidence.setup.tensors_on_host:
        return None
    words = evidence.find(_WORDS)
    large = (evidence.setup.micro_batch_tokens or 0) >= 2048
    reading = "" if large else ", and read prompts in pieces of 2,048 tokens (-b 2048 -ub 2048)"
    return Cause(
        name="experts on the host",
        certainty="shown",
        reveals=evidence.judgement.on_host if words is None else words.words,
        line=None if words is None else words.line,
        what=f"keep fewer layers' experts on the host (a smaller --n-cpu-moe) until the card is full{reading}",
        test="writing gets faster with every layer that moves to the card",
        replaces=("micro-batch",),
    )
