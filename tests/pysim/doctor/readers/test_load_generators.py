"""Are the figures of load generators read right, and their waiting told from reading?"""

import pytest

from pysim.doctor.read.run import Run
from pysim.doctor.read.text import clean
from pysim.doctor.readers import (
    genai_perf,
    llama_benchy,
    lmdeploy,
    mlperf,
    sglang_serving,
    tgi,
    trtllm,
    trtllm_old,
    vllm_offline,
    vllm_serve,
)
from tests.pysim.doctor.samples import sample


def _mean_s(run: Run) -> tuple[float | None, ...]:
    return tuple(
        None if latency is None else latency.mean_s for latency in (run.ttft, run.tpot, run.itl, run.end_to_end)
    )


def test_vllms_block_gives_means_per_request_and_latencies_in_seconds() -> None:
    (run,) = vllm_serve.read(clean(sample("vllm_serve.txt"))).runs
    assert (run.kind, run.engine, run.setup.model) == ("service", "vllm", "Qwen/Qwen3-8B")
    # 204,800 / 200 and 25,600 / 200
    assert (run.prompt_tokens, run.output_tokens) == (1024, 128)
    assert (run.requests, run.failed_requests, run.concurrency_limit, run.total_s) == (200, 4, 8, 100.0)
    assert (run.request_throughput_per_s, run.decode_total_tokens_per_s, run.combined_tokens_per_s) == (2, 256, 2304)
    # 204,800 tokens in 100 s; 1 / 25 ms
    assert (run.total_prefill_tokens_per_s, run.decode_tokens_per_s) == pytest.approx((2048, 40))
    assert _mean_s(run) == pytest.approx((0.5, 0.025, 0.0251, 3.675))
    assert run.ttft is not None
    assert (run.ttft.p90_s, run.ttft.p99_s) == pytest.approx((0.6, 1.20025))
    assert run.doubts == ("4 requests failed; no figure counts them",)


def test_a_queue_before_the_first_token_is_seen_by_littles_law() -> None:
    """20 requests/s x 5 s = 100 requests before their first token at the same time."""
    text = sample("vllm_serve.txt").replace("2.00      ", "20.00     ").replace("500.00    ", "5000.00   ")
    (run,) = vllm_serve.read(clean(text)).runs
    assert any("on average 100 requests at a time were waiting for their first token" in doubt for doubt in run.doubts)


def test_answers_that_were_not_streamed_are_seen() -> None:
    text = sample("vllm_serve.txt").replace(
        "Mean TTFT (ms):                          500.00 ", "Mean TTFT (ms): 3674.0 "
    )
    (run,) = vllm_serve.read(clean(text)).runs
    assert any("not streamed" in doubt for doubt in run.doubts)


@pytest.mark.parametrize(
    ("before", "engine"),
    [
        ("$ vllm bench serve --backend sglang --model Qwen/Qwen3-8B", "sglang"),
        ("$ vllm bench serve --backend openai-chat --model Qwen/Qwen3-8B", "vllm"),
        ("Namespace(backend='tensorrt-llm', model='Qwen/Qwen3-8B')", "tensorrt-llm"),
    ],
)
def test_the_command_above_a_block_says_which_engine_answered(before: str, engine: str) -> None:
    text = sample("vllm_serve.txt").split("\n", 1)[1]
    (run,) = vllm_serve.read(clean(f"{before}\n{text}")).runs
    assert (run.engine, run.setup.model) == (engine, "Qwen/Qwen3-8B")


def test_the_copy_of_vllms_program_that_counts_all_requests_may_be_of_any_engine() -> None:
    text = sample("vllm_serve.txt").split("\n", 1)[1].replace("Successful", "Total requests:     204\nSuccessful")
    (run,) = vllm_serve.read(clean(text)).runs
    assert run.engine is None


def test_vllms_saved_result_says_the_same_fields() -> None:
    """3.75/s x 4 s = 15 requests before their first token; 64 - 60 failed."""
    (run,) = vllm_serve.read(clean(sample("vllm_serve.json"))).runs
    assert (run.setup.model, run.engine) == ("meta-llama/Llama-3.1-8B-Instruct", "vllm")
    assert (run.requests, run.failed_requests, run.prompt_tokens, run.output_tokens) == (60, 4, 1024, 128)
    assert _mean_s(run)[:3] == pytest.approx((4.0, 0.04, 0.04))
    assert run.tpot is not None
    assert run.tpot.deviation_s == pytest.approx(0.004)
    assert "on average 15 requests" in run.doubts[0]


