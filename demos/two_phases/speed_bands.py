"""The simulator's band around a predicted time, as factors of the prediction."""

from __future__ import annotations

import pysim
from demos.kit.declare.readouts import Banded

Factors = tuple[float, float]


def band_factors(on: pysim.Deployment, prompt: int, answer: int, speed: str) -> dict[str, Factors]:
    """Return (p10, p90) of the first token's and of the whole time, divided by the predicted time."""
    whole = on.estimate(prompt_tokens=prompt, output_tokens=answer, speed=speed)
    times_s = {"ttft_s": whole.ttft_s, "total_s": whole.total_s}
    bands = whole.band or {}
    return {name: (bands[name][0] / time, bands[name][1] / time) for name, time in times_s.items()}


def banded(factors: Factors, time_s: float) -> Banded:
    """Return a time with the band that its factors make of it."""
    low, high = factors
    return Banded(time_s, low * time_s, high * time_s)
