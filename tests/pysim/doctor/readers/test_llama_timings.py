"""Are llama.cpp's timing lines read right, from the first main program to today's server?"""

import pytest

from pysim.doctor.find import read
from tests.pysim.doctor.samples import sample


def test_print_timings_gives_both_phases_and_the_start_up_log_the_set_up() -> None:
    (run,) = read(sample("llama_print_timings.txt")).runs
    assert (run.tool, run.kind, run.line, run.last_line) == ("llama.cpp", "request", 8, 12)
    # 100 tokens in 2 s, 200 runs in 25 s.
    assert (run.prefill_s, run.prefill_tokens_per_s, run.prompt_tokens) == (2, 50, 100)
    assert (run.decode_s, run.decode_tokens_per_s, run.output_tokens, run.decode_passes) == (25, 8, 200, 200)
    # 27.3 s less 2 s, 25 s and 0.05 s of choosing tokens.
    assert run.unaccounted_s == pytest.approx(0.25)
    assert (run.load_s, run.total_s) == (1.5, 27.3)
    setup = run.setup
    assert (setup.model, setup.weights, setup.context_tokens) == ("mistral-7b-instruct", "Q4_K - Medium", 4096)
    assert (setup.layers_on_device, setup.layers) == (20, 33)
    assert setup.weights_bytes == pytest.approx(4.07 * 1024**3)


def test_the_total_of_a_chat_holds_the_time_of_the_one_who_types() -> None:
    (run,) = read(sample("llama_perf_context.txt")).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (200, 25)
    # 9 s − 0.25 s − 4 s − 0.02 s.
    assert run.unaccounted_s == pytest.approx(4.73)


def test_a_slot_tells_what_was_cached_what_was_drafted_and_what_ran_beside() -> None:
    reading = read(sample("llama_server_slots.txt"))
    beside, run = reading.runs
    # The prompt has 1000 tokens, 800 of which were read.
    assert (run.prompt_tokens, run.cached_tokens, run.prefill_tokens_per_s) == (1000, 200, 500)
    # 90 tokens: the first comes out of the prompt, 30 were drafted.
    assert (run.output_tokens, run.decode_passes, run.decode_tokens_per_s) == (90, 59, 10)
    assert run.setup.context_tokens == 8192
    assert run.setup.slots == 2
    assert run.doubts == (
        "speculative decoding: 30 of 50 drafted tokens were accepted",
        "up to 2 requests ran at the same time, so this speed is one request's share",
    )
    # The other slot's progress lines are a second apart, and 512 tokens.
    assert (beside.kind, beside.prefill_s, beside.prefill_tokens_per_s) == ("prompt", 1, 512)
    assert [gap.message for gap in reading.gaps] == ["slot 1, task 5: the text ends before the answer (25% of it read)"]


def test_the_older_server_names_its_slot_in_a_line_of_its_own() -> None:
    (run,) = read(sample("llama_server_old.txt")).runs
    assert (run.tool, run.label, run.line, run.last_line) == ("llama-server", "slot 0, task 3", 6, 8)
    assert (run.prompt_tokens, run.cached_tokens, run.prefill_tokens_per_s) == (60, 20, 100)
    assert (run.output_tokens, run.decode_tokens_per_s) == (50, 10)
    assert run.doubts == ("the context was full and the text was cut to fit",)


def test_the_forks_server_lines_are_read_with_their_task() -> None:
    (run,) = read(sample("llama_server_ik.txt")).runs
    assert (run.label, run.prompt_tokens, run.cached_tokens) == ("slot 0, task 7", 1224, 24)
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.total_s) == (20, 4, 110)


def test_running_lines_say_what_was_reached_and_that_it_went_on() -> None:
    reading = read(sample("llama_server_running.txt"))
    prompt, generation = reading.runs
    assert (prompt.kind, prompt.prompt_tokens, prompt.prefill_tokens_per_s) == ("prompt", 16384, 2048)
    # 180 tokens at 14.4 a second.
    assert (generation.kind, generation.output_tokens, generation.decode_s) == ("generation", 180, 12.5)
    assert [gap.line for gap in reading.gaps] == [2, 4]


def test_running_lines_of_a_request_that_ended_are_no_run_of_their_own() -> None:
    running = "slot print_timing: id  0 | task 3 | n_decoded =    40, tg =  9.00 t/s\n"
    assert len(read(running + sample("llama_server_old.txt")).runs) == 1


