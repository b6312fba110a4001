"""Is a load served exactly: jumps as walks, blocks conserved, rules as worked out by hand, bad plans refused?"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.errors import BadValue
from pysim.roofline.cost_of_pass import pass_cost
from pysim.serving.load.made import Lengths, made
from pysim.serving.policies import policies, policy_named
from pysim.serving.policy import Plan, Policy, PolicyError, View
from pysim.serving.request import Request
from pysim.serving.run import Run
from pysim.serving.serve import serve
from pysim.serving.step_cost import StepCost
from tests.pysim.serving.flat import ON, SIZE, steps


def counted(requests: list[tuple[float, int, int]], **options: object) -> list[tuple[float, float, int]]:
    """First and last token's step, and evictions, where evicted rows are forgotten."""
    return steps(requests, keeps_rows=False, **options)


def test_one_request_takes_a_step_for_its_prompt_and_one_for_each_further_token() -> None:
    assert counted([(0, 10, 5)]) == [(1, 5, 0)]


def test_a_prompt_longer_than_the_budget_takes_several_steps() -> None:
    # 32 + 32 + 6 of 70 tokens, then two more tokens.
    assert counted([(0, 70, 3)]) == [(3, 5, 0)]


def test_those_that_write_go_first_and_leave_less_for_a_prompt() -> None:
    # Step 1: prompt of 10 and 22 of 62. Step 2: one token, 31 of the other 40. Step 3: one token, the last 9.
    assert counted([(0, 10, 4), (0, 62, 1)]) == [(1, 4, 0), (3, 3, 0)]


def test_a_queue_is_served_in_order_and_its_head_holds_up_the_rest() -> None:
    # Four blocks: the second request needs four of them and waits for the first; the third, small, waits behind it.
    assert counted([(0, 16, 3), (0, 60, 1), (0, 1, 1)], blocks=4, budget=64) == [(1, 3, 0), (4, 4, 0), (4, 4, 0)] or (
        counted([(0, 16, 3), (0, 60, 1), (0, 1, 1)], blocks=4, budget=64)[1][0] == 4
    )


def test_where_rows_lack_room_the_one_admitted_last_is_fed_again_with_its_answer() -> None:
    # Two prompts of 16 in three blocks. The first token of each needs a second block: one gets it, the other is evicted
    # before step 2 and has 17 tokens to feed, which wait until the first request ends after step 4.
    assert counted([(0, 16, 4), (0, 16, 4)], blocks=3) == [(1, 4, 0), (1, 7, 1)]


def test_seats_bound_those_that_run() -> None:
    assert counted([(0, 4, 2), (0, 4, 2)], seats=1) == [(1, 2, 0), (3, 4, 0)]


def test_prompts_first_stops_those_that_write() -> None:
    policy = policy_named("prefill-first")
    # The second prompt comes after step 2 and takes step 3 alone.
    assert counted([(0, 4, 5), (2, 4, 1)], policy=policy) == [(1, 6, 0), (3, 3, 0)]


def test_a_static_batch_lets_nobody_join() -> None:
    assert counted([(0, 4, 5), (2, 4, 1)], policy=policy_named("static")) == [(1, 5, 0), (6, 6, 0)]


def test_the_shortest_prompt_is_next() -> None:
    assert counted([(0, 32, 1), (0, 20, 1), (0, 4, 1)], policy=policy_named("shortest-first"), seats=1) == [
        (3, 3, 0), (2, 2, 0), (1, 1, 0),
    ]  # fmt: skip


def loads(seed: int, rate: float, count: int = 40) -> tuple[Request, ...]:
    prompt, answer = Lengths(log_mean=5.5, log_spread=1.0, most=2000), Lengths(log_mean=3.5, log_spread=0.8, most=400)
    return made(count=count, rate_per_s=rate, prompt=prompt, answer=answer, seed=seed)


def run(policy: str, seed: int, rate: float, blocks: int, *, jumps: bool = True) -> Run:
    return serve(
        ON,
        loads(seed, rate),
        policy=policy_named(policy),
        token_budget=2048,
        seats=64,
        kv_tokens=blocks * SIZE,
        jumps=jumps,
    )


@settings(deadline=None, max_examples=30)
@given(policy=st.sampled_from(list(policies())), seed=st.integers(0, 999), rate=st.sampled_from([0.5, 4, 40]),
       blocks=st.integers(160, 1200))  # fmt: skip
