"""Does the search find the rate at which a server is busy, and is it not fooled by tests that are too short?"""

from __future__ import annotations

import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.errors import BadValue
from pysim.serving.load.made import Lengths
from pysim.serving.load.traffic import Traffic, fits, traffic_named
from pysim.serving.plan.limits import Limits
from pysim.serving.plan.probe import backlog_grows, holds_up, probe
from pysim.serving.plan.search import highest_rate
from pysim.serving.plan.server import Server
from pysim.serving.plan.size import best, options, price_per_million, rate_of_users
from pysim.serving.request import Outcome, Request
from pysim.serving.step_cost import StepCost, Tuned

ON = Deployment(load_model("llama-3.1-8b"), load_device("h100-sxm"), engine="vLLM")
# A prompt fills a step, and its answer is one token: a queue in front of one counter.
COUNTER = Server(on=ON, token_budget=2000, seats=1)
PROMPTS = Traffic(prompt=Lengths.fixed(2000), answer=Lengths.fixed(1))
STEP_S = StepCost(ON).mixed_s(0, 0.0, [(2000, 0)])
LOOSE = Limits(end_to_end_s=1000.0)


def test_without_a_limit_that_binds_the_highest_rate_is_that_of_a_server_never_idle() -> None:
    found = highest_rate(COUNTER, PROMPTS, LOOSE, seconds=60)
    # One request in each step; a queue with so little room left grows slowly, so the search may stop a little below.
    assert 0.9 / STEP_S < found.rate_per_s < 1.02 / STEP_S
    assert found.above is not None
    assert found.above.breaks == "backlog"
    assert found.above.rate_per_s / found.rate_per_s <= 1.03


def test_a_rate_twice_too_high_is_refused_though_a_short_test_stays_within_the_limit() -> None:
    short = COUNTER.run(PROMPTS.at_rate(2 / STEP_S, 0, least=600))
    assert LOOSE.broken(short.outcomes) is None
    assert probe(COUNTER, PROMPTS, 2 / STEP_S, LOOSE, 60).breaks == "backlog"
    assert probe(COUNTER, PROMPTS, 0.5 / STEP_S, LOOSE, 60).fine


def test_tighter_limits_allow_lower_rates() -> None:
    rates = [
        highest_rate(COUNTER, PROMPTS, Limits(ttft_s=times * STEP_S), seconds=60).rate_per_s for times in (2, 4, 16)
    ]
    assert rates == sorted(rates)
    assert 0 < rates[0] < 0.5 * rates[2]


def test_limits_that_nothing_meets_are_said_with_the_time_of_a_lone_request() -> None:
    found = highest_rate(COUNTER, PROMPTS, Limits(ttft_s=STEP_S / 2))
    assert (found.rate_per_s, found.probes) == (0.0, ())
    assert found.why_none is not None
    assert "not even one request at a time: TTFT at p99 is" in found.why_none


def test_another_rate_has_the_same_requests_closer_together() -> None:
    traffic = traffic_named("azure-2023-conv", seed=3)
    slow, fast = traffic.at_rate(1.0, 100), traffic.at_rate(4.0, 100)
    assert len(fast) > len(slow)
    for one, other in zip(slow, fast, strict=False):
        assert one.arrive_s == pytest.approx(4 * other.arrive_s)
        assert (one.prompt_tokens, one.output_tokens) == (other.prompt_tokens, other.output_tokens)


def test_the_lengths_of_published_traces_end_at_their_longest_and_have_a_source() -> None:
    for fit in fits().values():
        requests = fit.traffic.burst(3000)
        assert max(each.prompt_tokens for each in requests) <= fit.traffic.prompt.most
        assert fit.source
        assert fit.licence
    # 20,000 draws of ln μ 6.633: the median is e^6.633 = 760 tokens.
    tokens = sorted(each.prompt_tokens for each in traffic_named("azure-2023-conv").burst(20_000))
    assert tokens[10_000] == pytest.approx(760, rel=0.03)


def outcomes(stay_s: list[float]) -> list[Outcome]:
    """One request a second that stays so long each."""
    return [
        Outcome(
            request=Request(number=at, arrive_s=float(at), prompt_tokens=1, output_tokens=1), admitted_s=at,
            first_s=at + stay, finish_s=at + stay, evictions=0, recomputed_tokens=0,
        )
        for at, stay in enumerate(stay_s)
    ]  # fmt: skip


