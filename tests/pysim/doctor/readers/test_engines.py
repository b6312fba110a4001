"""Are the lines that engines print after an answer, and log while they serve, read right?"""

import pytest

from pysim.doctor.read.text import clean
from pysim.doctor.readers import (
    exllama,
    lm_studio,
    mlc,
    mlx,
    openai_usage,
    openvino,
    sglang_batch,
    sglang_log,
    torchchat,
    vllm_log,
)
from tests.pysim.doctor.samples import sample


def test_vllms_windows_hold_averages_and_the_start_says_what_runs() -> None:
    reading = vllm_log.read(clean(sample("vllm_log.txt")))
    first, last = reading.runs
    assert (first.kind, first.total_prefill_tokens_per_s, first.decode_total_tokens_per_s) == ("window", 1024, 400)
    # 400 tokens/s over 8 requests
    assert (first.running, first.waiting, first.decode_tokens_per_s) == (8, 3, 50)
    assert (first.kv_cache_used_share, first.prefix_hit_share) == (0.125, 0.25)
    known = first.setup
    assert (known.model, known.weights, known.n_devices, known.context_tokens) == ("Qwen/Qwen3-8B", "fp8", 2, 8192)
    assert known.weights_bytes == 4.5 * 2**30
    assert known.engine_version == "0.10.1"
    assert (last.running, last.waiting, last.decode_tokens_per_s) == (3, 1, 30)
    assert reading.gaps[0].message == "a window in which the server had nothing to do"


def test_a_window_that_ends_idle_is_no_speed() -> None:
    text = sample("vllm_log.txt").replace("400.0 tokens/s, Running: 8 reqs", "1.6 tokens/s, Running: 0 reqs")
    run = vllm_log.read(clean(text)).runs[0]
    assert run.decode_tokens_per_s is None
    assert "not speeds" in run.doubts[0]


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_log_lines_that_a_terminal_wrapped_are_read_whole(columns: int) -> None:
    line = sample("vllm_log.txt").splitlines()[2]
    start = line.index("Avg prompt")
    pieces = [line[:start]] + [line[at : at + columns] for at in range(start, len(line), columns)]
    (run,) = vllm_log.read(clean("\n".join(pieces))).runs
    assert (run.decode_total_tokens_per_s, run.running, run.prefix_hit_share) == (400, 8, 0.25)


def test_sglangs_batches_say_how_deep_their_sequences_are() -> None:
    prefill, new, old = sglang_log.read(clean(sample("sglang_log.txt"))).runs
    # 768 of 1,024 tokens came from the cache.
    assert (prefill.prompt_tokens, prefill.cached_tokens, prefill.prefix_hit_share) == (1024, 768, 0.75)
    assert prefill.total_prefill_tokens_per_s == 5000
    assert (new.sequences, new.depth_tokens, new.decode_tokens_per_s) == (4, 2000, 80)
    assert (new.setup.model, new.setup.weights, new.setup.context_tokens) == ("Qwen/Qwen3-8B", "fp8", 32768)
    assert (old.decode_total_tokens_per_s, old.decode_tokens_per_s, old.waiting) == (90.5, 45.25, 1)


def test_sglangs_test_of_one_batch_has_both_phases() -> None:
    warm, run = sglang_batch.read(clean(sample("sglang_batch.txt"))).runs
    assert "warm-up" in warm.doubts[0]
    assert (run.sequences, run.prompt_tokens, run.output_tokens) == (8, 1024, 64)
    assert (run.prefill_tokens_per_s, run.prefill_s) == (20000, 0.4096)
    assert (run.decode_total_tokens_per_s, run.decode_tokens_per_s) == (400, 50)
    assert (run.setup.model, run.total_s) == ("Qwen/Qwen2-7B-Instruct", 1.67)


def test_mlx_gives_both_speeds_and_the_peak_of_memory() -> None:
    """4096 / 512 = 8 s; 256 / 32 = 8 s."""
    (run,) = mlx.read(clean(sample("mlx_lm.txt"))).runs
    assert (run.prefill_s, run.decode_s, run.memory_bytes) == (8.0, 8.0, 5.5e9)
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (512, 32)
    assert run.setup.model == "mlx-community/Meta-Llama-3.1-8B-Instruct-4bit"


def test_mlxs_oldest_lines_have_no_counts() -> None:
    (run,) = mlx.read(clean("Prompt: 200.500 tokens-per-sec\nGeneration: 40.250 tokens-per-sec\n")).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.prompt_tokens) == (200.5, 40.25, None)


