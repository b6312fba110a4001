"""Traffic: what requests of a kind look like, at any rate, for as long as a test lasts.

Another rate keeps the texts and the pattern of arrivals, only closer together or further apart: two rates, or two
servers, are compared on the same requests.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from statistics import fmean
from typing import Final

from pysim.errors import BadValue, UnknownName
from pysim.serving.load.made import MOST_REQUESTS, Lengths, made
from pysim.serving.request import Request

FITS: Final = Path(__file__).with_name("trace_fits.csv")
SAMPLE: Final = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """Lengths of prompts and answers, and how requests arrive: "poisson", "even", or "gamma" with `cv` of the gaps."""

    prompt: Lengths
    answer: Lengths
    arrivals: str = "poisson"
    cv: float = 1.0
    seed: int = 0
    source: str = ""

    def at_rate(self, rate_per_s: float, seconds: float, least: int = 1) -> tuple[Request, ...]:
        """Requests at a mean rate for so many seconds, `least` at least; raises BadValue where they are too many."""
        if not (math.isfinite(rate_per_s) and rate_per_s > 0):
            raise BadValue(f"a rate of {rate_per_s:g} requests/s is not above 0")
        wanted = rate_per_s * seconds
        if wanted > MOST_REQUESTS:
            raise BadValue(f"{rate_per_s:g} requests/s for {seconds:g} s are more than {MOST_REQUESTS:,} requests")
        return made(
            count=max(least, math.ceil(wanted)), rate_per_s=rate_per_s, prompt=self.prompt, answer=self.answer,
            arrivals=self.arrivals, cv=self.cv, seed=self.seed,
        )  # fmt: skip

    def burst(self, count: int) -> tuple[Request, ...]:
        """The first requests of the traffic, all at once."""
        return made(
            count=count, rate_per_s=1.0, prompt=self.prompt, answer=self.answer, arrivals="burst", seed=self.seed
        )

    def mean_tokens(self) -> tuple[float, float]:
        """Mean tokens of prompts and of answers, over the first requests."""
        requests = self.burst(SAMPLE)
        return fmean(each.prompt_tokens for each in requests), fmean(each.output_tokens for each in requests)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A published trace as a few numbers: lognormal lengths that end at the trace's longest, its rate, its gaps."""

    key: str
    source: str
    licence: str
    rate_per_s: float
    traffic: Traffic


@cache
def fits() -> Mapping[str, Fit]:
    """The fits of published traces by name; `trace_fits.csv` cites each."""
    with FITS.open(encoding="utf-8", newline="") as file:
        return {row["trace"]: _fit(row) for row in csv.DictReader(file)}


def traffic_named(name: str, *, seed: int = 0) -> Traffic:
    """The traffic of a published trace, arriving at random; UnknownName offers the nearest."""
    if name not in fits():
        raise UnknownName("trace", name, fits())
    return replace(fits()[name].traffic, seed=seed)


def _fit(row: Mapping[str, str]) -> Fit:
    prompt, answer = (
        Lengths(
            log_mean=float(row[f"{way}_ln_mu"]),
            log_spread=float(row[f"{way}_ln_sigma"]),
            most=int(row[f"{way}_max"]),
        )
        for way in ("in", "out")
    )
    return Fit(
        key=row["trace"],
        source=row["source"],
        licence=row["licence"],
        rate_per_s=float(row["rate_per_s"]),
        traffic=Traffic(prompt=prompt, answer=answer, source=row["source"]),
    )
