"""Requests wait because the server's cache is full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_FULL: Final = 0.9
# One that waits for a moment is no queue.
_FEW: Final = 2
_SOME: Final = 0.1


def cause(evidence: Evidence) -> Cause | None:
    """Told by the server's own count of waiting requests and its cache's use."""
    runs = evidence.case.runs
    waiting = max((run.waiting or 0.0 for run in runs), default=0.0)
    used = max((run.kv_cache_used_share or 0.0 for run in runs), default=0.0)
    running = max((run.running or 0.0 for run in runs), default=0.0)
    if used < _FULL and waiting < max(_FEW, _SOME * running):
        return None
    full = used >= _FULL
    at = next((run.line for run in runs if (run.waiting or 0.0) == waiting), runs[0].line)
    words = [f"{waiting:,.0f} request{' waits' if waiting == 1 else 's wait'}"] if waiting else []
    words += [f"{used:.0%} of the cache is in use"] if used else []
    return Cause(
        name="full cache" if full else "queue",
        certainty="shown",
        reveals=", ".join(words),
        line=at,
        what="send fewer requests at once, store the cache in FP8, or add devices: the cache is full"
        if full
        else "let the server take more at once (vLLM: --max-num-seqs, llama.cpp: -np), as its cache has room",
        test="no request waits, and the time to the first token falls",
        figure="ttft",
        replaces=("queue",),
    )
