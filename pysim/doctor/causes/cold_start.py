"""A first run: the model comes from disk, or kernels are compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.doctor.advise.lost_time import warm
from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence


def cause(evidence: Evidence) -> Cause | None:
    """Told by a token that took longer to read than to write."""
    change = next(iter(warm(evidence.judgement.timing)), None)
    ratio = evidence.judgement.timing.strange
    if change is None or ratio is None:
        return None
    return Cause(
        name="cold start",
        certainty="likely",
        reveals=f"a token took {ratio:,.0f} times as long to read as to write",
        what="send a warm-up request first",
        test="the same request again reads many times as fast",
        figure="prefill",
        low=change.low,
        high=change.high,
        replaces=("warm",),
    )
