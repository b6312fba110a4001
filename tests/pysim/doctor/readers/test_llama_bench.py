"""Is llama-bench read right in each of its forms?"""

import pytest

from pysim.doctor.find import read
from pysim.doctor.read.llama_cpp.bench_row import Work, split_model, work_of
from pysim.doctor.read.run import Run
from tests.pysim.doctor.samples import sample

GIB = 1024**3


def speeds(name: str) -> list[tuple[str, float | None, float | None, float | None]]:
    return [
        (run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s, run.combined_tokens_per_s)
        for run in read(sample(name)).runs
    ]


def first(name: str) -> Run:
    return read(sample(name)).runs[0]


@pytest.mark.parametrize(
    ("test", "work"),
    [
        ("pp512", Work(read=512, write=0)),
        ("tg 128", Work(read=0, write=128)),
        ("pp512+tg128", Work(read=512, write=128)),
        ("pp2048 @ d4096", Work(read=2048, write=0, depth=4096)),
        ("tg32@d16384", Work(read=0, write=32, depth=16384)),
        ("tg64@pp256", Work(read=0, write=64, depth=256)),
        ("pp", None),
        ("512", None),
        ("tg128 @ d", None),
    ],
)
def test_a_tests_name_says_what_it_reads_and_writes(test: str, work: Work | None) -> None:
    assert work_of(test) == work


@pytest.mark.parametrize(
    ("model", "name", "weights"),
    [
        ("llama 7B mostly Q4_0", "llama 7B", "Q4_0"),
        ("llama 8B Q4_K - Medium", "llama 8B", "Q4_K - Medium"),
        ("gpt-oss 20B MXFP4 MoE", "gpt-oss 20B", "MXFP4"),
        ("qwen3moe ?B IQ4_XS_R8 - 4.25 bpw", "qwen3moe ?B", "IQ4_XS_R8"),
        ("llama 8B all F32", "llama 8B", "F32"),
        ("gemma3 4B BF16", "gemma3 4B", "BF16"),
        ("llama 8B Q8_0 (guessed)", "llama 8B", "Q8_0"),
        ("something new", "something new", None),
    ],
)
def test_a_model_column_names_model_and_weights(model: str, name: str, weights: str | None) -> None:
    assert split_model(model) == (name, weights)


def test_the_table_of_a_gpu_gives_each_test_its_speed() -> None:
    assert speeds("llama_bench_gpu.txt") == [
        ("pp512", 4210.55, None, None),
        ("tg128", None, 118.40, None),
        ("pp2048 @ d8192", 2890.12, None, None),
        ("tg128 @ d8192", None, 96.75, None),
        ("pp512+tg128", None, None, 541.20),
    ]
    run = first("llama_bench_gpu.txt")
    assert (run.tool, run.engine, run.kind, run.line, run.last_line) == ("llama-bench", "llama.cpp", "prompt", 7, 7)
    assert run.prefill_deviation == 12.30
    setup = run.setup
    assert (setup.model, setup.weights, setup.model_file) == ("llama 8B", "Q4_K - Medium", "Llama-3.1-8B-Q4_K_M.gguf")
    assert setup.weights_bytes == pytest.approx(4.58 * GIB)
    assert setup.parameters == pytest.approx(8.03e9)
    assert (setup.device, setup.n_devices, setup.backend) == ("NVIDIA GeForce RTX 3090", 2, "CUDA")
    assert (setup.kv_keys, setup.kv_values, setup.flash_attention) == ("q8_0", "q8_0", True)
    assert (setup.layers_on_device, setup.engine_version) == (99, "1a2b3c4d (6001)")


def test_the_table_of_2023_has_a_space_in_its_tests_names() -> None:
    assert speeds("llama_bench_2023.txt") == [("pp512", 41.30, None, None), ("tg128", None, 11.85, None)]
    setup = first("llama_bench_2023.txt").setup
    assert (setup.weights, setup.backend, setup.threads) == ("Q4_0", "CPU", 8)
    # A column that is not there has its default: the cache in f16.
    assert (setup.kv_keys, setup.kv_values) == ("f16", "f16")


