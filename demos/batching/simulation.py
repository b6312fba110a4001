"""The simulation behind the demo `batching`: one pass that all conversations share, and that pass with one alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.batching.controls import MOST
from demos.batching.plots import Curves, curves
from demos.kit.declare.controls import Value
from pysim.requests.batch_limits import BatchLimits
from pysim.roofline.cost_of_pass import PassCost

# How many tokens one conversation alone would write while the picture moves, and how many passes it shows at least.
ALONE_TOKENS, FEWEST_PASSES = 30, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A pass that all conversations share, the same pass with one alone, and what ends the rise of the total."""

    conversations: int
    context: int
    on: pysim.Deployment
    cost: PassCost
    alone: PassCost
    limits: BatchLimits
    curves: Curves
    passes: int

    @property
    def pass_s(self) -> float:
        """Seconds that the shared pass takes."""
        return self.cost.time_s

    @property
    def each_per_s(self) -> float:
        """Tokens per second of each conversation."""
        return 1 / self.pass_s

    @property
    def total_per_s(self) -> float:
        """Tokens per second of all conversations together."""
        return self.conversations / self.pass_s

    @property
    def fits(self) -> bool:
        """Whether the caches of all conversations fit next to the weights."""
        return self.conversations <= self.limits.held

    @property
    def cache_bytes(self) -> float:
        """Bytes of the KV caches of all conversations."""
        return pysim.kv_cache_bytes(self.on.model, self.context, self.on.kv_format, self.conversations)

    @property
    def working_bytes(self) -> float:
        """Bytes that an engine needs besides, as an estimate."""
        (memory,) = self.on.memory(self.context).per_device
        return memory.working.total_bytes

    @property
    def weights_bytes(self) -> float:
        """Bytes of the weights."""
        return pysim.weights_bytes(self.on.model, self.on.weight_format)


def scene(**values: Value) -> Scene:
    """Ask the simulator; the context of a conversation counts the token that the pass makes."""
    conversations, context = int(values["conversations"]), int(values["context_tokens"])
    on = pysim.Deployment(
        pysim.load_model(str(values["model"])),
        pysim.load_device(str(values["device"])),
        weight_format=str(values["weights"]),
        kv_format=str(values["kv"]),
    )
    cost, alone = (on.pass_cost(1, context - 1, batch, speed="typical") for batch in (conversations, 1))
    window_s = max(ALONE_TOKENS * alone.time_s, FEWEST_PASSES * cost.time_s)
    limits, drawn = _setting(on, context)
    return Scene(
        conversations=conversations,
        context=context,
        on=on,
        cost=cost,
        alone=alone,
        limits=limits,
        curves=drawn,
        passes=math.ceil(window_s / cost.time_s - 1e-9),
    )


@lru_cache(maxsize=32)
def _setting(on: pysim.Deployment, context: int) -> tuple[BatchLimits, Curves]:
    limits = on.batch_limits(context)
    return limits, curves(on, context, limits, MOST)
