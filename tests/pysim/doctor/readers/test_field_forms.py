"""Are the forms read right that people paste and that a tool's documentation does not show?

All figures are made up; the expected ones are arithmetic on them.
"""

import pytest

from pysim.doctor.case import Case
from pysim.doctor.diagnose import diagnose
from pysim.doctor.find import read
from pysim.doctor.read.run import Run

VLLM = (
    "INFO 05-05 10:00:0{} metrics.py:351] Avg prompt throughput: {} tokens/s, Avg generation throughput: {} tokens/s, "
    "Running: {} reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.1%, CPU KV cache usage: 0.0%."
)


def only(text: str) -> Run:
    (run,) = read(text).runs
    return run


def case_of(text: str) -> Case:
    (case,) = diagnose(text).cases
    return case


def speeds(text: str) -> list[tuple[float | None, float | None]]:
    return [(run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in read(text).runs]


def progress(tokens: int, batch: int, share: float) -> str:
    return (
        f"slot update_slots: id  0 | task 7 | prompt processing progress, n_tokens = {tokens}, "
        f"batch.n_tokens = {batch}, progress = {share:.6f}\n"
    )


TIMES = (
    "slot print_timing: id  0 | task 7 |\n"
    "prompt eval time =    1500.00 ms /  {} tokens (    0.49 ms per token,  2048.00 tokens per second)\n"
    "       eval time =     500.00 ms /    50 tokens (   10.00 ms per token,   100.00 tokens per second)\n"
)


def test_what_a_later_batch_of_a_prompt_keeps_was_not_in_the_cache() -> None:
    kept = "slot update_slots: id  0 | task 7 | n_tokens = 1024, memory_seq_rm [1024, end)\n"
    whole = progress(1024, 1024, 1 / 3) + kept + progress(3072, 2048, 1) + TIMES.format(3072)
    run = only(whole)
    assert (run.prompt_tokens, run.cached_tokens or 0) == (3072, 0)
    # The text begins in the middle of the prompt: what was cached is unknown, unless the total is there.
    run = only(kept + TIMES.format(3072))
    assert (run.prompt_tokens, run.cached_tokens) == (3072, None)
    # 4,096 in all, of which 3,072 were read: the rest was there.
    run = only(kept + progress(4096, 2048, 1) + TIMES.format(3072))
    assert (run.prompt_tokens, run.cached_tokens) == (4096, 1024)


def test_a_window_in_which_a_request_begins_is_no_speed() -> None:
    lines = [VLLM.format(0, 3.0, 0.5, 1), VLLM.format(5, 0.0, 40.0, 1), VLLM.format(6, 0.0, 40.0, 1)]
    decode = case_of("\n".join(lines)).decode
    assert decode is not None
    assert (decode.tokens_per_s, decode.at_least) == (40, False)
    alone = case_of(lines[0])
    assert alone.decode is not None
    assert (alone.decode.tokens_per_s, alone.decode.at_least, alone.tpot_s) == (0.5, True, None)


def test_a_window_at_whose_end_fewer_requests_ran_is_left_out() -> None:
    lines = [VLLM.format(0, 0.0, 80.0, 2), VLLM.format(5, 0.0, 50.0, 1), VLLM.format(6, 0.0, 40.0, 1)]
    decode = case_of("\n".join(lines)).decode
    assert decode is not None
    assert decode.tokens_per_s == 40


def test_two_records_in_one_line_are_two() -> None:
    decode = case_of(VLLM.format(0, 0.0, 20.0, 1) + VLLM.format(5, 0.0, 30.0, 1)).decode
    assert decode is not None
    assert decode.tokens_per_s == 25


def test_a_colon_that_a_shell_escaped_is_no_folder() -> None:
    times = (
        "llama_perf_context_print: prompt eval time = 500.00 ms / 600 tokens (0.83 ms per token)\n"
        "llama_perf_context_print:        eval time = 4000.00 ms / 100 runs (40.00 ms per token)"
    )
    case = case_of("./llama-cli -m llama3.1\\:8b-instruct-q8_0 -ngl 33\n" + times)
    assert case.model is not None
    assert case.weights is not None
    assert (case.model.key, case.weights.key) == ("llama-3.1-8b", "q8_0")


def test_floats_with_all_their_digits_are_whole() -> None:
    text = (
        "prompt eval count:    20 token(s)\nprompt eval duration: 2.0000000000000003s\n"
        "prompt eval rate:     10.000000000000002 tokens/s\neval count:           100 token(s)\n"
        "eval duration:        25.00000000000001s\neval rate:            4.0000000000000005 tokens/s\n"
    )
    run = only(text)
    assert run.prefill_s == pytest.approx(2)
    assert run.decode_s == pytest.approx(25)
    run = only("python -m ktransformers.local_chat --model_path deepseek-ai/DeepSeek-R1\n" + text)
    assert (run.engine, run.setup.model) == ("ktransformers", "deepseek-ai/DeepSeek-R1")


def test_another_programs_block_under_the_same_heading_is_read() -> None:
    text = (
        "============ Serving Benchmark Result ============\nBenchmark Duration (sec): 50.0\n"
        "Number of total requests: 200\nConcurrency: 8\nRequest throughput (req/sec): 4.0\n"
        "Prompt throughput (tokens/second) avg: 1200.0\nGeneration throughput (tokens/second) avg: 400.0\n"
        "End to End Latency (ms) avg: 2000.0\n"
    )
    run = only(text)
    # 1,200 tokens/s for 50 s of 200 requests are 300 each, 400 tokens/s are 100 each.
    assert (run.requests, run.total_s, run.prompt_tokens, run.output_tokens) == (200, 50, 300, 100)
    assert (run.engine, run.sequences, run.decode_total_tokens_per_s) == (None, 8, 400)
    assert run.end_to_end is not None
    assert run.end_to_end.mean_s == 2
    (gap,) = read(text).gaps
    assert "this program's block" in gap.message


def test_an_answers_line_that_a_log_wrapped_is_whole() -> None:
    text = (
        "00:00:01-600105 INFO     Output generated in 10.00 seconds (2.50 tokens/s, 25    \n"
        "                         tokens, context 11, seed 1)\n"
    )
    run = only(text)
    assert (run.combined_tokens_per_s, run.output_tokens, run.prompt_tokens) == (2.5, 25, 11)
    assert read(text).gaps == ()


def test_two_slots_that_write_at_once_are_a_servers_log() -> None:
    line = "slot print_timing: id  {} | task {} | n_gen =    {}, tg =  20.00 t/s, tg_3s =  20.00 t/s\n"
    both = "".join(line.format(slot, 10 + slot, tokens) for tokens in (100, 160) for slot in (0, 1))
    run = only(both)
    assert (run.kind, run.running, run.decode_tokens_per_s, run.decode_total_tokens_per_s) == ("window", 2, 20, 40)
    assert "one alone cannot be told" in run.doubts[0]
    assert only(line.format(0, 10, 100)).kind == "generation"


def test_a_librarys_own_files_are_not_the_publishers_format() -> None:
    text = (
        "ollama run deepseek-r1:671b --verbose\ntotal duration:       60s\nprompt eval count:    1000 token(s)\n"
        "prompt eval duration: 15s\neval count:           700 token(s)\neval duration:        44s\n"
        "eval rate:            15.91 tokens/s\n"
    )
    case = case_of(text)
    assert case.weights is not None
    assert case.weights.candidates == ("q4_k_m", "q4_0")


def test_koboldcpp_of_2023_counted_tokens_beside_its_times() -> None:
    times = "Time Taken - Processing:10.0s, Generation:40.0s, Total:50.0s\n"
    bars = "Processing Prompt [BLAS] (100 / 100 tokens)\nGenerating (80 / 512 tokens)\n"
    for text in (bars + times, times + bars):
        run = only(text)
        assert (run.prompt_tokens, run.output_tokens) == (100, 80)
        assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (10, 2)


def test_koboldcpps_file_of_benchmarks_has_a_run_in_each_row() -> None:
    text = (
        "Timestamp,Backend,Layers,Model,MaxCtx,GenAmount,ProcessingTime,ProcessingSpeed,GenerationTime,GenerationSpeed,"
        "TotalTime,Output,Flags\n"
        "2024-01-01 10:00:00+00:00,koboldcpp_cublas.dll,81,Llama-3-70B-Instruct_q6,8192,100,80.00,100.00,16.00,6.25,"
        "96.00,1111,NoAVX2=False Threads=7, HighPriority=False\n"
        "2024-01-02 10:00:00+00:00,koboldcpp_cublas.dll,99,Llama-3-70B-Instruct_q6,8192,100,40.00,202.30,8.00,12.50,"
        "48.00,1111,NoAVX2=False\n"
    )
    first, second = read(text).runs
    assert (first.prompt_tokens, first.prefill_s, first.output_tokens, first.decode_s) == (8092, 80, 100, 16)
    assert (second.setup.layers_on_device, second.decode_tokens_per_s) == (99, 12.5)
    case = diagnose(text).cases[0]
    assert case.model is not None
    assert case.weights is not None
    assert (case.model.key, case.weights.key) == ("llama-3-70b", "q6_k")


def test_mlcs_benchmark_line_has_times_and_rates() -> None:
    run = only(
        "/data/Llama-2-7b-chat-hf-q4f16_ft/params:  input=16 output=128 prefill_time 0.080 sec, prefill_rate 200.0 "
        "tokens/sec, decode_time 6.400 sec, decode_rate 20.0 tokens/sec\n"
    )
    assert (run.prompt_tokens, run.output_tokens, run.prefill_tokens_per_s, run.decode_tokens_per_s) == (
        16,
        128,
        200,
        20,
    )
    assert (run.setup.model, run.setup.weights) == ("Llama-2-7b-chat-hf-q4f16_ft", "q4f16_1")
    assert speeds("x/params: prefill_rate 590.0 tokens/sec, decode_rate 40.0 tokens/sec") == [(590, 40)]


def test_mlxs_benchmark_joins_its_counts_by_a_word() -> None:
    run = only(
        "Timing with prompt_tokens=2000 and generation_tokens=100.\n"
        "Trial 1:  prompt_tps=1000.000, generation_tps=50.000, peak_memory=3.285\n"
        "Averages: prompt_tps=1000.000, generation_tps=50.000, peak_memory=3.285\n"
    )
    assert (run.prompt_tokens, run.output_tokens, run.doubts) == (2000, 100, ())


def test_trtllms_line_with_a_time_of_writing_gives_both_phases() -> None:
    run = only(
        "[BENCHMARK] model_name llama_13b world_size 2 precision float16 batch_size 1 input_length 700 "
        "output_length 200 gpu_peak_mem(gb) 0.0 tokens_per_sec 44.44 latency(ms) 4500.0 compute_cap sm80 "
        "generation_time(ms) 3900.0 total_generated_tokens 199.0 generation_tokens_per_second 51.03\n"
    )
    # 4,500 - 3,900 ms for 700 tokens.
    assert run.prefill_s == pytest.approx(0.6)
    assert run.prefill_tokens_per_s == pytest.approx(700 / 0.6)
    assert (run.decode_tokens_per_s, run.setup.weights, run.setup.n_devices) == (51.03, "fp16", 2)


def test_a_digest_in_a_programs_store_is_no_models_name() -> None:
    text = (
        "Mistral 7B Q4_K_M\nllama-server -m /ollama/models/blobs/sha256-dd3af152229f92a3d61f -ngl 30\n"
        "eval time = 1000.00 ms / 20 tokens (50.00 ms per token, 20.00 tokens per second)\n"
    )
    run = only(text)
    assert (run.setup.model_file, run.setup.layers_on_device) == (None, 30)
    assert case_of(text).model is not None


def test_weights_trained_for_four_bits_are_stored_so() -> None:
    case = case_of("ollama run gemma3:27b-it-qat --verbose\neval rate:            25.00 tokens/s\n")
    assert case.weights is not None
    assert case.weights.key == "q4_0"
