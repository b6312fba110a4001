"""Are the tables of llama-batched-bench and sweep-bench read right?"""

from pysim.doctor.find import read
from tests.pysim.doctor.samples import sample


def test_batched_bench_gives_the_speed_of_all_and_of_one() -> None:
    one, four = read(sample("llama_batched_bench.txt")).runs
    assert (one.sequences, one.prefill_tokens_per_s, one.decode_tokens_per_s) == (1, 2000, 50)
    # 4 × 128 tokens in 3.2 s are 160 a second, 40 for each.
    assert (four.sequences, four.decode_total_tokens_per_s, four.decode_tokens_per_s) == (4, 160, 40)
    assert (four.prefill_s, four.decode_s, four.total_s, four.combined_tokens_per_s) == (1.0, 3.2, 4.2, 609.52)
    assert (four.prompt_tokens, four.output_tokens, four.depth_tokens) == (512, 128, 0)
    setup = four.setup
    assert (setup.context_tokens, setup.micro_batch_tokens, setup.layers_on_device) == (8192, 512, 99)
    assert setup.flash_attention is True


def test_sweep_bench_counts_what_is_in_the_cache_before() -> None:
    start, later = read(sample("llama_sweep_bench.txt")).runs
    assert (start.tool, start.engine) == ("llama-sweep-bench", "ik_llama.cpp")
    assert (start.depth_tokens, later.depth_tokens) == (0, 512)
    assert (later.prefill_tokens_per_s, later.decode_tokens_per_s) == (256, 12.8)


def test_json_lines_of_both_tools_are_told_apart() -> None:
    batched, sweep = read(sample("llama_batched_bench.jsonl")).runs
    # 250 a second for 8 sequences are 31.25 for each.
    assert (batched.tool, batched.sequences, batched.decode_tokens_per_s) == ("llama-batched-bench", 8, 31.25)
    assert batched.doubts == ("all sequences share one prompt, which was read once",)
    assert (sweep.tool, sweep.depth_tokens, sweep.decode_tokens_per_s) == ("llama-sweep-bench", 1024, 12.8)


def test_a_row_cut_in_half_gives_the_phase_that_is_there() -> None:
    text = sample("llama_batched_bench.txt").rstrip("\n")
    reading = read(text[: text.rindex("3.200") + 3])
    whole, cut = reading.runs
    assert whole.decode_tokens_per_s == 50
    assert (cut.prefill_tokens_per_s, cut.decode_tokens_per_s, cut.decode_s) == (2048, None, None)
    assert [gap.line for gap in reading.gaps] == [6]
