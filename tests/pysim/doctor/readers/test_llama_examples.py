"""Are llama.cpp's example programs, its counters and its web page read right?"""

from pysim.doctor.find import read
from tests.pysim.doctor.samples import sample


def test_encoded_and_decoded_lines_are_the_two_phases() -> None:
    speculative, simple = read(sample("llama_speculative.txt")).runs
    assert (speculative.kind, speculative.line, speculative.last_line) == ("request", 1, 2)
    # 50 tokens in 0.25 s, 120 in 3 s.
    assert (speculative.prompt_tokens, speculative.prefill_tokens_per_s) == (50, 200)
    assert (speculative.output_tokens, speculative.decode_tokens_per_s) == (120, 40)
    assert speculative.doubts == ("speculative decoding: 90 of 160 drafted tokens were accepted",)
    # 32 tokens in 0.64 s.
    assert (simple.kind, simple.decode_s, simple.decode_tokens_per_s) == ("generation", 0.64, 50)


def test_speeds_over_the_whole_time_of_many_clients_are_no_phases() -> None:
    (run,) = read(sample("llama_parallel.txt")).runs
    # 6000 tokens at 300 a second are 20 s.
    assert (run.kind, run.total_s, run.decode_total_tokens_per_s) == ("service", 20, 300)
    assert (run.total_prefill_tokens_per_s, run.prefill_tokens_per_s, run.decode_tokens_per_s) == (200, None, None)


def test_counters_since_the_start_give_mean_speeds() -> None:
    (run,) = read(sample("llama_metrics.txt")).runs
    # 10,000 tokens in 12.5 s, 3000 in 75 s.
    assert (run.kind, run.prefill_tokens_per_s, run.decode_tokens_per_s) == ("window", 800, 40)
    assert (run.running, run.waiting) == (2, 1)
    assert len(run.doubts) == 1


def test_the_web_pages_box_gives_both_phases() -> None:
    (run,) = read(sample("llama_webui.txt")).runs
    assert (run.prompt_tokens, run.prefill_s, run.prefill_tokens_per_s) == (33, 0.3, 110)
    assert (run.output_tokens, run.decode_s, run.decode_tokens_per_s) == (210, 3.5, 60)


def test_a_table_turned_by_hand_has_a_column_for_each_test() -> None:
    runs = read(sample("llama_bench_turned.txt")).runs
    assert [(run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in runs] == [
        ("pp512", 3205.11, None),
        ("tg128", None, 101.25),
        ("pp512", 3350.40, None),
        ("tg128", None, 64.90),
    ]
    assert [run.setup.weights for run in runs] == ["Q4_K - Medium", "Q4_K - Medium", "Q8_0", "Q8_0"]


def test_a_number_beside_a_test_is_no_speed_unless_its_heading_says_so() -> None:
    head = "| model | test | repeats | t/s |\n|---|---|---|---|\n"
    (run,) = read(head + "| llama 8B Q4_0 | tg128 | 5 | 61.50 ± 0.10 |\n").runs
    assert run.decode_tokens_per_s == 61.50
    assert read("| model | test | seconds |\n|---|---|---|\n| llama 8B Q4_0 | tg128 | 2.08 |\n").runs == ()
