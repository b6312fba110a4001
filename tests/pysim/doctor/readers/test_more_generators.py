"""Are the figures of GuideLLM, EvalScope, LLMPerf, vLLM's progress bar and of its first blocks read right?"""

import pytest

from pysim.doctor.find import read
from pysim.doctor.read.run import Run
from tests.pysim.doctor.samples import sample


def runs(name: str) -> tuple[Run, ...]:
    """All that all readers together find: none may claim another's form."""
    reading = read(sample(name))
    assert reading.gaps == ()
    return reading.runs


def means_s(run: Run) -> tuple[float | None, ...]:
    return tuple(None if latency is None else latency.mean_s for latency in (run.ttft, run.tpot, run.end_to_end))


def test_the_last_state_of_each_bar_counts_and_its_pace_gives_the_time() -> None:
    many, one = runs("vllm_progress.txt")
    # 40 prompts at 4 a second; 2,000 and 500 tokens a second over those 10 s.
    assert (many.requests, many.total_s, many.prompt_tokens, many.output_tokens) == (40, 10, 500, 125)
    assert (many.kind, many.setup.model, many.sequences) == ("combined", "Qwen/Qwen3-8B", None)
    # One prompt in 5 s with 12 and 40 tokens a second.
    assert (one.total_s, one.prompt_tokens, one.output_tokens, one.sequences) == (5, 60, 200, 1)
    assert (one.total_prefill_tokens_per_s, one.decode_total_tokens_per_s) == (12, 40)


def test_a_bar_that_was_still_running_is_said_to_be() -> None:
    whole = sample("vllm_progress.txt").splitlines()
    reading = read("\n".join(whole[:3]))
    assert [run.requests for run in reading.runs] == [20]
    assert "20 of 40" in reading.gaps[0].message


def test_evalscopes_table_is_no_block_of_vllm() -> None:
    (run,) = runs("evalscope.txt")
    assert (run.tool, run.engine, run.setup.model) == ("evalscope perf", None, "Qwen2.5-7B-Instruct")
    assert (run.requests, run.concurrency_limit, run.total_s, run.prompt_tokens, run.output_tokens) == (
        60, 4, 30, 800, 101,
    )  # fmt: skip
    assert means_s(run) == (0.1, 0.02, 2.1)
    assert (run.decode_tokens_per_s, run.decode_total_tokens_per_s, run.total_prefill_tokens_per_s) == (50, 202, 1600)


def test_evalscopes_first_time_per_token_is_replaced_by_what_follows_from_the_others() -> None:
    (run,) = runs("evalscope_2024.txt")
    # (4 - 1) s for the 100 tokens after the first, not the 0.5 ms that were printed.
    assert means_s(run) == pytest.approx((1.0, 0.03, 4.0))
    assert "ignored" in run.doubts[0]


def test_guidellms_latency_of_requests_is_in_seconds_whatever_its_heading_says() -> None:
    alone, load = runs("guidellm.txt")
    # 50 ms and 100 times 20 ms.
    assert means_s(alone) == pytest.approx((0.05, 0.02, 2.05))
    assert (alone.label, alone.requests, alone.prompt_tokens, alone.output_tokens, alone.sequences) == (
        "synchronous", 30, 512, 101, 1,
    )  # fmt: skip
    assert (load.sequences, load.decode_total_tokens_per_s, load.total_prefill_tokens_per_s) == (12, 303, 1536)


def test_llmperfs_time_between_tokens_has_the_first_one_in_it_and_is_not_used() -> None:
    (run,) = runs("llmperf.txt")
    assert (run.setup.model, run.requests, run.prompt_tokens, run.output_tokens) == (
        "meta-llama/Llama-2-7b-chat-hf", 20, 550, 101,
    )  # fmt: skip
    assert means_s(run) == (0.2, None, 2.2)
    assert run.itl is None


def test_units_behind_the_numbers_are_read_as_those_before_them() -> None:
    (run,) = runs("vllm_serve_2024.txt")
    assert (run.tool, run.requests, run.total_s, run.prompt_tokens, run.output_tokens) == (
        "vllm bench serve", 100, 50, 200, 101,
    )  # fmt: skip
    assert means_s(run)[:2] == (0.25, 0.025)
    assert run.ttft is not None
    assert run.ttft.p99_s == 0.4
    assert (run.request_throughput_per_s, run.decode_total_tokens_per_s) == (2, 202)
