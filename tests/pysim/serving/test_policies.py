"""Do the policies take the steps that their rules say, worked out by hand? Steps of a second make times count steps."""

from __future__ import annotations

import pytest

from pysim.errors import UnknownName
from pysim.serving.policies import policies, policy_named
from pysim.serving.policies.llama_server import LlamaServer
from pysim.serving.policies.sglang import Sglang
from pysim.serving.policies.tensorrt_llm import TensorrtLlm
from pysim.serving.policies.tgi import Tgi
from pysim.serving.policies.vllm_v0 import VllmV0
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Policy
from pysim.serving.request import Request
from tests.pysim.serving.flat import steps, table


def test_each_file_of_the_folder_is_a_policy_with_its_rules_named() -> None:
    assert {"vllm-v1", "vllm-v0", "sglang", "tgi", "tensorrt-llm", "sarathi", "llama-server", "static"} <= set(
        policies()
    )
    with pytest.raises(UnknownName, match='unknown policy "vlm"'):
        policy_named("vlm")


# Each row: arrival (s), prompt, answer. A table has a row for each step: tokens written, and (request, tokens) fed.
Requests = list[tuple[float, int, int]]
Steps = list[tuple[int, tuple[tuple[int, int], ...]]]
TABLES: list[tuple[Policy, Requests, int, Steps]] = [
    # vLLM V1: 16 of budget. Step 1 feeds 10 and 6 of 20; step 2 writes one and feeds 14: the second prompt is done.
    (VllmV1(), [(0, 10, 3), (0, 20, 2)], 16, [(0, ((0, 10), (1, 6))), (1, ((1, 14),)), (2, ())]),
    # At most 4 tokens of one prompt in a step.
    (VllmV1(long_prefill_token_threshold=4), [(0, 10, 1), (0, 3, 1)], 16,
     [(0, ((0, 4), (1, 3))), (0, ((0, 4),)), (0, ((0, 2),))]),
    # One prompt in pieces at once: the third would be cut too, and waits.
    (VllmV1(max_num_partial_prefills=1, long_prefill_token_threshold=4), [(0, 6, 1), (0, 6, 1)], 16,
     [(0, ((0, 4),)), (0, ((0, 2), (1, 4))), (0, ((1, 2),))]),
    # vLLM V0: the second prompt does not fit whole into 16 after the first; it is read before anybody writes.
    (VllmV0(), [(0, 10, 3), (0, 12, 2)], 16, [(0, ((0, 10),)), (0, ((1, 12),)), (2, ()), (1, ())]),
    # SGLang: prompts in passes of their own, cut at the budget.
    (Sglang(), [(0, 10, 3), (0, 12, 2)], 16,
     [(0, ((0, 10), (1, 6))), (0, ((1, 6),)), (2, ()), (1, ())]),
    # TGI: one request runs, one waits from step 2 on: 1 of 1 is above 0.3, so its prompt stops the writing.
    (Tgi(), [(0, 8, 4), (1, 8, 2)], 16, [(0, ((0, 8),)), (0, ((1, 8),)), (2, ()), (1, ()), (1, ())]),
    # With a ratio of 2, one waiting is too few for one running: after two steps of writing it is taken.
    (Tgi(waiting_served_ratio=2, max_waiting_tokens=2), [(0, 8, 4), (1, 8, 2)], 16,
     [(0, ((0, 8),)), (1, ()), (1, ()), (0, ((1, 8),)), (2, ())]),
    # TensorRT-LLM: without chunks, the second prompt waits for a step that has room for all of it.
    (TensorrtLlm(), [(0, 10, 2), (0, 12, 1)], 16, [(0, ((0, 10),)), (1, ((1, 12),))]),
    (TensorrtLlm(chunked_context=True), [(0, 10, 2), (0, 12, 1)], 16,
     [(0, ((0, 10), (1, 6))), (1, ((1, 6),))]),
    # llama-server: those that write and prompts share a batch; without continuous batching prompts wait.
    (LlamaServer(), [(0, 8, 3), (1, 8, 1)], 16, [(0, ((0, 8),)), (1, ((1, 8),)), (1, ())]),
    (LlamaServer(continuous=False), [(0, 8, 3), (1, 8, 1)], 16,
     [(0, ((0, 8),)), (1, ()), (1, ()), (0, ((1, 8),))]),
    (policy_named("sarathi"), [(0, 600, 2), (0, 100, 1)], 2048,
     [(0, ((0, 512),)), (0, ((0, 88), (1, 100))), (1, ())]),
    (policy_named("static"), [(0, 8, 3), (1, 8, 1)], 16, [(0, ((0, 8),)), (1, ()), (1, ()), (0, ((1, 8),))]),
    (policy_named("prefill-first"), [(0, 20, 3), (1, 8, 1)], 16,
     [(0, ((0, 16),)), (0, ((0, 4), (1, 8))), (1, ()), (1, ())]),
]  # fmt: skip


