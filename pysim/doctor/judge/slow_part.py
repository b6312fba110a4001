"""Slow part: the largest part of a request's time, in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import TimePart
    from pysim.doctor.judge.timing import Timing

_DOES = {
    "load": "loading the model took {} of {} ({:.0%})",
    "queue": "waiting behind other requests took {} of {} ({:.0%}), reading its own prompt at most {}",
    "prefill": "reading the prompt took {} of {} ({:.0%})",
    "decode": "writing the answer took {} of {} ({:.0%})",
}


def shares_of(timing: Timing) -> dict[TimePart, float]:
    """What each part is of all; empty where not both phases, or a load with one, are known."""
    if len(timing.parts_s) < 2:
        return {}
    whole = math.fsum(timing.parts_s.values())
    return {part: seconds / whole for part, seconds in timing.parts_s.items()}


def slow_part(timing: Timing, *, assembled: bool) -> tuple[TimePart | None, str]:
    """The largest part that has a name, with a sentence that says how large; None where the parts are not known."""
    shares = shares_of(timing)
    if not shares:
        return None, ""
    slow = max((part for part in shares if part != "other"), key=lambda part: shares[part])
    whole = math.fsum(timing.parts_s.values())
    own = "" if timing.own_reading_s is None else show(timing.own_reading_s, "s", digits=2)
    sentence = _DOES[slow].format(
        show(timing.parts_s[slow], "s", digits=3), show(whole, "s", digits=3), shares[slow], own
    )
    if assembled and timing.prompt_tokens and timing.output_tokens:
        request = f"{timing.prompt_tokens:,.0f} prompt and {timing.output_tokens:,.0f} answer tokens"
        sentence = f"for a request as long as the tests, with {request}, {sentence}"
    return slow, sentence
