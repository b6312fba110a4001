"""Kernels are started one by one, without CUDA graphs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_WORDS: Final = re.compile(
    r"--enforce-eager\b|enforce_eager\W{1,3}True|--disable-cuda-graph\b|disable_cuda_graph\W{1,3}True|--compile-level 0"
)


def cause(evidence: Evidence) -> Cause | None:
    """Told by the server's switches; small batches lose the most."""
    words = evidence.find(_WORDS)
    if words is None or not evidence.may_be_slow("decode"):
        return None
    return Cause(
        name="eager mode",
        certainty="likely",
        reveals=words.words,
        line=words.line,
        what="leave out that switch: CUDA graphs then start all kernels of a pass at once",
        test="the GPU's use rises to nearly 100% while one answer is written",
    )