def test_a_block_with_a_backend_is_sglangs_and_not_vllms() -> None:
    text = clean(sample("sglang_serving.txt"))
    assert vllm_serve.read(text).runs == ()
    (run,) = sglang_serving.read(text).runs
    assert (run.tool, run.engine) == ("sglang bench_serving", "sglang")
    assert (run.request_rate_per_s, run.concurrency_limit, run.sequences) == (4.0, 16, 8.2)
    assert (run.prompt_tokens, run.output_tokens, run.total_prefill_tokens_per_s) == (1000, 200, 4000)
    assert _mean_s(run) == pytest.approx((0.06, 0.01, 0.01, 2.05))
    assert run.itl is not None
    assert run.itl.p95_s == pytest.approx(0.011)
    assert run.doubts == ()


def test_sglangs_json_may_hold_bare_infinity_and_nan() -> None:
    (run,) = sglang_serving.read(clean(sample("sglang_serving.jsonl"))).runs
    assert run.request_rate_per_s is None
    assert run.concurrency_limit == 4
    assert (run.engine, run.prompt_tokens, run.output_tokens) == ("sglang", 256, 128)
    assert _mean_s(run) == pytest.approx((0.085, 0.015, 0.0155, 1.99))
    # The mean of 15.5 ms lies above the P99 of 15.2 ms.
    assert any("above its P99" in doubt for doubt in run.doubts)


def test_one_written_token_makes_no_time_per_token() -> None:
    text = sample("sglang_serving.txt").replace("80000     ", "400       ")
    (run,) = sglang_serving.read(clean(text)).runs
    assert any("answers had 1 tokens on average" in doubt for doubt in run.doubts)


@pytest.mark.parametrize("name", ["Median TTFT (ms)", "Mean ITL (ms)", "Total generated tokens"])
def test_a_cut_block_names_what_is_missing(name: str) -> None:
    reading = vllm_serve.read(clean(sample("vllm_serve.txt")[: sample("vllm_serve.txt").index(name)]))
    assert len(reading.runs) == 1
    assert ("the output tokens" in "".join(gap.message for gap in reading.gaps)) == (name == "Total generated tokens")


def test_values_that_a_terminal_put_into_the_next_line_are_found() -> None:
    text = sample("vllm_serve.txt").replace(
        "Mean TTFT (ms):                          500.00", "Mean TTFT (ms):\n500.00"
    )
    assert vllm_serve.read(clean(text)).runs == vllm_serve.read(clean(text)).runs
    assert _mean_s(vllm_serve.read(clean(text)).runs[0])[0] == pytest.approx(0.5)


def test_vllms_offline_tests_time_whole_batches() -> None:
    """128,000 written tokens at 1,280/s take 100 s, 10 requests/s: 1,000 requests of 512 and 128 tokens."""
    (run,) = vllm_offline.read(clean(sample("vllm_throughput.txt"))).runs
    assert (run.kind, run.requests, run.total_s) == ("combined", 1000, 100.0)
    assert (run.prompt_tokens, run.output_tokens, run.combined_tokens_per_s) == (512, 128, 6400)
    (run,) = vllm_offline.read(clean("Throughput: 7.50 requests/s, 3600.00 tokens/s\n")).runs
    assert (run.combined_tokens_per_s, run.decode_total_tokens_per_s) == (3600, None)


def test_vllms_latency_test_takes_its_shape_from_the_command() -> None:
    reading = vllm_offline.read(clean(sample("vllm_latency.txt")))
    (run,) = reading.runs
    assert (run.sequences, run.prompt_tokens, run.output_tokens, run.total_s) == (8, 32, 128, 1.25)
    assert run.end_to_end is not None
    assert (run.end_to_end.median_s, run.end_to_end.p99_s) == (1.24, 1.35)
    assert reading.gaps == ()
    assert "paste the command" in vllm_offline.read(clean("Avg latency: 1.25 seconds\n")).gaps[0].message


