"""A load test: what was asked of a server, and the means that were measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from pysim.errors import BadValue
from pysim.serving.load.made import Lengths, made
from pysim.serving.request import Request

MEASURES: Final = ("ttft_mean", "tpot_mean", "output_tok_s")
MOST_SIMULATED: Final = 5000
USUAL_REQUESTS: Final = 300
MOST_TOKENS: Final = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTest:
    """Requests with equal lengths (the means), at a rate, with so many at once, or all at once where both are None.

    `measured`: seconds to the first token and per token after that, and tokens of answers per second, as far as known:
    "ttft_mean", "tpot_mean", "output_tok_s".
    """

    tool: str
    prompt_tokens: float
    output_tokens: float
    requests: int | None = None
    rate_per_s: float | None = None
    at_once: int | None = None
    measured: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("prompt_tokens", "output_tokens"):
            if not 1 <= getattr(self, name) <= MOST_TOKENS:
                raise BadValue(f"{name} {getattr(self, name):g} is not from 1 to {MOST_TOKENS:,}")
        for name, value in self.measured.items():
            if name not in MEASURES or not (math.isfinite(value) and value > 0):
                raise BadValue(f"the measured {name} {value:g} is not a number above 0")
        if not self.measured:
            raise BadValue(f"nothing is measured; one of {', '.join(MEASURES)} is needed")

    def load(self) -> tuple[Request, ...]:
        """As many requests as the test had: a short test is mostly ramp, and so is its simulation."""
        wanted = self.requests or max(USUAL_REQUESTS, 8 * (self.at_once or 0))
        return made(
            count=min(MOST_SIMULATED, max(1, wanted)), rate_per_s=self.rate_per_s or 1.0,
            prompt=Lengths.fixed(round(self.prompt_tokens)), answer=Lengths.fixed(round(self.output_tokens)),
            arrivals="burst" if self.rate_per_s is None else "poisson",
        )  # fmt: skip

    @property
    def words(self) -> str:
        """The load in words."""
        how = "all at once"
        if self.rate_per_s is not None:
            how = f"{self.rate_per_s:.3g} requests/s"
        elif self.at_once is not None:
            how = f"{self.at_once:,} at once"
        return f"{self.tool}: {round(self.prompt_tokens):,} + {round(self.output_tokens):,} tokens, {how}"
