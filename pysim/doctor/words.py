"""Words of the doctor: phases, parts of the time, verdicts, figures and kinds of runs, as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, Cause, Figure, PhaseName, TimePart, Verdict
    from pysim.doctor.read.run import RunKind
    from pysim.roofline.bound import Bound

PHASE_WORDS: Final[dict[PhaseName, str]] = {"prefill": "reading", "decode": "writing"}
TIME_PART_WORDS: Final[Mapping[TimePart, str]] = {
    "load": "loading the model",
    "queue": "waiting for other requests",
    "prefill": "reading the prompt",
    "decode": "writing the answer",
    "other": "in no phase that the tool reports",
}
VERDICT_WORDS: Final[Mapping[Verdict, str]] = {
    "faster": "faster than nine of ten such runs",
    "typical": "typical",
    "slower": "slower than nine of ten such runs",
}
BOUND_WORDS: Final[Mapping[Bound, str]] = {
    "memory": "memory-bound",
    "compute": "compute-bound",
    "overhead": "bound by the fixed cost of each pass",
}
FIGURE_WORDS: Final[Mapping[Figure, str]] = {
    "prefill": PHASE_WORDS["prefill"],
    "decode": PHASE_WORDS["decode"],
    "ttft": "TTFT",
    "request": "the whole request",
    "all answers": "all answers combined",
}
RUN_KIND_WORDS: Final[Mapping[RunKind, str]] = {
    "prompt": "a reading-only test",
    "generation": "a writing-only test",
    "combined": "one rate for reading and writing",
    "request": "one request, both phases timed",
    "service": "many requests, timed by a load generator",
    "window": "averages of a running server over a few seconds",
}


def gain_in_words(advice: Advice | Cause) -> str:
    """The gain of a change: "reading 11 to 140 times as fast"; empty where pysim cannot compute it."""
    if advice.low is None or advice.high is None:
        return ""
    low, high = _two_digits(advice.low), _two_digits(advice.high)
    return f"{FIGURE_WORDS[advice.figure]} {low if low == high else f'{low} to {high}'} times as fast"


def _two_digits(value: float) -> str:
    return f"{float(f'{value:.2g}'):,.0f}" if value >= 9.95 else f"{value:.2g}"
