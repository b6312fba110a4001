"""Other requests ran at the same time."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

# llama-server prints this while an answer is being written.
_PROGRESS: Final = re.compile(r"slot print_timing: id {1,3}(\d{1,4}) \| task \d{1,9} \| n_gen")
_MOST_LINES: Final = 1000


def cause(evidence: Evidence) -> Cause | None:
    """Told by a server's lines of other requests between those of this one."""
    run = evidence.judgement.run
    slots = {match[1] for match in islice(_PROGRESS.finditer(evidence.words.plain), _MOST_LINES)}
    running = max(run.running or 0.0, float(len(slots)))
    if (run.kind not in ("request", "generation") and run.tool != "llama-server") or running <= 1:
        return None
    return Cause(
        name="several at once",
        certainty="shown",
        reveals=f"{running:,.0f} requests ran at the same time",
        line=run.line,
        what="for the speed of one, send one at a time; together they write more tokens than one alone",
        test="the same request with nothing else running",
    )
