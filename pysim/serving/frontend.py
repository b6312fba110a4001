"""The front end: how long a request spends in the API process, and how many that process takes in."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from pysim.errors import BadValue


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontEnd:
    """`latency_s`: seconds from arrival to the engine's queue. `intake_per_s`: requests that are taken in, at most."""

    latency_s: float = 0.0
    intake_per_s: float = math.inf

    def __post_init__(self) -> None:
        if not (math.isfinite(self.latency_s) and self.latency_s >= 0):
            raise BadValue(f"a front end's latency of {self.latency_s} s is not from 0 up")
        if not self.intake_per_s > 0:
            raise BadValue(f"a front end's intake of {self.intake_per_s} requests/s is not above 0")

    def ready_s(self, arrivals_s: Iterable[float]) -> Iterable[float]:
        """For each arrival, in order, when the engine sees it."""
        free_s = -math.inf
        for arrive_s in arrivals_s:
            taken_s = max(arrive_s, free_s)
            free_s = taken_s + 1 / self.intake_per_s
            yield taken_s + self.latency_s


NO_FRONT_END: Final = FrontEnd()