@pytest.mark.parametrize(("policy", "requests", "budget", "expected"), TABLES)
def test_steps_are_those_worked_out_by_hand(policy: Policy, requests: Requests, budget: int, expected: Steps) -> None:
    assert table(requests, policy=policy, budget=budget) == expected


def test_promised_room_holds_up_a_request_that_would_fit_now() -> None:
    # Four blocks of 16. Each takes one now and three at most (16 + 33 - 1 rows).
    requests = [(0.0, 16, 33), (0.0, 16, 33)]
    for policy in (TensorrtLlm(), LlamaServer(), Tgi()):
        (_, first_ends, _), (second_starts, _, evictions) = steps(requests, policy=policy, blocks=4)
        assert second_starts == first_ends + 1
        assert evictions == 0
    # vLLM admits it, and evicts it when the first one needs the block.
    assert steps(requests, policy=VllmV1(), blocks=4)[1][2] == 1


def test_sglang_expects_answers_to_need_less_with_time_and_retracts_the_shortest() -> None:
    # Nine blocks, 144 rows. After a token the first holds two blocks and counts 0.7 of 59 more: 112 - 41 = 71 rows are
    # left for the second, which asks for 16 + 60 = 76. It waits until the ratio has fallen and less is to be written.
    (first, _, _), (second, _, _) = steps([(0, 16, 61), (0, 16, 60)], policy=Sglang(), blocks=9)
    assert first == 1
    assert 2 < second < 60
    # At once where its own conservativeness is nothing.
    assert steps([(0, 16, 61), (0, 16, 60)], policy=Sglang(conservativeness=0.0), blocks=10)[1][0] == 1


def test_equal_beginnings_are_read_once() -> None:
    """Three requests begin with the same 32 tokens, named 1 and 2, in blocks of 16."""
    load = [Request(number=n, arrive_s=float(n), prompt_tokens=40, output_tokens=2, beginning=(1, 2)) for n in range(3)]
    assert table(load, budget=64) == [
        (0, ((0, 40),)), (1, ((1, 8),)), (1, ((2, 8),)), (1, ()),
    ]  # fmt: skip


def test_a_beginning_is_shared_in_memory_and_forgotten_when_its_room_is_needed() -> None:
    # Two requests at once need 3 + 3 blocks; two are shared, so four are enough. The second is admitted a step later,
    # when the first one's pieces have their names.
    both = [Request(number=n, arrive_s=0.0, prompt_tokens=40, output_tokens=8, beginning=(1, 2)) for n in range(2)]
    assert [each[0] for each in steps(both, blocks=4, budget=64)] == [1, 2]
    # A stranger of four blocks takes the room of the first beginning's tail: one piece of two is found later.
    load = [
        Request(number=0, arrive_s=0.0, prompt_tokens=40, output_tokens=2, beginning=(1, 2)),
        Request(number=1, arrive_s=5.0, prompt_tokens=60, output_tokens=2),
        Request(number=2, arrive_s=10.0, prompt_tokens=40, output_tokens=2, beginning=(1, 2)),
    ]
    fed = [feed for _, feed in table(load, budget=64, blocks=5) if feed]
    assert fed == [((0, 40),), ((1, 60),), ((2, 24),)]
    assert [feed for _, feed in table(load, budget=64, blocks=5, keeps_rows=False) if feed][-1] == ((2, 40),)
