"""Is a speed that somebody only tells of taken for what it can be, and no more?"""

import pytest

from pysim.doctor.diagnose import diagnose
from pysim.doctor.find import read


def test_one_bare_rate_cannot_tell_which_phase_is_slow() -> None:
    case = diagnose("my model is slow at 5 tokens per second").cases[0]
    assert case.rate_tokens_per_s == 5
    assert (case.prefill, case.decode, case.slow) == (None, None, None)
    combined = case.cannot_tell[0]
    assert combined.kind == "combined"
    assert "ollama run" in combined.instead
    assert "llama-bench" in combined.instead


def test_a_bare_rate_is_held_against_writing_where_model_and_device_are_told() -> None:
    case = diagnose("Hey, I get about 12 t/s with Llama 3.1 8B Q4 on my RTX 3060, is this normal?").cases[0]
    assert case.device is not None
    assert case.device.key == "rtx-3060"
    assert case.if_writing is not None
    assert case.if_writing.low_tokens_per_s <= case.if_writing.typical_tokens_per_s <= case.if_writing.high_tokens_per_s
    # A token needs 7.5 billion weights of 4.5 bits or more, 4.2 GB, from 360 GB/s: no more than 86 a second.
    assert case.if_writing.high_tokens_per_s < 360 / (7.5 * 4.5 / 8)


@pytest.mark.parametrize(
    ("sentence", "reading", "writing"),
    [
        ("Prompt evaluation speed : 4668 tokens per second\nGeneration speed : 93 tokens per second", 4668, 93),
        ("prefill is 310 tok/s and decode only 11 tok/s here", 310, 11),
        ("the answer: generation at 300 tokens per minute on my box", None, 5),
        ("I get 40 tps of output, what do you get", None, 40),
    ],
)
def test_the_words_beside_a_rate_say_which_phase_it_is(sentence: str, reading: float | None, writing: float) -> None:
    (run,) = read(sentence).runs
    assert (run.prefill_tokens_per_s, run.decode_tokens_per_s) == (reading, writing)
    assert run.doubts


@pytest.mark.parametrize(
    "sentence",
    [
        "12 t/s one day, 14 t/s the next day",
        "it took 5 seconds for 30 tokens",
        "[ Prompt: 305.1 t/s",
        "speed = 0 tokens per second for me",
        "12 t/s",
    ],
)
def test_what_is_no_single_speed_in_a_sentence_is_left_alone(sentence: str) -> None:
    assert read(sentence).runs == ()


def test_reading_of_a_prompt_of_unknown_length_is_not_compared() -> None:
    case = diagnose("Llama 3.1 8B Q8_0 on my RTX 4090: prompt reading 4668 tokens/s").cases[0]
    assert case.prefill is not None
    assert (case.prefill.typical, case.prefill.verdict) == (None, None)
