"""Windows of a running server's log: which of them show the speed of writing, and their mean.

A window in which prompts are read, or in which requests begin or end, has less writing in it than its length says.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from pysim.doctor.read.run import Run

_MEANS: Final = (
    "decode_tokens_per_s", "decode_total_tokens_per_s", "running", "waiting", "kv_cache_used_share",
    "prefix_hit_share",
)  # fmt: skip
LOWER_BOUND: Final = "decode_total_tokens_per_s"
"""Among a run's `untrusted`: no window was steady, so its rate of writing is the least that it can have been."""


def mean_window(windows: Sequence[Run]) -> Run:
    """All windows as one: the mean of the steady ones, or else of those in which something was written."""
    busy = [at for at, run in enumerate(windows) if _written(run) > 0]
    running = [at for at in busy if windows[at].running != 0] or busy
    steady = [at for at in running if _is_steady(windows, at)] or _first_alone(windows, running)
    some = [windows[at] for at in steady or running] or list(windows)
    values: dict[str, float | None] = {}
    for name in _MEANS:
        given = [value for run in some if (value := getattr(run, name)) is not None]
        values[name] = math.fsum(given) / len(given) if given else None
    doubts = dict.fromkeys(doubt for run in (some if steady else windows) for doubt in run.doubts)
    untrusted = tuple(name for name in some[-1].untrusted if name != LOWER_BOUND)
    if not steady:
        untrusted = (*untrusted, LOWER_BOUND)
    return replace(some[-1], **values, doubts=tuple(doubts), untrusted=untrusted)  # type: ignore[arg-type]


def _is_steady(windows: Sequence[Run], at: int) -> bool:
    """Were the same requests written all through a window, with the window before to tell, or that after the first?"""
    run = windows[at]
    if len(windows) == 1 or run.total_prefill_tokens_per_s or LOWER_BOUND in run.untrusted:
        return False
    beside = windows[at - 1] if at else windows[1]
    return _written(beside) > 0 and beside.running == run.running


def _first_alone(windows: Sequence[Run], running: Sequence[int]) -> list[int]:
    """The first window, if nothing in it speaks against it and there is none to compare it with."""
    plain = [at for at in running if not windows[at].total_prefill_tokens_per_s and not windows[at].untrusted]
    return plain if len(windows) == 1 else []


def _written(run: Run) -> float:
    return run.decode_total_tokens_per_s or run.decode_tokens_per_s or 0.0