def test_a_prefix_in_the_cache_is_counted_to_the_prompt() -> None:
    first, second = read(sample("llama_cpp_python.txt")).runs
    assert (first.prompt_tokens, first.cached_tokens, first.prefill_tokens_per_s) == (25, 19, 50)
    assert (second.prefill_s, second.prefill_tokens_per_s, second.decode_tokens_per_s) == (None, None, 20)
    assert second.doubts == ("no time for the prompt: it was already in the cache, so reading was not timed",)


def test_the_first_programs_time_is_of_both_phases() -> None:
    (run,) = read(sample("llama_main_2023.txt")).runs
    assert (run.kind, run.combined_tokens_per_s, run.total_s) == ("combined", 16, 34)


def test_one_token_gives_no_speed_of_writing() -> None:
    text = (
        "prompt eval time = 400.00 ms / 40 tokens\n eval time = 0.02 ms / 1 tokens\n total time = 400.02 ms / 41 tokens"
    )
    (run,) = read(text).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (100, None)
    assert run.doubts == ("at most one token was written, so writing was not timed",)


def test_a_load_time_that_is_the_first_prompts_is_doubted() -> None:
    text = "load time = 5587.48 ms\nprompt eval time = 5587.31 ms / 20 tokens\neval time = 17242.81 ms / 40 runs"
    (run,) = read(text).runs
    assert run.doubts == ("the load time printed here covers the first prompt, not loading",)


def test_a_printed_speed_that_its_own_line_contradicts_is_doubted() -> None:
    text = "prompt eval time = 1000.00 ms / 100 tokens ( 10.00 ms per token, 999.00 tokens per second)\n"
    (run,) = read(text + "eval time = 1000.00 ms / 10 runs ( 100.00 ms per token, 10.00 tokens per second)").runs
    assert run.prefill_tokens_per_s == 100
    assert run.doubts == ("the printed 999 tokens per second do not match the printed tokens and time",)


@pytest.mark.parametrize(
    ("kept", "prefill", "decode", "missing"),
    [
        (slice(9, 10), 50, None, 'the line "eval time" is missing'),
        (slice(10, 12), None, 8, 'the line "prompt eval time" is missing'),
    ],
)
def test_half_a_block_gives_its_half_and_names_the_other(
    kept: slice, prefill: float | None, decode: float | None, missing: str
) -> None:
    reading = read("\n".join(sample("llama_print_timings.txt").split("\n")[kept]))
    (run,) = reading.runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (prefill, decode)
    assert [gap.message for gap in reading.gaps] == [missing]


def test_two_blocks_in_one_text_stay_two() -> None:
    text = sample("llama_print_timings.txt") + sample("llama_perf_context.txt")
    assert [run.decode_tokens_per_s for run in read(text).runs] == [8, 25]


@pytest.mark.parametrize("columns", [70, 80, 100])
def test_lines_wrapped_by_a_narrow_terminal_read_the_same(columns: int) -> None:
    lines = sample("llama_perf_context.txt").split("\n")
    wrapped = [line[at : at + columns] for line in lines for at in range(0, max(len(line), 1), columns)]
    (run,) = read("\n".join(wrapped)).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s, run.total_s) == (200, 25, 9)


def test_answers_in_json_give_their_timings() -> None:
    (run,) = read(sample("llama_server_answer.json")).runs
    assert (run.tool, run.setup.model_file) == ("llama-server", "Qwen3-8B-Q4_K_M.gguf")
    # 200 tokens in 0.1 s beside 300 cached; 101 in 2.02 s.
    assert (run.prompt_tokens, run.cached_tokens, run.prefill_tokens_per_s) == (500, 300, 2000)
    assert (run.output_tokens, run.decode_tokens_per_s) == (101, 50)


def test_of_a_stream_the_last_timings_count() -> None:
    (run,) = read(sample("llama_server_stream.txt")).runs
    assert (run.line, run.output_tokens, run.decode_tokens_per_s, run.prefill_tokens_per_s) == (3, 41, 25, 500)


def test_llama_clis_line_under_an_answer_gives_two_speeds() -> None:
    (run,) = read(sample("llama_cli.txt")).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (210.5, 31.2)
