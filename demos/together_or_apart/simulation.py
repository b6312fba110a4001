"""The simulation behind the demo `together-or-apart`: the same requests on four machines, together and apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from demos.kit.declare.controls import Value
from demos.kit.serving.loads import requests
from demos.kit.serving.server import SEATS, Refused, Server, sentence, server
from demos.together_or_apart.controls import EVERY, MACHINES
from pysim.errors import PysimError
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.record import worst_gap_s
from pysim.serving.request import Outcome
from pysim.serving.run import Run
from pysim.serving.serve import Split

REQUESTS: Final = 120
BUDGETS: Final = (512, 2048, 8192)
# Shares nearer to each other than this are a draw.
CLOSE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to share the work: its name, its run, and for each request the wait and the gap that counts (s)."""

    name: str
    run: Run
    paces_s: tuple[float, ...]

    def share_within(self, first_s: float, pace_s: float) -> float:
        """The share of requests whose first token and pace are within."""
        good = sum(
            each.ttft_s <= first_s and own_s <= pace_s
            for each, own_s in zip(self.run.outcomes, self.paces_s, strict=True)
        )
        return good / len(self.run.outcomes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """Ways together, the one apart, and the limits."""

    together: tuple[Way, ...] | Refused
    apart: Way | None
    limits: Limits
    counts: str
    readers: int
    link: str
    rate: float
    served: Server | None

    def best_together(self, first_s: float, pace_s: float) -> Way:
        """Of the ways together, the one with most requests within."""
        if isinstance(self.together, Refused):
            raise ValueError("nothing runs")
        return max(self.together, key=lambda way: way.share_within(first_s, pace_s))

    def winner(self, first_s: float, pace_s: float) -> str:
        """Who has more requests within these limits."""
        if self.apart is None:
            raise ValueError("nothing runs")
        mine = self.best_together(first_s, pace_s).share_within(first_s, pace_s)
        theirs = self.apart.share_within(first_s, pace_s)
        return "even" if abs(mine - theirs) < CLOSE else "together" if mine > theirs else "apart"

    @property
    def asked_s(self) -> tuple[float, float]:
        """The chosen limits."""
        return self.limits.ttft_s or 1.0, self.limits.tpot_s or 0.1


def scene(**values: Value) -> Scene:
    """Serve the same requests on four machines, together and apart."""
    served, counts, link = server(values), str(values["counts"]), str(values["link"])
    limits, readers, rate = limits_named(str(values["limits"])), int(values["split"]), float(values["rate"])

    def made(together: tuple[Way, ...] | Refused, apart: Way | None) -> Scene:
        return Scene(
            together=together, apart=apart, limits=limits, counts=counts, readers=readers, link=link, rate=rate,
            served=None if isinstance(served, Refused) else served,
        )  # fmt: skip

    if isinstance(served, Refused):
        return made(served, None)
    load = requests(values, REQUESTS)

    def run(budget: int, **how: object) -> Run:
        return served.on.serve(
            load, policy=VllmV1(), token_budget=budget, seats=SEATS, kv_tokens=served.kv_tokens,
            **how,  # type: ignore[arg-type]
        )  # fmt: skip

    pace = _gap_of if counts == EVERY else _mean_of
    try:
        together = tuple(_way(f"{budget:,} tokens a step", run(budget, replicas=MACHINES), pace) for budget in BUDGETS)
        apart = _way("apart", run(8192, split=Split(readers=readers, writers=MACHINES - readers, link=link)), pace)
    except PysimError as error:
        return made(Refused(sentence(error)), None)
    return made(together, apart)


def _way(name: str, run: Run, pace: Callable[[Run, Outcome], float]) -> Way:
    return Way(name=name, run=run, paces_s=tuple(pace(run, each) for each in run.outcomes))


def _mean_of(run: Run, outcome: Outcome) -> float:
    return outcome.tpot_s or 0.0


def _gap_of(run: Run, outcome: Outcome) -> float:
    return worst_gap_s(run.records[outcome.replica], outcome) or 0.0
