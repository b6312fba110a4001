"""Do the demos of many requests count what they say, and do their controls move it the right way?"""

from __future__ import annotations

from types import ModuleType

import pytest

from demos import knee, memory_full, shared_beginning, together_or_apart, token_budget
from demos.kit.declare.controls import Value, start_values
from demos.kit.serving.server import Refused
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.roofline.cost_of_pass import pass_cost
from tests.demos.reading import read

ALL = (token_budget, knee, memory_full, together_or_apart, shared_beginning)


def shown(demo: ModuleType, **changes: Value) -> dict[str, str]:
    at = demo.scene(**{**start_values(demo.CONTROLS), **changes})
    return read(demo.frame(at, 0.0)).outputs


@pytest.mark.parametrize("demo", ALL, ids=lambda demo: demo.__name__)
def test_what_does_not_fit_is_a_sentence(demo: ModuleType) -> None:
    at = demo.scene(**{**start_values(demo.CONTROLS), "model": "llama-3.1-70b", "device": "rtx-4090"})
    assert "70B" in demo.say(at, 0.0)
    assert set(read(demo.frame(at, 0.0)).outputs.values()) == {"none"}
    assert len(demo.table(at)) == 1


def test_small_steps_shorten_gaps_and_lengthen_the_wait() -> None:
    small, large = (shown(token_budget, token_budget=budget) for budget in (512, 16_384))
    assert float(small["gap_p99_s"]) < float(large["gap_p99_s"])
    assert float(small["ttft_p99_s"]) > float(large["ttft_p99_s"])
    # The best budget keeps at least as many requests within the limits as either.
    at = token_budget.scene(**start_values(token_budget.CONTROLS))
    assert not isinstance(at.dots, Refused)
    assert at.best.within >= max(dot.within for dot in at.dots) - 0.015
    assert shown(token_budget)["default_budget"] == "8192"


def test_goodput_is_the_rate_times_the_share_within() -> None:
    calm, busy = (shown(knee, rate=rate) for rate in (4.0, 20.0))
    for outputs, rate in ((calm, 4.0), (busy, 20.0)):
        assert float(outputs["goodput"]) == pytest.approx(rate * float(outputs["share_within"]), rel=1e-8)
    assert float(calm["share_within"]) > 0.9 > float(busy["share_within"])
    assert 4 < float(calm["highest_rate"]) < 20


def test_a_short_test_promises_more() -> None:
    """Trap T1: before a queue is long, a test has ended."""
    short, long = (float(shown(knee, test_requests=count)["highest_rate"]) for count in (50, 600))
    assert short > 1.1 * long


def test_memory_holds_fewer_where_the_longest_answer_is_promised() -> None:
    kept, forgotten, promised = (shown(memory_full, rule=rule) for rule in ("kept", "forgotten", "promised"))
    assert int(kept["evictions"]) > 0 == int(promised["evictions"])
    assert int(promised["at_once"]) < int(kept["at_once"])
    assert int(forgotten["recomputed_tokens"]) > 2 * int(kept["recomputed_tokens"])
    # 20,000 tokens of 131,072 bytes each.
    assert float(kept["kv_cache_bytes"]) == 20_000 * 131_072
    assert float(shown(memory_full, kv="fp8")["kv_cache_bytes"]) == 10_000 * 131_072


def test_more_room_than_there_is_is_refused_with_both_numbers() -> None:
    at = memory_full.scene(**{**start_values(memory_full.CONTROLS), "device": "rtx-4090", "cache_tokens": 400_000})
    assert isinstance(at.run, Refused)
    assert "not for 400,000" in at.run.why


def test_a_slow_link_makes_the_second_token_wait() -> None:
    fast, slow = (shown(together_or_apart, link=link) for link in ("infiniband", "ethernet-25"))
    # 400 and 25 Gbit/s: the median wait is sixteen times as long at least, as prompts also queue for the wire.
    assert float(slow["second_token_wait_s"]) > 15.9 * float(fast["second_token_wait_s"])
    assert float(slow["goodput_apart"]) <= float(fast["goodput_apart"])
    assert slow["goodput_together"] == fast["goodput_together"]


def test_the_map_says_who_keeps_more_within_each_pair_of_limits() -> None:
    at = together_or_apart.scene(**start_values(together_or_apart.CONTROLS))
    rows = together_or_apart.table(at)[1:]
    assert len(rows) == 49
    for _, _, mine, theirs, better in rows:
        difference = float(mine) - float(theirs)
        assert better == ("even" if abs(difference) < 0.02 else "together" if difference > 0 else "apart")


def test_every_gap_is_a_stricter_count_than_their_mean() -> None:
    chat: dict[str, Value] = {"load": "chat", "rate": 40.0, "split": "2"}
    mean, every = (shown(together_or_apart, counts=counts, **chat) for counts in ("mean", "every"))
    assert float(every["goodput_together"]) <= float(mean["goodput_together"])


def test_a_shared_beginning_is_found_in_whole_blocks() -> None:
    outputs = shown(shared_beginning, sessions=1, turns=2, system_tokens=1600)
    # Turn 1: 1,660 tokens, none found. Turn 2: 1,870; of the 1,810 before its question, minus the last answer's last
    # token that was never fed, 113 whole blocks of 16.
    assert int(outputs["saved_tokens"]) == 113 * 16
    assert float(outputs["hit_share"]) == pytest.approx(1808 / (1660 + 1870))


def test_the_first_token_costs_a_pass_over_what_is_new() -> None:
    at = shared_beginning.scene(
        **{**start_values(shared_beginning.CONTROLS), "sessions": 1, "turns": 2, "system_tokens": 1600}
    )
    assert at.served is not None
    on = at.served.on
    assert float(shown(shared_beginning, sessions=1, turns=2, system_tokens=1600)["last_turn_ttft_s"]) == pytest.approx(
        pass_cost(on, 1870 - 1808, 1808, 1, speed="typical").time_s
    )
    assert kv_cache_bytes(on.model, 1, on.kv_format) == 131_072


def test_machines_in_turn_find_less_than_one_that_keeps_its_conversations() -> None:
    turned, kept = (shown(shared_beginning, route=route, sessions=3) for route in ("round-robin", "same-beginning"))
    assert float(turned["hit_share"]) < float(kept["hit_share"])
