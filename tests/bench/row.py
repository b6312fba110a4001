"""What does a benchmark report?

Each `tests/bench/bench_<subject>.py` has one function `rows() -> list[Row]`; `make bench` finds, runs and prints all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One measured value and what it is held to; the value is SI or a plain ratio."""

    what: str
    value: float
    unit: Literal["s", "B", "ratio", ""]
    bound: float | None = None
    """The most that the value may be; `None` for a value that is only told."""
    note: str = ""
    """What the number was measured on or made from, where the name doesn't say it."""

    @property
    def holds(self) -> bool:
        return self.bound is None or self.value <= self.bound
