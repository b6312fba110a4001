"""Runs of one answer, simulated or measured: when each token appears."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import pysim
from demos.kit.declare.readouts import Banded
from demos.kit.number import plural
from demos.latency.traces import Averages, Trace
from pysim import units


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One answer in time. `band` has (p10, p90) for the times that carry one."""

    title: str
    note: str
    source: str
    prompt_tokens: int
    tokens: int
    ttft_s: float
    end_s: float
    token_s: Callable[[int], float]
    tokens_at: Callable[[float], int]
    band: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    @property
    def tpot_s(self) -> float | None:
        """The mean time of a token after the first; None where there is none."""
        return (self.end_s - self.ttft_s) / (self.tokens - 1) if self.tokens > 1 else None

    def banded(self, name: str, value: float) -> float | Banded:
        """Return a value with its band, where it has one."""
        return Banded(value, *self.band[name]) if name in self.band else value


def simulated_run(
    model: pysim.Model,
    device: pysim.Device,
    prompt_tokens: int,
    output_tokens: int,
    weights: str,
    engine: str | None,
    title: str = "",
) -> Run:
    """Return the run that pysim predicts, with its band."""
    on = pysim.Deployment(model, device, weight_format=weights, engine=engine)
    speed = "datasheet" if engine is None else "typical"
    simulated = on.stream(prompt_tokens=prompt_tokens, output_tokens=output_tokens, speed=speed)
    whole = on.estimate(prompt_tokens=prompt_tokens, output_tokens=output_tokens, speed=speed)
    band = dict(whole.band or {})
    pace = "best case" if engine is None else "typical"
    fits = " · does not fit in its memory, shown as if it did" if whole.fits is False else ""
    return Run(
        title=title or device.name,
        note=f"{model.name}, {weights.upper()}, {pace}{fits}",
        source="simulated by pysim, see the accuracy page",
        prompt_tokens=prompt_tokens,
        tokens=output_tokens,
        ttft_s=simulated.ttft_s,
        end_s=simulated.end_s,
        token_s=simulated.token_s,
        tokens_at=simulated.tokens_at,
        band=band,
    )


def measured_run(trace: Trace) -> Run:
    """Return a run as it was recorded, token by token."""
    times_s = list(trace.times_s)
    return Run(
        title="measured, replayed as recorded",
        note=f"{pysim.load_model(trace.model).name}, {trace.weights.upper()}, {pysim.load_device(trace.device).name}",
        source=f"{trace.what} ({plural(len(times_s), 'token')})",
        prompt_tokens=trace.prompt_tokens,
        tokens=len(times_s),
        ttft_s=times_s[0],
        end_s=times_s[-1],
        token_s=lambda number: times_s[number - 1],
        tokens_at=lambda t_s: bisect_right(times_s, t_s),
    )


def averaged_run(given: Averages, output_tokens: int) -> Run:
    """Return a run at published mean speeds, its tokens evenly spaced."""
    ttft_s, tpot_s = given.prompt_tokens / given.prefill_tokens_per_s, 1 / given.decode_tokens_per_s

    def tokens_at(t_s: float) -> int:
        # Whole gaps so far; a token's own moment counts, whatever the last bit of the division.
        gaps = int((t_s - ttft_s) / tpot_s + 1e-9)
        return 0 if t_s < ttft_s else min(1 + gaps, output_tokens)

    return Run(
        title="measured speeds, replayed",
        note=f"{pysim.load_model(given.model).name}, {given.weights.upper()}, {pysim.load_device(given.device).name}",
        source=f"{given.source}; the pace within each phase is taken as even",
        prompt_tokens=given.prompt_tokens,
        tokens=output_tokens,
        ttft_s=ttft_s,
        end_s=ttft_s + (output_tokens - 1) * tpot_s,
        token_s=lambda number: ttft_s + (number - 1) * tpot_s,
        tokens_at=tokens_at,
    )


def seconds(time_s: float) -> str:
    """Return a time for reading, with three digits."""
    return units.show(time_s, "s", digits=3)
