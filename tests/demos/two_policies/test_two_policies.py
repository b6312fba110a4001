"""Does `two-policies` serve the same requests twice, and count what it says?"""

from __future__ import annotations

import pytest

from demos import two_policies
from demos.kit.declare.controls import Value, start_values
from demos.kit.serving.server import Refused
from demos.two_policies.controls import LABELS
from demos.two_policies.simulation import Scene, Side
from pysim.serving.policies import policies
from tests.demos.reading import read


def scene(**changes: Value) -> Scene:
    return two_policies.scene(**{**start_values(two_policies.CONTROLS), **changes})


def sides(at: Scene) -> tuple[Side, Side]:
    assert not isinstance(at.sides, Refused)
    return at.sides


def number(at: Scene, name: str) -> float:
    return float(read(two_policies.frame(at, 0.0)).outputs[name])


def test_every_policy_is_offered_and_has_a_name() -> None:
    assert set(LABELS) == set(policies())


def test_both_sides_get_the_same_requests() -> None:
    a, b = sides(scene())
    assert [each.request for each in a.run.outcomes] == [each.request for each in b.run.outcomes]


def test_the_same_policy_gives_the_same_numbers() -> None:
    at = scene(policy_a="vllm-v1", policy_b="vllm-v1")
    for name in ("ttft_p50_s", "ttft_p99_s", "tpot_p50_s", "goodput"):
        assert number(at, f"{name}_a") == number(at, f"{name}_b")
    assert two_policies.say(at, at.end_s) == "The same scheduler on both sides: nothing differs."


def test_a_static_batch_makes_newcomers_wait() -> None:
    at = scene(policy_a="static", policy_b="vllm-v1")
    assert number(at, "ttft_p50_s_a") > 5 * number(at, "ttft_p50_s_b")
    assert number(at, "goodput_a") < number(at, "goodput_b")


def test_shortest_first_lowers_the_median_wait_and_raises_the_last() -> None:
    at = scene(policy_a="vllm-v1", policy_b="shortest-first", rate=20.0)
    assert number(at, "ttft_p50_s_b") < number(at, "ttft_p50_s_a")
    assert number(at, "ttft_p99_s_b") > number(at, "ttft_p99_s_a")


def test_goodput_is_the_share_within_both_limits_by_the_seconds_of_the_run() -> None:
    a, _ = sides(scene(limits="mlperf-llama-3.1-8b-server"))
    good = [each for each in a.run.outcomes if each.ttft_s <= 2 and (each.tpot_s or 0) <= 0.1]
    assert a.goodput_per_s == pytest.approx(len(good) / a.run.seconds)


def test_counts_of_the_clock_are_those_of_the_run() -> None:
    at = scene()
    a, _ = sides(at)
    t_s = at.end_s / 2
    assert a.inside_at(t_s) == sum(each.request.arrive_s <= t_s < each.finish_s for each in a.run.outcomes)
    assert f"{a.answered_at(t_s)} first token" in two_policies.say(at, t_s)


def test_what_does_not_fit_is_a_sentence() -> None:
    at = scene(model="llama-3.1-70b", device="rtx-4090")
    assert isinstance(at.sides, Refused)
    assert two_policies.table(at) == [["request", "arrive_s", "prompt_tokens", "output_tokens"]]
