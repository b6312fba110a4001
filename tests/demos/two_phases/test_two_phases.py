"""Does `two-phases` count what really happens?"""

import pytest

from demos import two_phases
from demos.kit.declare.controls import Value, start_values
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from demos.kit.tokenize.tokenizer import pieces
from demos.two_phases.simulation import START_TOKEN
from tests.demos.reading import Read, read


def end_of(**changes: Value) -> Read:
    values = {**start_values(two_phases.CONTROLS), **changes}
    scene = two_phases.scene(**values)
    return read(two_phases.frame(scene, two_phases.stops(scene)[-1]))


PROMPT = "Tell me why the sea is salty, please."
P = len(pieces(PROMPT))


@pytest.mark.parametrize("answer", [1, 2, 8, 57, 512])
def test_n_answer_tokens_need_one_prefill_and_n_minus_1_decode_passes(answer: int) -> None:
    shown = end_of(example="own", prompt=PROMPT, output_tokens=answer).outputs
    assert (shown["passes"], shown["prefill_passes"], shown["decode_passes"]) == (str(answer), "1", str(answer - 1))
    assert (shown["output_tokens"], shown["prompt_tokens"]) == (str(answer), str(P))
    # The last answer token is never fed back, so it leaves no row.
    assert shown["kv_rows"] == str(P + answer - 1)


def test_no_answer_token_is_prefill_only_and_has_no_first_token() -> None:
    shown = end_of(example="own", prompt=PROMPT, output_tokens=0).outputs
    assert (shown["passes"], shown["decode_passes"], shown["kv_rows"]) == ("1", "0", str(P))
    assert (shown["output_tokens"], shown["ttft_s"]) == ("0", "none")


@pytest.mark.parametrize(("chunk", "passes"), [("32", 4), ("128", 1), ("off", 1)])
def test_chunks_split_the_prefill_and_change_nothing_else(chunk: str, passes: int) -> None:
    # "a " is one token a word here, so 100 words are 100 tokens and ceil(100 / 32) = 4 chunks.
    prompt = " a" * 100
    assert len(pieces(prompt)) == 100
    shown = end_of(example="own", prompt=prompt, output_tokens=5, chunk_tokens=chunk).outputs
    assert (shown["prefill_passes"], shown["decode_passes"], shown["kv_rows"]) == (str(passes), "4", "104")


def test_an_empty_prompt_is_one_start_token_shown_as_a_cell() -> None:
    shown = end_of(example="own", prompt="", output_tokens=3)
    assert (shown.outputs["prompt_tokens"], shown.outputs["kv_rows"]) == ("1", "3")
    assert START_TOKEN in shown.text


def test_guesses_that_are_always_right_shorten_decode_and_leave_the_same_rows() -> None:
    # 24 tokens: 1 by prefill, then 23 at 5 a pass (4 guesses + 1): ceil(23 / 5) = 5 decode passes.
    shown = end_of(example="own", prompt=PROMPT, output_tokens=24, draft_tokens=4, acceptance=1.0).outputs
    assert (shown["decode_passes"], shown["kv_rows"]) == ("5", str(P + 23))


def test_guesses_that_are_never_right_change_no_count() -> None:
    shown = end_of(example="own", prompt=PROMPT, output_tokens=24, draft_tokens=4, acceptance=0.0).outputs
    assert (shown["decode_passes"], shown["kv_rows"]) == ("23", str(P + 23))


def test_the_same_seed_repeats_the_run_and_another_one_differs() -> None:
    def passes(seed: int) -> str:
        return end_of(output_tokens=200, draft_tokens=4, acceptance=0.5, seed=seed).outputs["decode_passes"]

    assert passes(1) == passes(1)
    assert len({passes(seed) for seed in range(6)}) > 1


def test_counters_follow_the_moment() -> None:
    scene = two_phases.scene(**start_values(two_phases.CONTROLS))
    stops = two_phases.stops(scene)
    for over, t_s in enumerate(stops):
        assert read(two_phases.frame(scene, t_s)).outputs["passes"] == str(over)
    between_s = (stops[1] + stops[2]) / 2
    assert read(two_phases.frame(scene, between_s)).outputs["passes"] == "1"


def test_a_run_that_is_asked_for_own_text_says_that_the_answer_is_a_stock_text() -> None:
    assert "it does not think" in end_of(example="own", prompt=PROMPT).text
    assert "it does not think" not in end_of().text


def test_the_answer_of_an_example_is_its_written_text() -> None:
    sky = EXAMPLES["sky"]
    assert "".join(answer_pieces(sky.answer, 8)) == "".join(pieces(sky.answer)[:8])
