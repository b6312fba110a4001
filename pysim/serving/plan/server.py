"""A server to plan with: a deployment, how it schedules, and what measurements say of its speed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pysim.deployed import Deployed
from pysim.errors import BadValue
from pysim.serving.frontend import NO_FRONT_END, FrontEnd
from pysim.serving.request import Request
from pysim.serving.run import Run
from pysim.serving.serve import Split, rule_of, serve
from pysim.serving.step_cost import UNTUNED, Tuned


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """What `serve` is told besides the requests; unset values are the engine's defaults."""

    on: Deployed
    policy: str | None = None
    token_budget: int | None = None
    seats: int | None = None
    kv_tokens: int | None = None
    tuned: Tuned = UNTUNED
    replicas: int = 1
    router: str = "least-tokens"
    split: Split | None = None
    frontend: FrontEnd = NO_FRONT_END

    @property
    def devices(self) -> int:
        """Devices of all replicas together."""
        return self.on.n_devices * (self.split.readers + self.split.writers if self.split else self.replicas)

    @property
    def seats_in_budget(self) -> int | None:
        """Conversations at once: a step has a token for each, so a small budget leaves room for fewer."""
        if self.token_budget is None:
            return self.seats
        if self.seats is not None:
            if self.token_budget < self.seats:
                raise BadValue(
                    f"a token budget of {self.token_budget:,} is below the {self.seats:,} conversations at once: "
                    "each takes a token of every step"
                )
            return self.seats
        return min(rule_of(self.on).seats_on(self.on.device), max(1, self.token_budget))

    def run(self, load: Sequence[Request], at_once: int | None = None, think_s: float = 0.0) -> Run:
        """Serve requests; raises BadValue where one never fits."""
        return serve(
            self.on, load, policy=self.policy, token_budget=self.token_budget, seats=self.seats_in_budget,
            kv_tokens=self.kv_tokens, tuned=self.tuned, replicas=self.replicas, router=self.router, split=self.split,
            frontend=self.frontend, at_once=at_once, think_s=think_s,
        )  # fmt: skip

    def slower(self, factor: float) -> Server:
        """The same server whose steps take `factor` times as long."""
        return replace(self, tuned=replace(self.tuned, factor=self.tuned.factor * factor))