def test_the_forks_table_takes_what_is_on_the_host_from_the_command() -> None:
    prompt, generation = read(sample("llama_bench_ik.txt")).runs
    assert (prompt.engine, prompt.setup.tensors_on_host, prompt.setup.threads) == ("ik_llama.cpp", "exps=CPU", 12)
    assert (generation.depth_tokens, generation.output_tokens, generation.decode_tokens_per_s) == (256, 64, 31.75)


def test_offloaded_experts_and_a_cache_on_the_host_are_seen() -> None:
    run = first("llama_bench_offload.txt")
    assert run.setup.tensors_on_host == "blk.*exps=CPU;the cache, -nkvo;n_cpu_moe=20"
    assert run.setup.device == "AMD Radeon RX 6800 (RADV NAVI21)"
    assert run.setup.micro_batch_tokens == 1024
    assert run.doubts == ("the KV cache was kept in host memory",)


def test_csv_gives_times_files_and_several_devices() -> None:
    prompt, generation = read(sample("llama_bench.csv")).runs
    # 512 tokens in 128,000,000 ns are 4000 a second; 128 in 2,560,000,000 ns are 50.
    assert (prompt.prefill_s, prompt.prefill_tokens_per_s, prompt.prefill_deviation) == (0.128, 4000, 20)
    assert (generation.decode_s, generation.decode_tokens_per_s, generation.depth_tokens) == (2.56, 50, 4096)
    assert (prompt.setup.device, prompt.setup.n_devices) == ("NVIDIA GeForce RTX 4090", 2)
    assert (prompt.setup.model, prompt.setup.model_file) == ("qwen2 14B", "Qwen2.5-14B-Q8_0.gguf")
    assert prompt.setup.weights_bytes == 15_696_000_000


def test_csv_of_2023_that_prints_a_value_more_than_it_names_is_counted_from_the_right() -> None:
    names = "build_commit,build_number,cuda,metal,blas,cpu_info,gpu_info,model_filename,model_type,model_size,"
    names += "model_n_params,n_batch,n_threads,f16_kv,n_gpu_layers,main_gpu,n_prompt,n_gen,test_time,avg_ns,stddev_ns,"
    values = '"abc1234","1275","1","0","0","1","Some CPU","Some GPU","m/a.gguf","llama 7B mostly Q4_0","3825065984",'
    values += '"6738415616","512","16","1","99","0","512","0","2023-09-23T12:09:01Z","256000000","700000",'
    (run,) = read(f'{names}avg_ts,stddev_ts\n{values}"2000.000000","8.300000"').runs
    assert (run.prefill_tokens_per_s, run.prefill_s, run.prompt_tokens) == (2000, 0.256, 512)
    assert (run.setup.device, run.setup.threads, run.setup.layers_on_device) == ("Some GPU", 16, 99)


def test_json_gives_the_number_of_repeats_and_the_lines_of_each_object() -> None:
    prompt, generation = read(sample("llama_bench.json")).runs
    assert (prompt.line, prompt.last_line, generation.line, generation.last_line) == (2, 28, 29, 55)
    assert (prompt.repeats, prompt.prefill_tokens_per_s) == (3, 500)
    # 128 tokens in 4 s.
    assert (generation.decode_s, generation.decode_tokens_per_s, generation.decode_deviation) == (4, 32, 0.32)
    assert (prompt.setup.device, prompt.setup.flash_attention) == ("Apple M2 Max", False)


