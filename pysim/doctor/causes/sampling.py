"""Choosing the next token takes longer than computing it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import Cause
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.evidence import Evidence

_TIME: Final = re.compile(
    r"(?:sampling|sample) time\s{0,9}=\s{0,12}(\d{1,9}(?:\.\d{1,6})?) ms\s{0,3}/\s{0,9}(\d{1,9}) (?:runs|tokens)"
)
_ALL_TOKENS: Final = re.compile(r"(?:--top-k|--top_k|\btop_k)[ =:]{1,3}0\b")
_WORTH: Final = 0.15


def cause(evidence: Evidence) -> Cause | None:
    """Told by the tool's time of sampling, or by `--top-k 0`, which sorts all of the vocabulary for every token."""
    whole = evidence.find(_ALL_TOKENS)
    timed = evidence.find(_TIME)
    writing_s = evidence.judgement.timing.decode_s
    if timed is not None and writing_s:
        sampling_s, runs = float(timed.match[1]) / 1000, int(timed.match[2])
        if sampling_s > _WORTH * writing_s and runs:
            gain = (writing_s + sampling_s) / writing_s
            return Cause(
                name="sampling",
                certainty="shown",
                reveals=f"sampling took {show(sampling_s, 's', digits=3)}, "
                f"{show(sampling_s / runs, 's', digits=2)} a token",
                line=timed.line,
                what=_WHAT,
                test="the line of the sampling time shrinks to under a millisecond a token",
                low=gain,
                high=gain,
            )
    if whole is None or not evidence.may_be_slow("decode"):
        return None
    return Cause(
        name="sampling",
        certainty="likely",
        reveals=whole.words,
        line=whole.line,
        what=_WHAT,
        test="time the same answer with --top-k 40 and with --top-k 0",
    )


_WHAT: Final = (
    "sample from few tokens (--top-k 40): without a limit the processor sorts the whole vocabulary for each one"
)
