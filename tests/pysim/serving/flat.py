"""A replica whose steps take a second each: times count steps, and tables of steps can be worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.serving.blocks import Blocks
from pysim.serving.cluster.loop import Loop
from pysim.serving.cluster.router import LeastTokens
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Policy
from pysim.serving.replica import Replica
from pysim.serving.request import Outcome, Request
from pysim.serving.step_cost import StepCost

ON = Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090"), engine="vLLM")
SIZE = 16
Given = Sequence[Request | tuple[float, int, int]]


class Flat(StepCost):
    """A step takes a second whatever it carries."""

    def line(self, sequences: int) -> tuple[float, float]:
        """Always a second."""
        return 1.0, 0.0

    def decode_s(self, sequences: int, rows: float) -> float:
        """A second."""
        return 1.0

    def mixed_s(self, sequences: int, rows: float, fed: object, pass_tokens: int = 0) -> float:
        """A second."""
        return 1.0


def requests_of(given: Given) -> list[Request]:
    """Requests of (arrival, prompt, answer)."""
    return [
        Request(number=number, arrive_s=each[0], prompt_tokens=each[1], output_tokens=each[2])
        if isinstance(each, tuple)
        else each
        for number, each in enumerate(given)
    ]


def flat(
    given: Given, *, policy: Policy | None = None, blocks: int = 100, seats: int = 8, budget: int = 32,
    keeps_rows: bool | None = None,
) -> tuple[list[Outcome], Replica]:  # fmt: skip
    """Outcomes and the replica with its record."""
    rules = policy or VllmV1()
    keeps = rules.keeps_rows if keeps_rows is None else keeps_rows
    replica = Replica(Flat(ON), rules, seats=seats, budget=budget, blocks=Blocks(blocks, SIZE, keeps_rows=keeps))
    return Loop([replica], LeastTokens()).run(requests_of(given)), replica


def steps(given: Given, **options: object) -> list[tuple[float, float, int]]:
    """First and last token's step, and evictions, of each request."""
    outcomes, _ = flat(given, **options)  # type: ignore[arg-type]
    return [(each.first_s, each.finish_s, each.evictions) for each in outcomes]


def table(given: Given, **options: object) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    """For each step: tokens written, and (request, tokens) fed."""
    _, replica = flat(given, **options)  # type: ignore[arg-type]
    return [(each.decoding, each.feed) for each in replica.stretches for _ in range(each.steps)]