def test_mlxs_benchmark_counts_all_sequences_of_a_batch() -> None:
    """162 / 4 = 40.5 per sequence; the trials' 160 and 164 deviate by sqrt(8) = 2.83, a quarter of that each."""
    (run,) = mlx.read(clean(sample("mlx_lm_benchmark.txt"))).runs
    assert (run.sequences, run.repeats, run.prompt_tokens, run.output_tokens) == (4, 2, 1024, 512)
    assert (run.decode_total_tokens_per_s, run.decode_tokens_per_s) == (162, 40.5)
    assert run.decode_deviation == pytest.approx(8**0.5 / 4)


def test_lm_studios_first_interface_is_read() -> None:
    """100 / 0.25 s = 400/s read; 60 tokens in 2 s are 30/s, as printed."""
    (run,) = lm_studio.read(clean(sample("lm_studio_v0.json"))).runs
    assert (run.engine, run.setup.backend, run.setup.weights) == ("llama.cpp", "cuda", "Q4_K_M")
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.decode_s) == (400, 30, 2)
    assert run.doubts == ()


def test_figures_of_lm_studio_that_do_not_fit_together_are_named() -> None:
    (run,) = lm_studio.read(clean(sample("lm_studio_v0.json").replace("30.0", "25.0"))).runs
    assert "60 tokens in 2 s would be 30 tokens/s, not 25" in run.doubts[0]


def test_lm_studios_newer_interface_and_its_sdk_are_read() -> None:
    (run,) = lm_studio.read(clean(sample("lm_studio_v1.json"))).runs
    assert (run.prompt_tokens, run.output_tokens, run.load_s) == (800, 120, 2.5)
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (500, 40)
    sdk = '{"stats": {"tokensPerSecond": 40, "timeToFirstTokenSec": 1.6, "promptTokensCount": 800, ' \
          '"predictedTokensCount": 120, "numGpuLayers": 20}}'  # fmt: skip
    (run,) = lm_studio.read(clean(sdk)).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.setup.layers_on_device) == (500, 40, 20)


def test_lm_studios_chat_and_command_line_are_read() -> None:
    (run,) = lm_studio.read(clean(sample("lm_studio_chat.txt"))).runs
    assert (run.decode_tokens_per_s, run.output_tokens, run.prefill_s) == (51.44, 53, 0.11)
    (run,) = lm_studio.read(clean(sample("lm_studio_cli.txt"))).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.output_tokens) == (500, 25, 50)


def test_lm_studios_window_of_2024_and_lines_copied_from_todays_are_read() -> None:
    (run,) = lm_studio.read(clean(sample("lm_studio_window_2024.txt"))).runs
    assert (run.decode_tokens_per_s, run.prefill_s, run.decode_s) == (40, 0.8, 2.5)
    assert run.setup.layers_on_device == 33
    (run,) = lm_studio.read(clean("20.5 tok/sec\n•\n1022 tokens\n•\n0.43s to first token\n")).runs
    assert (run.decode_tokens_per_s, run.output_tokens, run.prefill_s) == (20.5, 1022, 0.43)


def test_tabbyapi_tells_cached_from_read_tokens() -> None:
    """1000 new tokens at 2000/s take 0.5 s; 200 at 40/s take 5 s."""
    (run,) = exllama.read(clean(sample("tabbyapi.txt"))).runs
    assert (run.prompt_tokens, run.cached_tokens, run.prefill_s, run.decode_s) == (1500, 500, 0.5, 5.0)
    assert run.doubts == ()
    (run,) = exllama.read(clean(sample("tabbyapi_old.txt"))).runs
    assert (run.prefill_s, run.unaccounted_s) == (0.5, 0.5)
    assert "cache" in run.doubts[0]
    assert "queue" in run.doubts[1]
    (run,) = exllama.read(clean(sample("exllamav2.txt"))).runs
    assert (run.total_s, run.output_tokens, run.combined_tokens_per_s) == (3.2, 128, 40)


def test_torchchat_tells_the_phases_apart_since_it_prints_the_first_token() -> None:
    (run,) = torchchat.read(clean(sample("torchchat.txt"))).runs
    assert (run.tool, run.kind, run.load_s) == ("torchchat", "request", 12.5)
    assert (run.setup.device, run.setup.backend) == ("NVIDIA H100", "cuda")
    assert (run.prefill_s, run.decode_tokens_per_s, run.total_s) == (0.5, 56.8571, 4)
    assert (run.output_tokens, run.combined_tokens_per_s, run.achieved_bytes_per_s) == (199, 50, 800e9)
    assert "first run" in run.doubts[0]


