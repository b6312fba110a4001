"""Several replicas: is work shared, is a split's wire and waiting right, do closed loops and front ends keep time?"""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.errors import BadValue, UnknownName
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.serving.cluster.link import LINKS, Link, link_named
from pysim.serving.frontend import FrontEnd
from pysim.serving.load.made import Lengths, made
from pysim.serving.policies import policies
from pysim.serving.request import Request
from pysim.serving.serve import Split, serve
from tests.pysim.serving.flat import ON


def loads(seed: int, rate: float = 6.0, count: int = 40) -> tuple[Request, ...]:
    prompt, answer = Lengths(log_mean=5.5, log_spread=1.0, most=2000), Lengths(log_mean=3.5, log_spread=0.8, most=400)
    return made(count=count, rate_per_s=rate, prompt=prompt, answer=answer, seed=seed)


def test_one_replica_of_a_cluster_is_a_replica() -> None:
    one = serve(ON, loads(1), replicas=1, router="round-robin").outcomes
    assert one == serve(ON, loads(1)).outcomes


def test_requests_far_apart_are_the_same_on_one_or_three() -> None:
    rare = loads(2, rate=0.01, count=6)
    alone, three = serve(ON, rare).outcomes, serve(ON, rare, replicas=3, router="round-robin").outcomes
    for one, other in zip(alone, three, strict=True):
        assert one.end_to_end_s == pytest.approx(other.end_to_end_s, rel=1e-9)
    assert [each.replica for each in three] == [0, 1, 2, 0, 1, 2]


def test_the_least_loaded_gets_the_next() -> None:
    burst = [Request(number=n, arrive_s=0.0, prompt_tokens=p, output_tokens=2) for n, p in enumerate((900, 10, 10, 10))]
    assert [each.replica for each in serve(ON, burst, replicas=2).outcomes] == [0, 1, 1, 1]


def test_a_conversation_stays_where_its_rows_are() -> None:
    turns = [
        Request(number=n, arrive_s=5.0 * n, prompt_tokens=64 + 32 * n, output_tokens=2, session=7,
                beginning=tuple(range(4 + 2 * n)))
        for n in range(4)
    ]  # fmt: skip
    home = serve(ON, turns, replicas=2, router="same-beginning").outcomes
    assert {each.replica for each in home} == {0}
    # A turn finds all the last one had, in whole pieces of 16, but for its own last token's piece.
    assert [each.cached_tokens for each in home] == [0, 64, 96, 128]
    assert sum(each.cached_tokens for each in serve(ON, turns, replicas=2, router="round-robin").outcomes) < 288


def test_a_split_sends_the_rows_and_the_second_token_waits_for_them() -> None:
    slow = Link(name="slow", bytes_per_s=1e9, latency_s=0.25)
    request = Request(number=0, arrive_s=0.0, prompt_tokens=1000, output_tokens=5)
    together, apart = serve(ON, [request]).outcomes[0], serve(ON, [request], split=Split(link=slow)).outcomes[0]
    assert apart.first_s == together.first_s
    # 1,000 tokens of 131,072 bytes at 1 GB/s after a quarter of a second; then the rest of the answer as before.
    wait_s = 0.25 + kv_cache_bytes(ON.model, 1000, "f16") / 1e9
    assert apart.sent_s == pytest.approx(apart.first_s + wait_s, rel=1e-12)
    assert apart.finish_s - apart.first_s == pytest.approx(together.finish_s - together.first_s + wait_s, rel=1e-3)


def test_rows_pushed_by_layers_arrive_while_the_prompt_is_read() -> None:
    push = Link(name="push", bytes_per_s=1e9, way="push")
    # 32 layers, 1 GB: a wire as fast as the reading ends a layer later; a slower one by what it lags behind.
    assert push.seconds(1e9, 32, reading_s=1.0) == pytest.approx(1 / 32)
    assert push.seconds(4e9, 32, reading_s=1.0) == pytest.approx(4 - 31 / 32)
    assert Link(name="pull", bytes_per_s=1e9).seconds(4e9, 32, reading_s=1.0) == 4.0


@settings(deadline=None, max_examples=25)
@given(policy=st.sampled_from(list(policies())), seed=st.integers(0, 99), readers=st.integers(1, 3),
       writers=st.integers(1, 3), blocks=st.integers(160, 900), link=st.sampled_from(list(LINKS)))  # fmt: skip
def test_a_split_loses_nobody_and_jumps_as_it_walks(
    policy: str, seed: int, readers: int, writers: int, blocks: int, link: str
) -> None:
    runs = [
        serve(ON, loads(seed), policy=policy, kv_tokens=blocks * 16, seats=32, jumps=jumps,
              split=Split(readers=readers, writers=writers, link=link))
        for jumps in (True, False)
    ]  # fmt: skip
    assert runs[0].free_blocks_at_end == blocks * (readers + writers)
    for one, other in zip(runs[0].outcomes, runs[1].outcomes, strict=True):
        assert one.first_s == pytest.approx(other.first_s, rel=1e-9)
        assert one.finish_s == pytest.approx(other.finish_s, rel=1e-9)
        assert one.request.arrive_s <= one.admitted_s <= one.first_s <= (one.sent_s or one.finish_s) <= one.finish_s


def test_a_closed_loop_with_thinking_keeps_so_many_at_once() -> None:
    done = serve(ON, loads(3), at_once=4, think_s=2.0).outcomes
    ends = sorted(each.finish_s for each in done)
    later = sorted(each.request.arrive_s for each in done)[4:]
    assert later == [pytest.approx(end + 2.0) for end in ends[: len(later)]]


def test_a_front_end_delays_and_takes_in_so_many() -> None:
    burst = [Request(number=n, arrive_s=0.0, prompt_tokens=8, output_tokens=1) for n in range(5)]
    front = FrontEnd(latency_s=0.04, intake_per_s=2.0)
    assert list(front.ready_s([0.0, 0.0, 3.0])) == pytest.approx([0.04, 0.54, 3.04])
    done = serve(ON, burst, frontend=front).outcomes
    assert [each.admitted_s for each in done] == pytest.approx([0.04, 0.54, 1.04, 1.54, 2.04])
    assert math.isinf(FrontEnd().intake_per_s)


def test_bad_clusters_are_refused_in_a_line() -> None:
    with pytest.raises(UnknownName, match='unknown link "wet string"'):
        link_named("wet string")
    with pytest.raises(BadValue, match="needs one of each"):
        serve(ON, loads(1), split=Split(readers=0))
    with pytest.raises(BadValue, match="replicas 0 is not from 1 up"):
        serve(ON, loads(1), replicas=0)
    with pytest.raises(UnknownName, match='unknown router "random"'):
        serve(ON, loads(1), router="random")
    with pytest.raises(BadValue, match="intake of 0 requests/s"):
        FrontEnd(intake_per_s=0)