def test_a_backlog_grows_where_requests_stay_longer_and_longer() -> None:
    assert not backlog_grows(outcomes([10.0] * 400), 400)
    # At second t a request waits for t/10 s, so about t/11 are inside: 14 in the second quarter, 32 in the last.
    assert backlog_grows(outcomes([at / 10 for at in range(400)]), 400)
    assert not backlog_grows([], 0)


def test_what_requests_wait_for_is_named() -> None:
    long = Traffic(prompt=Lengths.fixed(2000), answer=Lengths.fixed(400))
    crowd = long.burst(60)
    end_s = 1000.0
    assert holds_up(Server(on=ON, seats=4).run(crowd), end_s) == "seats"
    # Room for eight answers with their prompts, of which a few wait for the blocks of the others.
    assert holds_up(Server(on=ON, kv_tokens=8 * 2400, seats=256).run(crowd), end_s) == "memory"
    assert holds_up(COUNTER.run(PROMPTS.at_rate(0.01 / STEP_S, 0, least=50)), end_s) == "nothing"


def test_options_divide_the_rate_and_the_best_has_the_fewest_devices() -> None:
    traffic = traffic_named("azure-2023-conv")
    limits = Limits(ttft_s=1.0, tpot_s=0.05)
    found = list(options(Server(on=ON), traffic, limits, 40.0, splits=(1, 2, 3), seconds=30))
    for option in found[:2]:
        assert option.highest is not None
        assert option.replicas is not None
        assert option.devices == option.replicas * option.per_replica
        assert (option.replicas - 1) * option.highest.rate_per_s < 40 <= option.replicas * option.highest.rate_per_s
    assert found[2].why_not == "32 attention heads do not divide by 3"
    chosen = best(found)
    assert chosen is not None
    assert chosen.devices is not None
    assert chosen.devices == min(option.devices for option in found if option.devices)
    # Devices × price / 3600 s is a second's price, for 40 answers of so many tokens.
    expected = chosen.devices * 3.6 / 3600 / (40 * traffic.mean_tokens()[1]) * 1e6
    assert price_per_million(chosen, traffic, 40.0, 3.6) == pytest.approx(expected)


def test_each_budget_is_an_option_and_the_best_one_wins() -> None:
    traffic = Traffic(prompt=Lengths.fixed(4000), answer=Lengths.fixed(100))
    limits = Limits(ttft_s=2.0, tpot_s=0.02)
    found = list(options(Server(on=ON), traffic, limits, 10.0, splits=(1,), budgets=(512, 8192), seconds=30))
    assert [option.token_budget for option in found] == [512, 8192]
    # Behind a whole prompt of 4,000 tokens, those that write wait for longer than the limit; behind pieces they don't.
    small, large = (option.highest.rate_per_s for option in found if option.highest)
    assert small > large
    chosen = best(found)
    assert chosen is not None
    assert chosen.token_budget == 512


def test_users_ask_again_after_the_answer_and_a_pause() -> None:
    # A prompt of 2,000 tokens with an answer of one is a step: who thinks as long asks every two steps.
    assert rate_of_users(COUNTER, PROMPTS, 10, STEP_S) == pytest.approx(10 / (2 * STEP_S))
    with pytest.raises(BadValue, match="0 users"):
        rate_of_users(COUNTER, PROMPTS, 0, 1.0)


def test_a_slower_server_carries_less() -> None:
    rates = [highest_rate(COUNTER.slower(factor), PROMPTS, LOOSE, seconds=60).rate_per_s for factor in (1.0, 2.0)]
    assert rates[0] / rates[1] == pytest.approx(2, rel=0.05)
    assert Server(on=ON, tuned=Tuned(factor=1.5)).slower(2).tuned.factor == 3.0


def test_a_rate_that_is_none_is_refused_and_one_beyond_all_replicas_is_said() -> None:
    for rate in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(BadValue, match="requests/s is not above 0"):
            next(options(COUNTER, PROMPTS, LOOSE, rate))
    (option,) = options(COUNTER, PROMPTS, LOOSE, 1e9, splits=(1,), seconds=10)
    assert option.devices is None
    assert option.why_not is not None
    assert "replicas would be needed" in option.why_not