def test_a_drawn_tables_names_may_go_on_in_the_next_line() -> None:
    reading = genai_perf.read(clean(sample("genai_perf.txt")))
    (run,) = reading.runs
    assert (run.tool, run.setup.model, run.concurrency_limit, run.requests) == ("genai-perf", "my-llama", 2, 10)
    assert _mean_s(run) == pytest.approx((1.2505, 0.02, 0.02, 3.7905))
    assert run.ttft is not None
    assert (run.ttft.least_s, run.ttft.p99_s) == pytest.approx((1.2, 1.30075))
    assert (run.prompt_tokens, run.output_tokens) == (2048, 128)
    assert (run.decode_tokens_per_s, run.decode_total_tokens_per_s) == (50.0, 67.54)
    assert reading.gaps == ()


def test_genai_perfs_csv_says_the_same_as_its_table() -> None:
    (drawn,) = genai_perf.read(clean(sample("genai_perf.txt"))).runs
    (run,) = genai_perf.read(clean(sample("genai_perf.csv"))).runs
    assert _mean_s(run) == _mean_s(drawn)
    assert (run.prompt_tokens, run.output_tokens, run.requests) == (2048, 128, 10)
    assert run.decode_total_tokens_per_s == 67.54


def test_aiperfs_names_may_take_four_lines() -> None:
    (run,) = genai_perf.read(clean(sample("aiperf.txt"))).runs
    assert (run.tool, run.concurrency_limit, run.requests) == ("aiperf", 4, 40)
    assert _mean_s(run) == pytest.approx((0.04, 0.004, 0.004, 1.036))
    assert (run.prompt_tokens, run.output_tokens) == (550, 250)
    assert (run.decode_tokens_per_s, run.decode_total_tokens_per_s, run.request_throughput_per_s) == (250, 960, 3.84)


def test_aiperfs_json_is_read() -> None:
    (run,) = genai_perf.read(clean(sample("aiperf.json"))).runs
    assert (run.tool, run.setup.model, run.requests) == ("aiperf", "Qwen/Qwen3-0.6B", 10)
    assert _mean_s(run) == pytest.approx((0.02, 0.004, 0.004, 0.816))
    assert run.ttft is not None
    assert run.ttft.deviation_s == pytest.approx(0.012)


def test_trtllm_bench_says_what_ran_and_how_fast() -> None:
    reading = trtllm.read(clean(sample("trtllm_bench.txt")))
    (run,) = reading.runs
    known = run.setup
    assert (known.model, known.weights, known.kv_keys) == ("meta-llama/Llama-3.1-8B-Instruct", "FP8", "FP8")
    assert (known.device, known.n_devices, known.slots, known.batch_tokens) == ("NVIDIA H100 80GB HBM3", 2, 256, 8192)
    assert (run.requests, run.sequences, run.prompt_tokens, run.output_tokens) == (100, 7.5, 1000, 200)
    assert (run.total_s, run.total_prefill_tokens_per_s) == (20.0, 5000.0)
    assert _mean_s(run) == pytest.approx((0.505, 0.005, None, 1.5))
    assert run.ttft is not None
    assert (run.ttft.median_s, run.ttft.p99_s) == pytest.approx((0.5, 0.9))
    # 5 requests/s x 0.505 s = 2.5 before their first token: no queue
    assert run.doubts == ()
    assert reading.gaps == ()


def test_trtllm_bench_latency_has_headings_of_its_own() -> None:
    (run,) = trtllm.read(clean(sample("trtllm_latency.txt"))).runs
    assert (run.requests, run.prompt_tokens, run.output_tokens, run.total_s) == (100, 128, 256, 200)
    assert _mean_s(run)[:2] == pytest.approx((0.02, 0.0075))
    assert run.decode_total_tokens_per_s == 128


def test_genai_perfs_first_version_counts_in_nanoseconds() -> None:
    (run,) = genai_perf.read(clean(sample("genai_perf_first.txt"))).runs
    assert _mean_s(run) == pytest.approx((0.02, 0.004, 0.004, 0.816))
    assert (run.prompt_tokens, run.output_tokens) == (550, 200)
    assert (run.decode_total_tokens_per_s, run.request_throughput_per_s) == (245, 1.23)


def test_trtllms_overview_alone_gives_the_lengths_by_division() -> None:
    """(6000 - 1000) / 5 = 1000 read, 1000 / 5 = 200 written per request; 5/s x 20 s = 100 requests."""
    (run,) = trtllm.read(
        clean(sample("trtllm_bench.txt")[sample("trtllm_bench.txt").index("= PERFORMANCE OVERVIEW") :])
    ).runs
    assert (run.prompt_tokens, run.output_tokens, run.requests) == (1000, 200, 100)


