"""Are KoboldCpp's lines read right?"""

from pysim.doctor.find import read
from tests.pysim.doctor.samples import sample


def test_each_age_of_the_line_under_an_answer_is_read() -> None:
    new, oldest, middle = read(sample("koboldcpp.txt")).runs
    # 345 tokens in the context, 120 of them written; 225 read in 1.5 s.
    assert (new.prompt_tokens, new.output_tokens, new.cached_tokens) == (225, 120, None)
    assert (new.prefill_s, new.prefill_tokens_per_s, new.decode_tokens_per_s) == (1.5, 150, 30)
    assert new.setup.context_tokens == 8192
    # 50 ms a token are 20 a second.
    assert (oldest.decode_s, oldest.decode_tokens_per_s, oldest.output_tokens) == (5, 20, 100)
    # 0.5 s at 5 ms each are 100 tokens read; 723 less 20 written were in the context.
    assert (middle.prompt_tokens, middle.cached_tokens, middle.prefill_tokens_per_s) == (703, 603, 200)


def test_the_benchmarks_results_are_read() -> None:
    (run,) = read(sample("koboldcpp_benchmark.txt")).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.total_s) == (4000, 40, 4.523)
    # The context of 8192 is filled up to the 100 tokens that are written.
    assert (run.prompt_tokens, run.output_tokens) == (8092, 100)
    assert (run.setup.model, run.setup.layers_on_device) == ("Llama-3-8B-Q4_K_M", 33)


def test_a_line_cut_before_writing_names_what_is_missing() -> None:
    reading = read("CtxLimit:345/8192, Amt:120/512, Init:0.02s, Process:1.50s (150.00T/s), Gener")
    (run,) = reading.runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (150, None)
    assert [gap.message for gap in reading.gaps] == ["the line is cut off: the time of writing is missing"]
