"""The simulation behind the demo `two-policies`: one load, served twice."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from demos.kit.declare.controls import Value
from demos.kit.draw.request_lanes import RequestLane
from demos.kit.serving.loads import requests
from demos.kit.serving.server import Refused, Server, sentence, server
from pysim.errors import PysimError
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.record import token_times_s
from pysim.serving.request import Request
from pysim.serving.run import Run

# Percentiles count all requests; lanes show the first of them.
REQUESTS, LANES = 300, 16


@dataclass(frozen=True, kw_only=True)
class Side:
    """A scheduler and what became of the requests under it."""

    policy: str
    run: Run
    lanes: tuple[RequestLane, ...]
    limits: Limits

    @cached_property
    def percentiles(self) -> dict[str, dict[str, float]]:
        """Percentiles of waits and times per token."""
        found = self.run.percentiles()
        return {"tpot_s": dict.fromkeys(("mean", "p50", "p90", "p99"), 0.0), **found}

    @cached_property
    def gap_p99_s(self) -> float:
        """The gap between tokens that 99% do not exceed."""
        return self.run.gap_s(0.99) or 0.0

    @property
    def share_within(self) -> float:
        """The share of requests within the limits."""
        return self.limits.share_within(self.run.outcomes)

    @property
    def goodput_per_s(self) -> float:
        """Requests per second of the run that stay within the limits."""
        return self.share_within * len(self.run.outcomes) / self.run.seconds

    @property
    def output_tokens_per_s(self) -> float:
        """Tokens of all answers per second of the run."""
        return self.run.output_tokens_per_s

    @property
    def evictions(self) -> int:
        """How often a request lost its place."""
        return sum(each.evictions for each in self.run.outcomes)

    @cached_property
    def _moments(self) -> tuple[list[float], list[float], list[float]]:
        done = self.run.outcomes
        return (
            sorted(each.request.arrive_s for each in done),
            sorted(each.first_s for each in done),
            sorted(each.finish_s for each in done),
        )

    def inside_at(self, t_s: float) -> int:
        """Requests that have arrived and are not done."""
        arrived, _, done = self._moments
        return bisect_right(arrived, t_s) - bisect_right(done, t_s)

    def answered_at(self, t_s: float) -> int:
        """Requests that have a first token."""
        return bisect_right(self._moments[1], t_s)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Both sides, and the seconds in view: until the last drawn request has ended on the slower side."""

    sides: tuple[Side, Side] | Refused
    requests: int
    server_name: str
    end_s: float


def scene(**values: Value) -> Scene:
    """Serve the same requests under both schedulers."""
    served = server(values)
    if isinstance(served, Refused):
        return Scene(sides=served, requests=REQUESTS, server_name="", end_s=0.0)
    load, limits = requests(values, REQUESTS), limits_named(str(values["limits"]))
    name = f"{served.on.model.name} on {served.on.device.name}"
    try:
        a, b = (_side(served, load, limits, values, str(values[side])) for side in ("policy_a", "policy_b"))
    except PysimError as error:
        return Scene(sides=Refused(sentence(error)), requests=REQUESTS, server_name=name, end_s=0.0)
    end_s = max(each.finish_s for side in (a, b) for each in side.run.outcomes[:LANES])
    return Scene(sides=(a, b), requests=len(load), server_name=name, end_s=end_s)


def _side(served: Server, load: Sequence[Request], limits: Limits, values: dict[str, Value], policy: str) -> Side:
    run = served.on.serve(
        load, policy=policy, token_budget=int(values["token_budget"]), seats=int(values["seats"]),
        kv_tokens=served.kv_tokens,
    )  # fmt: skip
    record = run.stretches
    lanes = tuple(
        RequestLane(
            name=f"{each.request.prompt_tokens:,} in",
            waits=(each.request.arrive_s, each.admitted_s),
            reads=[(each.admitted_s, each.first_s)],
            tokens_s=token_times_s(record, each),
            pauses=each.pauses,
        )
        for each in run.outcomes[:LANES]
    )
    return Side(policy=policy, run=run, lanes=lanes, limits=limits)
