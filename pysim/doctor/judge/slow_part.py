"""Which part of a request's time is the largest, and what does that mean?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Part
    from pysim.doctor.judge.timing import Timing

_DOES = {
    "load": "loading the model took {} of {} ({:.0%})",
    "queue": "waiting behind other requests took {} of {} ({:.0%}), reading the own prompt at most {}",
    "prefill": "reading the prompt took {} of {} ({:.0%})",
    "decode": "writing the answer took {} of {} ({:.0%})",
}


def shares_of(time: Timing) -> dict[Part, float]:
    """What each part is of all; empty where not both phases, or a load beside one, are known."""
    if len(time.parts_s) < 2:
        return {}
    whole = math.fsum(time.parts_s.values())
    return {name: value / whole for name, value in time.parts_s.items()}


def slow_part(time: Timing, *, assembled: bool) -> tuple[Part | None, str]:
    """The largest part that has a name, with a sentence that says how large; None where the parts are not known."""
    shares = shares_of(time)
    if not shares:
        return None, ""
    slow = max((name for name in shares if name != "other"), key=lambda name: shares[name])
    whole = math.fsum(time.parts_s.values())
    own = "" if time.own_reading_s is None else show(time.own_reading_s, "s", digits=2)
    sentence = _DOES[slow].format(
        show(time.parts_s[slow], "s", digits=3), show(whole, "s", digits=3), shares[slow], own
    )
    if assembled and time.prompt_tokens and time.output_tokens:
        request = f"{time.prompt_tokens:,.0f} prompt and {time.output_tokens:,.0f} answer tokens"
        sentence = f"of a request with {request}, as long as the tests, {sentence}"
    return slow, sentence