def test_openvinos_benchmark_is_read() -> None:
    """100 tokens / 0.25 s = 400/s."""
    (run,) = openvino.read(clean(sample("openvino_genai.txt"))).runs
    assert (run.load_s, run.total_s, run.prefill_tokens_per_s) == (1.5, 1.2, 400)
    assert (run.decode_tokens_per_s, run.decode_deviation) == (20, 0.4)
    assert run.ttft is not None
    assert run.ttft.deviation_s == pytest.approx(0.004)
    assert run.doubts == ()
    assert run.untrusted == ()


def test_one_token_of_openvino_is_not_enough_to_judge() -> None:
    text = "Load time: 900.00 ms\nGenerate time: 21.00 ± 1.00 ms\nTTFT: 20.00 ± 0.50 ms\nTPOT: 20.00 ± 0.50 ms\n" \
           "Throughput : 50.00 ± 1.00 tokens/s\n"  # fmt: skip
    (run,) = openvino.read(clean(text)).runs
    assert "TTFT equals TPOT" in run.doubts[0]
    assert "decode_tokens_per_s" in run.untrusted


def test_llm_benchs_average_stands_for_its_iterations() -> None:
    """1024 tokens x 2 sequences / 0.512 s = 4000/s; 50 tokens/s over two sequences."""
    (run,) = openvino.read(clean(sample("llm_bench_average.txt"))).runs
    assert (run.sequences, run.prefill_tokens_per_s) == (2, 4000)
    assert (run.decode_total_tokens_per_s, run.decode_tokens_per_s) == (50, 25)
    warm, run = openvino.read(clean(sample("llm_bench.txt"))).runs
    assert "warm-up" in warm.doubts[0]
    assert (run.prompt_tokens, run.output_tokens, run.prefill_tokens_per_s) == (1024, 128, 2000)
    assert run.decode_tokens_per_s == pytest.approx(25)


def test_llm_bench_of_2024_counts_what_was_written_and_all_of_a_batch() -> None:
    """32 tokens x 2 sequences / 0.32 s = 200/s; 2 tokens per 0.2 s are 10/s, 5 for each sequence."""
    (run,) = openvino.read(clean(sample("llm_bench_batch_2024.txt"))).runs
    assert (run.prompt_tokens, run.sequences, run.prefill_tokens_per_s) == (32, 2, 200)
    assert (run.decode_total_tokens_per_s, run.decode_tokens_per_s) == (10, 5)


def test_llm_benchs_chat_divides_the_first_token_by_the_prompt() -> None:
    """0.5 ms per token x 400 tokens = 0.2 s."""
    text = (
        "[1][C0][P0] First token latency: 0.50 ms/token, other tokens latency: 20.00 ms/token, "
        "len of input tokens: 400 * 1\n"
    )
    (run,) = openvino.read(clean(text)).runs
    assert (run.prefill_s, run.prefill_tokens_per_s) == pytest.approx((0.2, 2000))


def test_llm_benchs_known_fault_is_not_believed() -> None:
    text = (
        "[ INFO ] [Average] P[0] Input token size: 128, 1st token latency: 0.40 ms/16tokens, "
        "2nd token latency: 1900000000.00 ms/16tokens, 2nd tokens throughput: 0.00 tokens/s\n"
    )
    (run,) = openvino.read(clean(text)).runs
    assert "impossible" in run.doubts[0]
    assert "decode_tokens_per_s" in run.untrusted


def test_web_llm_spells_its_line_otherwise() -> None:
    (run,) = mlc.read(clean("prefill: 20.1 tokens/sec, decoding: 12.3 tokens/sec")).runs
    assert (run.tool, run.decode_tokens_per_s) == ("web-llm", 12.3)


def test_an_openai_answer_counts_tokens_and_times_nothing() -> None:
    text = '{"object": "chat.completion", "system_fingerprint": "fp_ollama", ' \
           '"usage": {"prompt_tokens": 24, "completion_tokens": 53}}'  # fmt: skip
    reading = openai_usage.read(clean(text))
    assert reading.runs == ()
    assert "(24 read, 53 written)" in reading.gaps[0].message
    assert "--verbose" in reading.gaps[0].message


def test_a_service_that_adds_its_times_is_read() -> None:
    """500 / 0.05 s = 10,000/s; 300 / 0.6 s = 500/s."""
    usage = '"prompt_tokens": 500, "prompt_time": 0.05, "completion_tokens": 300, "completion_time": 0.6'
    text = f'{{"model": "llama-3.1-8b", "usage": {{"queue_time": 0.02, {usage}, "total_time": 0.65}}}}'
    (run,) = openai_usage.read(clean(text)).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == pytest.approx((10000, 500))
