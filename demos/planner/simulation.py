"""The planner's question to the simulator: for each way to share the model, how many devices carry the rate?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from demos.kit.declare.controls import Value
from demos.kit.serving.loads import traffic
from demos.kit.serving.server import Refused, sentence, server
from demos.planner.controls import OWN
from pysim.doctor.load_tests import load_tests
from pysim.errors import PysimError
from pysim.serving.load.made import Lengths
from pysim.serving.load.traffic import Traffic
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.plan.quick import Quick, quick_rate
from pysim.serving.plan.server import Server
from pysim.serving.points import STEP_BAND
from pysim.serving.results.one_factor import Calibrated, calibrated

SPLITS: Final = (1, 2, 4, 8)
BUDGETS: Final = (2048, 8192)
NORMAL_BUDGET: Final = 2048
SEATS: Final = 512
HOUR_S: Final = 3600.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """`per_replica` devices share the model; `quick` is what one such replica takes, `why_not` why it can't be."""

    per_replica: int
    quick: Quick | None
    replicas: int | None
    why_not: str = ""
    server: Server | None = None
    budget: int = NORMAL_BUDGET

    @property
    def devices(self) -> int | None:
        """All devices together."""
        return None if self.replicas is None else self.replicas * self.per_replica


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Every way, the best one with its best budget, and how many devices it takes if steps are faster or slower."""

    ways: tuple[Way, ...]
    best: Way | None
    low: int | None
    high: int | None
    rate: float
    traffic: Traffic
    limits: Limits
    price_per_hour: float
    test: Calibrated | Refused | None

    @property
    def price_per_million(self) -> float | None:
        """Cost of a million answer tokens at the asked rate."""
        if self.best is None or self.best.devices is None:
            return None
        tokens_per_s = self.rate * self.traffic.mean_tokens()[1]
        return self.best.devices * self.price_per_hour / HOUR_S / tokens_per_s * 1e6


def scene(**values: Value) -> Scene:
    """Find the fewest devices, and what a pasted test says of this server."""
    rate, asked, limits = float(values["rate"]), _traffic(values), _limits(values)
    test = _test(values)
    factor = test.factor if isinstance(test, Calibrated) else 1.0
    ways = tuple(_way(values, count, asked, limits, rate, factor) for count in SPLITS)
    possible = [way for way in ways if way.devices is not None]
    best = min(possible, key=lambda way: (way.devices, way.replicas), default=None)
    low = high = None
    if best is not None and best.server is not None:
        best = _with_best_budget(best, asked, limits, rate)
        low, high = (_devices(best, asked, limits, rate, factor) for factor in _ends(test))
    return Scene(
        ways=ways, best=best, low=low, high=high, rate=rate, traffic=asked, limits=limits,
        price_per_hour=float(values["price"]), test=test,
    )  # fmt: skip


def _traffic(values: Mapping[str, Value]) -> Traffic:
    if values["load"] != OWN:
        return traffic({**values, "seed": 1})
    prompt, answer = (Lengths.fixed(int(values[name])) for name in ("prompt_tokens", "answer_tokens"))
    return Traffic(prompt=prompt, answer=answer, seed=1)


def _limits(values: Mapping[str, Value]) -> Limits:
    if values["limits"] != OWN:
        return limits_named(str(values["limits"]))
    return Limits(ttft_s=float(values["first_ms"]) / 1000, tpot_s=float(values["pace_ms"]) / 1000, together=False)


def _server(values: Mapping[str, Value], count: int, budget: int) -> Server | Refused:
    served = server(values, n_devices=count)
    if isinstance(served, Refused):
        return served
    policy = None if served.on.engine else "prefill-first"
    return Server(on=served.on, policy=policy, token_budget=budget, seats=SEATS, kv_tokens=served.kv_tokens)


def _way(values: Mapping[str, Value], count: int, asked: Traffic, limits: Limits, rate: float, factor: float) -> Way:
    made = _server(values, count, NORMAL_BUDGET)
    if isinstance(made, Refused):
        return Way(per_replica=count, quick=None, replicas=None, why_not=made.why)
    if made.on.model.num_attention_heads % count:
        heads = made.on.model.num_attention_heads
        return Way(per_replica=count, quick=None, replicas=None, why_not=f"{heads} heads do not divide by {count}.")
    slowed = made.slower(factor)
    try:
        quick = quick_rate(slowed, asked, limits)
    except PysimError as error:
        return Way(per_replica=count, quick=None, replicas=None, why_not=sentence(error))
    if not quick.rate_per_s:
        why = f"Even a few requests exceed the limits: {quick.tried[0].broken}." if quick.tried else ""
        return Way(per_replica=count, quick=quick, replicas=None, why_not=why)
    return Way(per_replica=count, quick=quick, replicas=math.ceil(rate / quick.rate_per_s), server=slowed)


def _with_best_budget(best: Way, asked: Traffic, limits: Limits, rate: float) -> Way:
    found = best
    for budget in BUDGETS:
        if budget == NORMAL_BUDGET or best.server is None:
            continue
        changed = replace(best.server, token_budget=budget)
        quick = quick_rate(changed, asked, limits)
        if found.quick is not None and quick.rate_per_s > found.quick.rate_per_s * 1.02:
            replicas = math.ceil(rate / quick.rate_per_s)
            found = replace(best, quick=quick, replicas=replicas, server=changed, budget=budget)
    return found


def _ends(test: Calibrated | Refused | None) -> tuple[float, float]:
    """The step times to try besides: the band of load tests, or a tenth either way where the server was measured."""
    return (0.9, 1.1) if isinstance(test, Calibrated) else STEP_BAND


def _devices(best: Way, asked: Traffic, limits: Limits, rate: float, factor: float) -> int | None:
    if best.server is None:
        return None
    quick = quick_rate(best.server.slower(factor), asked, limits)
    return math.ceil(rate / quick.rate_per_s) * best.per_replica if quick.rate_per_s else None


def _test(values: Mapping[str, Value]) -> Calibrated | Refused | None:
    text = str(values["result"]).strip()
    if not text:
        return None
    made = _server(values, int(values["tested_devices"]), NORMAL_BUDGET)
    if isinstance(made, Refused):
        return made
    try:
        return calibrated(made, load_tests(text)[0])
    except PysimError as error:
        return Refused(sentence(error))