def test_trtllms_older_programs_are_read() -> None:
    (run,) = trtllm_old.read(clean(sample("trtllm_manager.txt"))).runs
    assert (run.requests, run.failed_requests, run.total_s) == (200, None, 100.0)
    assert _mean_s(run) == pytest.approx((0.52, 0.02, None, 4.5))
    (run,) = trtllm_old.read(clean(sample("trtllm_one_line.txt"))).runs
    assert (run.setup.model, run.sequences, run.prompt_tokens, run.output_tokens) == ("llama_7b", 8, 128, 256)
    assert (run.total_s, run.combined_tokens_per_s, run.kind) == (3.2, 640.0, "combined")


def test_mlperfs_nanoseconds_become_seconds() -> None:
    (run,) = mlperf.read(clean(sample("mlperf.txt"))).runs
    assert (run.label, run.request_rate_per_s, run.request_throughput_per_s) == ("server", 2.1, 2.0)
    # 600 / 2 tokens per answer
    assert (run.output_tokens, run.decode_total_tokens_per_s) == (300, 600)
    assert _mean_s(run) == pytest.approx((1.0, 0.04, None, 13.0))
    assert run.ttft is not None
    assert (run.ttft.median_s, run.ttft.p99_s) == pytest.approx((0.95, 1.9))


def test_mlperf_offline_has_no_latencies_and_image_models_no_tokens() -> None:
    head = "MLPerf Results Summary\nSUT name : X\nScenario : Offline\nMode     : PerformanceOnly\n"
    reading = mlperf.read(clean(f"{head}Samples per second: 12.50\nTokens per second: 2500.00\nResult is : INVALID\n"))
    assert reading.runs[0].output_tokens == 200
    assert len(reading.runs[0].doubts) == 2
    assert reading.gaps == ()
    reading = mlperf.read(clean(f"{head}Samples per second: 12.50\nResult is : VALID\n"))
    assert reading.runs == ()
    assert "not for a language model" in reading.gaps[0].message


def test_llama_benchys_rows_time_a_server() -> None:
    prompt, alone, five = llama_benchy.read(clean(sample("server_benchy.txt"))).runs
    assert (prompt.kind, prompt.prompt_tokens, prompt.prefill_tokens_per_s, prompt.prefill_s) == (
        "prompt",
        2048,
        4096,
        0.5,
    )
    assert prompt.ttft is not None
    assert prompt.ttft.mean_s == pytest.approx(0.551)
    assert (alone.decode_tokens_per_s, alone.decode_deviation, alone.sequences) == (40, 0.5, 1)
    assert (five.sequences, five.depth_tokens) == (5, 4096)
    assert (five.decode_total_tokens_per_s, five.decode_tokens_per_s) == (150, 30)


def test_tgis_log_gives_the_tokens_by_division() -> None:
    """2 s / 40 ms = 50 tokens, 25 a second with reading in it."""
    (run,) = tgi.read(clean(sample("tgi_log.txt"))).runs
    assert (run.kind, run.output_tokens, run.combined_tokens_per_s) == ("combined", 50, 25)
    assert (run.total_s, run.unaccounted_s) == (2.005, 0.004)


def test_tgis_benchmark_has_both_phases_per_batch() -> None:
    """1000 tokens x 8 / 0.64 s = 12,500/s, where the tool's own rate counts prompts."""
    one, eight = tgi.read(clean(sample("tgi_benchmark.txt"))).runs
    assert (one.prefill_tokens_per_s, one.decode_tokens_per_s) == (10000, 50)
    assert (eight.sequences, eight.prefill_tokens_per_s) == (8, 12500)
    assert (eight.decode_total_tokens_per_s, eight.decode_tokens_per_s, eight.decode_s) == (320, 40, 2.475)
    assert eight.setup.model == "meta-llama/Llama-3.1-8B-Instruct"


def test_lmdeploys_profilers_give_totals_and_the_first_token() -> None:
    """2 requests/s over 100 s are 200, of 1,000 and 200 tokens."""
    (run,) = lmdeploy.read(clean(sample("lmdeploy.txt"))).runs
    assert (run.requests, run.concurrency_limit, run.prompt_tokens, run.output_tokens) == (200, 8, 1000, 200)
    assert run.ttft is not None
    assert (run.ttft.least_s, run.ttft.most_s, run.ttft.mean_s) == (0.05, 0.9, 0.15)