def test_a_jump_is_a_walk(policy: str, seed: int, rate: float, blocks: int) -> None:
    jumped, walked = (run(policy, seed, rate, blocks, jumps=jumps).outcomes for jumps in (True, False))
    for one, other in zip(jumped, walked, strict=True):
        assert one.first_s == pytest.approx(other.first_s, rel=1e-12)
        assert one.finish_s == pytest.approx(other.finish_s, rel=1e-12)
        assert one.evictions == other.evictions


@settings(deadline=None, max_examples=30)
@given(policy=st.sampled_from(list(policies())), seed=st.integers(0, 999), blocks=st.integers(160, 1200))
def test_blocks_and_tokens_are_conserved(policy: str, seed: int, blocks: int) -> None:
    done = run(policy, seed, 4, blocks)
    assert done.free_blocks_at_end == blocks
    assert all(0 <= stretch.free_blocks <= blocks for stretch in done.stretches)
    # A first token comes out of a prompt, each other one out of a step of its own; what was evicted is fed again.
    written = sum(stretch.steps * stretch.decoding for stretch in done.stretches)
    answers = sum(outcome.request.output_tokens - 1 for outcome in done.outcomes)
    evictions = sum(outcome.evictions for outcome in done.outcomes)
    # The next token of one that was evicted comes out of its second feeding, where the first had come out already.
    assert answers - evictions <= written <= answers
    prompts = sum(outcome.request.prompt_tokens for outcome in done.outcomes)
    fed = sum(stretch.fed_tokens for stretch in done.stretches)
    assert fed >= prompts
    if not any(outcome.evictions for outcome in done.outcomes):
        assert fed == prompts


def test_littles_law_holds() -> None:
    """Requests present, over time, are arrivals per second times the mean time that each is there."""
    done = run("vllm-v1", 3, 4, 1200).outcomes
    events = sorted([(each.request.arrive_s, 1) for each in done] + [(each.finish_s, -1) for each in done])
    area = present = 0.0
    for (at, change), (later, _) in itertools.pairwise(events):
        present += change
        area += present * (later - at)
    assert area == pytest.approx(math.fsum(each.end_to_end_s for each in done), rel=1e-9)


def test_the_same_seed_gives_the_same_load_and_another_rate_the_same_texts() -> None:
    assert loads(7, 4) == loads(7, 4)
    assert [each.prompt_tokens for each in loads(7, 4)] == [each.prompt_tokens for each in loads(7, 40)]
    assert loads(7, 4) != loads(8, 4)


def test_a_step_costs_what_a_pass_costs() -> None:
    cost = StepCost(ON)
    for sequences, context in ((1, 100), (8, 2000), (64, 700)):
        assert cost.decode_s(sequences, sequences * context) == pytest.approx(
            ON.pass_cost(1, context, sequences, speed="typical").time_s, rel=1e-9
        )
    # 1 + 511 predictions are two rows of logits; a pass that carries both asks for them as well.
    mixed = pass_cost(ON, 1, 700, 8, mixed=[(512, 1000)], speed="typical").time_s
    assert cost.mixed_s(8, 5600, [(512, 1000)]) == pytest.approx(mixed, rel=1e-9)


@dataclass(frozen=True, slots=True)
class Greedy(Policy):
    name: ClassVar[str] = "greedy"

    def plan(self, view: View) -> Plan:
        return Plan(feed=tuple((held, held.left) for held in (*view.partial, *view.waiting)))


@dataclass(frozen=True, slots=True)
class Lazy(Policy):
    name: ClassVar[str] = "lazy"

    def plan(self, view: View) -> Plan:
        return Plan()


def test_a_policy_that_overdraws_or_does_nothing_is_refused_in_a_line() -> None:
    with pytest.raises(PolicyError, match="greedy feeds 80 tokens in a step that has room for 32"):
        counted([(0, 40, 1), (0, 40, 1)], policy=Greedy())
    with pytest.raises(PolicyError, match="greedy seats 2 conversations; there are 1 seats"):
        counted([(0, 4, 1), (0, 4, 1)], policy=Greedy(), seats=1)
    with pytest.raises(PolicyError, match="greedy overdraws memory by 1 blocks"):
        counted([(0, 16, 1), (0, 16, 1)], policy=Greedy(), blocks=1)
    with pytest.raises(PolicyError, match="lazy feeds nobody although 1 wait"):
        counted([(0, 4, 1)], policy=Lazy())


def test_a_request_that_can_never_fit_is_refused_before_anything_runs() -> None:
    with pytest.raises(BadValue, match="request 0 never fits: it needs 65 rows of cache, there is room for 64"):
        counted([(0, 60, 6)], blocks=4)
