"""A server reads prompts between the tokens of others' answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

# Gaps so much longer than the usual one have a prompt in them.
_LONG: Final = 5.0


def cause(evidence: Evidence) -> Cause | None:
    """Told by a load test's P99 of the gaps, many times their median."""
    run = evidence.judgement.run
    gaps = run.itl
    if run.kind != "service" or gaps is None or not gaps.p99_s or not gaps.median_s:
        return None
    if gaps.p99_s < _LONG * gaps.median_s:
        return None
    return Cause(
        name="prompts in the gaps",
        certainty="likely",
        reveals=f"one gap in a hundred is {show(gaps.p99_s, 's', digits=3)} or longer, "
        f"{gaps.p99_s / gaps.median_s:,.0f} times the median",
        line=run.line,
        what="read prompts in smaller pieces (vLLM: --max-num-batched-tokens 2048), or on servers apart",
        test="the P99 gap falls, and the time to the first token rises a little",
    )
