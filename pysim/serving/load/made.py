"""Loads made by a seed: even, Poisson or bursty arrivals, and lengths that are fixed or lognormal."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from pysim.errors import BadValue, UnknownName
from pysim.serving.request import Request

Arrivals = Literal["poisson", "even", "gamma", "burst"]
ARRIVALS: Final = ("poisson", "even", "gamma", "burst")
MOST_REQUESTS: Final = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Lengths:
    """Tokens of prompts or answers: a logarithm's mean and spread, or with spread 0 always the same; between bounds."""

    log_mean: float
    log_spread: float = 0.0
    least: int = 1
    most: int = 131_072

    @classmethod
    def fixed(cls, tokens: int) -> Lengths:
        """Always `tokens`."""
        if tokens < 1:
            raise BadValue(f"a length of {tokens} tokens is none; 1 is the least")
        return cls(log_mean=math.log(tokens), most=max(tokens, 131_072))

    def draw(self, chance: random.Random) -> int:
        """One length."""
        value = math.exp(chance.gauss(self.log_mean, self.log_spread)) if self.log_spread else math.exp(self.log_mean)
        return min(self.most, max(self.least, round(value)))


def made(
    *, count: int, rate_per_s: float, prompt: Lengths, answer: Lengths, arrivals: str = "poisson", cv: float = 1.0,
    seed: int = 0,
) -> tuple[Request, ...]:  # fmt: skip
    """`count` requests at a mean rate; the same seed gives the same ones. `cv`: of the gaps, for "gamma".

    Raises BadValue or UnknownName.
    """
    if not 1 <= count <= MOST_REQUESTS:
        raise BadValue(f"count {count:,} is not from 1 to {MOST_REQUESTS:,}")
    if arrivals not in ARRIVALS:
        raise UnknownName("arrivals", arrivals, ARRIVALS)
    if arrivals != "burst" and not (math.isfinite(rate_per_s) and rate_per_s > 0):
        raise BadValue(f"rate {rate_per_s} requests/s is not above 0")
    # Lengths and gaps come from two streams, so that another rate keeps the same texts.
    gaps, lengths = random.Random(f"gaps {seed}"), random.Random(f"lengths {seed}")
    times = _times(arrivals, rate_per_s, cv, gaps)
    return tuple(
        Request(
            number=number, arrive_s=next(times), prompt_tokens=prompt.draw(lengths), output_tokens=answer.draw(lengths)
        )
        for number in range(count)
    )


def _times(arrivals: str, rate_per_s: float, cv: float, chance: random.Random) -> Iterator[float]:
    now_s = 0.0
    while True:
        yield now_s
        match arrivals:
            case "poisson":
                now_s += chance.expovariate(rate_per_s)
            case "even":
                now_s += 1 / rate_per_s
            case "gamma":
                now_s += chance.gammavariate(1 / cv**2, cv**2 / rate_per_s)
