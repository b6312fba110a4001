"""serve: a load on one replica or several, from their deployment's memory and speeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from pysim.deployed import Deployed
from pysim.engines.load import engine_keys, find_engine, load_engine
from pysim.engines.scheduler import SchedulerRule
from pysim.errors import BadValue, quoted
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.occupancy import max_context_tokens
from pysim.memory.placement import places
from pysim.memory.reservation import reservation
from pysim.serving.blocks import Blocks
from pysim.serving.cluster.link import Link, link_named
from pysim.serving.cluster.loop import Loop
from pysim.serving.cluster.router import router_named
from pysim.serving.frontend import NO_FRONT_END, FrontEnd
from pysim.serving.policies import policy_named
from pysim.serving.policy import Policy
from pysim.serving.replica import Replica
from pysim.serving.request import Request
from pysim.serving.run import Run
from pysim.serving.step_cost import UNTUNED, StepCost, Tuned

BLOCK_TOKENS: Final = 16
MOST_REPLICAS: Final = 1024

Load = Sequence[Request] | Callable[[int], Sequence[Request]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Replicas that only read prompts, replicas that only write, and the link between them."""

    readers: int = 1
    writers: int = 1
    link: Link | str = "infiniband"


def rule_of(on: Deployed) -> SchedulerRule:
    """How the deployment's engine schedules; raises BadValue where its file does not say it."""
    engine = find_engine(on.engine)
    if engine is None or engine.scheduler is None:
        there = ", ".join(load_engine(key).name for key in engine_keys() if load_engine(key).scheduler is not None)
        raise BadValue(f"no scheduler is known of engine {quoted(on.engine or 'none', 30)}; there are: {there}")
    return engine.scheduler


def kv_tokens_of(on: Deployed) -> int:
    """Tokens of cache that these devices have room for: the engine's pool, or all that is free where it has none.

    Raises BadValue where nothing is left.
    """
    engine, memory = find_engine(on.engine), on.device.memory_bytes
    if not memory:
        raise BadValue(f"the memory of {on.device.name} is not known; give kv_tokens")
    pool = None
    if engine is not None and engine.reservation is not None:
        pool = reservation(engine, on.model, places(on), memory, 1).pool_tokens
    room = max_context_tokens(on) if pool is None else pool
    if not room:
        raise BadValue(f"no room for a cache: {on.model.name} in {on.weight_format} fills {on.device.name}")
    return room


def serve(
    on: Deployed, load: Load, *, policy: Policy | str | None = None, seed: int = 0, token_budget: int | None = None,
    seats: int | None = None, kv_tokens: int | None = None, tuned: Tuned = UNTUNED, at_once: int | None = None,
    think_s: float = 0.0, keeps_rows: bool | None = None, replicas: int = 1, router: str = "least-tokens",
    split: Split | None = None, frontend: FrontEnd = NO_FRONT_END, jumps: bool = True, records: bool = True,
) -> Run:  # fmt: skip
    """Serve a load; unset values are the engine's defaults.

    `load`: requests, or a function that makes them from `seed`. `policy`: a scheduler's rules, or their name. `tuned`:
    a calibration. `at_once`: a closed loop of so many, each `think_s` apart. `replicas`: equal ones behind `router`,
    or `split`, whose replicas read or write. `keeps_rows`: the prefix cache (None: as the policy does). Without
    `records`, only the outcomes are kept.
    Raises BadValue for a request that never fits, UnknownName, and PolicyError for a policy that overdraws.
    """
    requests = load(seed) if callable(load) else load
    if not requests:
        raise BadValue("the load has no requests")
    rule = rule_of(on)
    if on.n_devices > 1:
        tuned = replace(tuned, math=tuned.math / rule.several_devices_math)
    rules = policy_named(policy) if isinstance(policy, str) else policy or policy_named(rule.policy)
    rows = kv_tokens_of(on) if kv_tokens is None else kv_tokens
    budget = rule.step_tokens_on(on.device) if token_budget is None else token_budget
    at_most = rule.seats_on(on.device) if seats is None else seats
    for name, value in (("token_budget", budget), ("seats", at_most), ("kv_tokens", rows), ("replicas", replicas)):
        if value < 1:
            raise BadValue(f"{name} {value} is not from 1 up")
    readers, writers = (split.readers, split.writers) if split else (0, replicas)
    if split and min(readers, writers) < 1:
        raise BadValue(f"a split of {readers} that read and {writers} that write needs one of each")
    if readers + writers > MOST_REPLICAS:
        raise BadValue(f"{readers + writers} replicas are more than {MOST_REPLICAS:,}")
    cost = StepCost(on, tuned)
    keeps = rules.keeps_rows if keeps_rows is None else keeps_rows
    all_of_them = [
        Replica(
            cost, rules, seats=at_most, budget=max(budget, at_most), jumps=jumps, hands_over=number < readers,
            blocks=Blocks(rows // BLOCK_TOKENS, BLOCK_TOKENS, keeps_rows=keeps), number=number, records=records,
        )
        for number in range(readers + writers)
    ]  # fmt: skip
    link = None if split is None else link_named(split.link) if isinstance(split.link, str) else split.link
    loop = Loop(
        all_of_them[readers:], router_named(router), readers=all_of_them[:readers], link=link,
        rows_bytes=lambda tokens: kv_cache_bytes(on.model, tokens, on.kv_format),
        layers=on.model.num_hidden_layers, frontend=frontend, at_once=at_once, think_s=think_s,
    )  # fmt: skip
    outcomes = loop.run(requests)
    return Run(
        outcomes=tuple(outcomes),
        records=tuple(tuple(replica.stretches) for replica in all_of_them),
        kv_tokens=rows,
        token_budget=budget,
        seats=at_most,
        free_blocks_at_end=sum(replica.blocks.free for replica in all_of_them),
    )