def test_json_lines_of_a_cpu_name_the_cpu_and_keep_both_phases_together_where_the_test_does() -> None:
    combined, generation = read(sample("llama_bench.jsonl")).runs
    # (256 + 64) tokens in 6.4 s.
    assert (combined.kind, combined.combined_tokens_per_s, combined.total_s) == ("combined", 50, 6.4)
    assert (combined.prefill_tokens_per_s, combined.decode_tokens_per_s) == (None, None)
    assert (generation.depth_tokens, generation.decode_tokens_per_s) == (1024, 12.5)
    assert (generation.setup.device, generation.setup.backend) == ("Intel(R) Xeon(R) Gold 6338", "CPU")


def test_sql_inserts_are_read_with_quotes_and_commas_in_their_values() -> None:
    prompt, generation = read(sample("llama_bench.sql")).runs
    assert (prompt.prefill_tokens_per_s, generation.decode_tokens_per_s) == (400, 20)
    assert (prompt.setup.device, prompt.setup.model, prompt.setup.weights) == ("Tesla P40", "llama 13B", "Q4_0")


def test_rows_whose_heading_is_lost_give_their_speeds_and_say_what_is_unknown() -> None:
    rows = "\n".join(sample("llama_bench_gpu.txt").split("\n")[6:8])
    reading = read(rows)
    assert [(run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in reading.runs] == [
        (4210.55, None),
        (None, 118.40),
    ]
    setup = reading.runs[0].setup
    assert (setup.model, setup.backend, setup.flash_attention) == ("llama 8B", "CUDA", None)
    assert setup.weights_bytes == pytest.approx(4.58 * GIB)
    assert [gap.line for gap in reading.gaps] == [1, 2]


def test_a_table_without_outer_bars_is_read() -> None:
    text = "model | size | params | backend | ngl | test | t/s\n--- | --- | --- | --- | --- | --- | ---\n"
    (run,) = read(text + "llama 7B Q4_0 | 3.56 GiB | 6.74 B | Metal | 99 | tg128 | 60.10 ± 0.05").runs
    assert (run.decode_tokens_per_s, run.setup.model, run.setup.backend) == (60.10, "llama 7B", "Metal")


def test_the_last_row_cut_before_its_speed_is_a_gap_not_a_run() -> None:
    whole = sample("llama_bench_2023.txt").split("\n")
    reading = read("\n".join([*whole[:3], whole[3][:100]]))
    assert [run.label for run in reading.runs] == ["pp512"]
    assert [gap.line for gap in reading.gaps] == [4]


def test_a_sign_that_a_wrong_code_page_spoiled_still_parts_mean_and_deviation() -> None:
    run = read(sample("llama_bench_2023.txt").replace("±", "┬▒")).runs[0]
    assert (run.prefill_tokens_per_s, run.prefill_deviation) == (41.30, 0.52)


def test_a_table_wrapped_by_a_narrow_terminal_reads_the_same() -> None:
    whole = sample("llama_bench_gpu.txt")
    lines = whole.split("\n")
    wrapped = [line[at : at + 80] for line in lines for at in range(0, max(len(line), 1), 80)]
    figures = [(run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in read("\n".join(wrapped)).runs]
    assert figures == [(run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in read(whole).runs]


def test_a_table_that_somebody_made_shorter_is_read_and_says_nothing_of_what_it_leaves_out() -> None:
    text = "| Model | Test | t/s |\n|---|---|---|\n| Qwen3 8B Q4_K_M | pp512 | 1,234.5 ± 3.2 |\n"
    (run,) = read(text + "\nDevice | test | t/s\n").runs
    assert (run.prefill_tokens_per_s, run.setup.model, run.setup.weights) == (1234.5, "Qwen3 8B", "Q4_K_M")
    assert run.setup.kv_keys is None


def test_a_line_between_two_rows_does_not_part_the_table() -> None:
    lines = sample("llama_bench_gpu.txt").split("\n")
    runs = read("\n".join([*lines[:7], "llama-bench: benchmark 2/5: starting", *lines[7:]])).runs
    assert [run.setup.flash_attention for run in runs] == [True] * 5
