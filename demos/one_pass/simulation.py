"""The simulation behind the demo `one-pass`: what one pass costs, and where its two jobs take equally long."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.kit.declare.controls import Value
from pysim.roofline.cost_of_pass import PassCost


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One pass: what it costs, and where the two jobs would take equally long."""

    tokens: int
    context: int
    picture: str
    on: pysim.Deployment
    cost: PassCost
    ridge: float | None

    @property
    def memory_s(self) -> float:
        """Seconds of the memory traffic alone."""
        return self.cost.memory_s

    @property
    def compute_s(self) -> float:
        """Seconds of the math alone."""
        return self.cost.compute_s

    @property
    def pass_s(self) -> float:
        """Seconds of the whole pass."""
        return self.cost.time_s

    @property
    def math_waits(self) -> bool:
        """Whether the math waits for memory."""
        return self.cost.bound == "memory"

    @property
    def waiting(self) -> float:
        """The share of the pass for which the shorter job waits."""
        return 1 - min(self.memory_s, self.compute_s) / self.pass_s


def scene(**values: Value) -> Scene:
    """Ask the simulator for the pass; times are best case."""
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    on = pysim.Deployment(model, device, weight_format=str(values["weights"]))
    tokens, context = int(values["tokens_in_pass"]), int(values["context_tokens"])
    return Scene(
        tokens=tokens,
        context=context,
        picture=str(values["picture"]),
        on=on,
        cost=on.pass_cost(tokens, context, speed="datasheet"),
        ridge=_ridge(on, context),
    )


@lru_cache(maxsize=64)
def _ridge(on: pysim.Deployment, context: int) -> float | None:
    return on.ridge_tokens(context)
