"""serve: a load on one replica, from its deployment's memory and speeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pysim.deployed import Deployed
from pysim.engines.load import engine_keys, find_engine, load_engine
from pysim.engines.scheduler import SchedulerRule
from pysim.errors import BadValue, quoted
from pysim.memory.placement import places
from pysim.memory.reservation import reservation
from pysim.serving.blocks import Blocks
from pysim.serving.policies import policy_named
from pysim.serving.policy import Policy
from pysim.serving.replica import Replica, Stretch
from pysim.serving.request import Outcome, Request
from pysim.serving.step_cost import UNTUNED, StepCost, Tuned

BLOCK_TOKENS: Final = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What became of every request, and the stretches of steps that a picture draws."""

    outcomes: tuple[Outcome, ...]
    stretches: tuple[Stretch, ...]
    kv_tokens: int
    token_budget: int
    seats: int
    free_blocks_at_end: int


def rule_of(on: Deployed) -> SchedulerRule:
    """How the deployment's engine schedules; raises BadValue where its file does not say it."""
    engine = find_engine(on.engine)
    if engine is None or engine.scheduler is None:
        there = ", ".join(load_engine(key).name for key in engine_keys() if load_engine(key).scheduler is not None)
        raise BadValue(f"no scheduler is known of engine {quoted(on.engine or 'none', 30)}; there are: {there}")
    return engine.scheduler


def kv_tokens_of(on: Deployed) -> int:
    """Tokens that the engine's pool has room for on these devices; raises BadValue where nothing is left."""
    engine, memory = find_engine(on.engine), on.device.memory_bytes
    if engine is None or engine.reservation is None or not memory:
        raise BadValue(f"the cache of {on.engine or 'no engine'} on {on.device.name} is not known; give kv_tokens")
    pool = reservation(engine, on.model, places(on), memory, 1).pool_tokens
    if not pool:
        raise BadValue(f"no room for a cache: {on.model.name} in {on.weight_format} fills {on.device.name}")
    return pool


def serve(
    on: Deployed,
    load: Sequence[Request],
    *,
    policy: Policy | None = None,
    token_budget: int | None = None,
    seats: int | None = None,
    kv_tokens: int | None = None,
    tuned: Tuned = UNTUNED,
    at_once: int | None = None,
    keeps_rows: bool = True,
    jumps: bool = True,
) -> Run:
    """Serve a load; unset values are the engine's defaults. `tuned` is a calibration.

    Raises BadValue for a request that never fits, and PolicyError for a policy that overdraws.
    """
    if not load:
        raise BadValue("the load has no requests")
    rule = rule_of(on)
    rows = kv_tokens_of(on) if kv_tokens is None else kv_tokens
    budget = rule.step_tokens_on(on.device) if token_budget is None else token_budget
    at_most = rule.seats_on(on.device) if seats is None else seats
    for name, value in (("token_budget", budget), ("seats", at_most), ("kv_tokens", rows)):
        if value < 1:
            raise BadValue(f"{name} {value} is not from 1 up")
    replica = Replica(
        StepCost(on, tuned),
        policy or policy_named(rule.policy),
        seats=at_most,
        budget=max(budget, at_most),
        blocks=Blocks(rows // BLOCK_TOKENS, BLOCK_TOKENS, keeps_rows=keeps_rows),
        jumps=jumps,
    )
    outcomes = replica.run(load, at_once)
    return Run(
        outcomes=tuple(outcomes),
        stretches=tuple(replica.stretches),
        kv_tokens=rows,
        token_budget=budget,
        seats=at_most,
        free_blocks_at_end=replica.blocks.free,
    )
