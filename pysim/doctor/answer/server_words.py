"""Server words: what limits a server under load, and how much room it has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.case import Case

_ROOMY: Final = 0.5
_MOST_TIMES: Final = 100.0


def gap_words(case: Case) -> str:
    """What the longest gaps of a load test say; empty where they are not long."""
    gap = next((cause for cause in case.causes if cause.name == "prompts in the gaps"), None)
    if gap is None:
        return ""
    return f"Prompts limit it, as they are read in the gaps between the tokens of others' answers: {gap.reveals}."


def room_words(case: Case) -> str:
    """How many more requests a running server's cache has room for; empty where some wait or it is half full."""
    runs = [run for run in case.runs if run.kind == "window" and run.kv_cache_used_share is not None and run.running]
    if not runs or any(run.waiting for run in runs):
        return ""
    used = max(run.kv_cache_used_share or 0.0 for run in runs)
    if not 0 < used <= _ROOMY:
        return ""
    times = 1 / used
    many = f"about {times:.0f}" if times < _MOST_TIMES else f"more than {_MOST_TIMES:.0f}"
    return f" Its cache is {used:.1%} full: it has room for {many} times as many requests of such lengths."
