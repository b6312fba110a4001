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


def rates(text: str) -> list[tuple[float | None, float | None, float | None]]:
    return [(run.prefill_tokens_per_s, run.decode_tokens_per_s, run.combined_tokens_per_s) for run in read(text).runs]


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("can't get it faster than 4 t/s, neither goes beyond the 4t/s generation", [(None, 4, None)]),
        ("Je n'ai que 3,5 tokens/s avec llama3.1:70b sur RTX 3090", [(None, None, 3.5)]),
        ("Ich bekomme nur 3,5 Tokens/Sekunde auf meiner RTX 3090", [(None, None, 3.5)]),
        ("Before: 4.5 tok/s. After: 0.3 tok/s. llama3.1:70b on RTX 3090", [(None, None, 4.5), (None, None, 0.3)]),
        ("my box: PP: 500 T/s TG: 30 T/s", [(500, 30, None)]),
        ("here pp512 = 435 t/s, tg256 = 0.68 t/s", [(435, 0.68, None)]),
        ("it writes at 250 ms per token", [(None, 4, None)]),
        ("about 0.5 s/token here", [(None, None, 2)]),
        ("llama3.1:8b (Q4_K_M) on RTX 3090 (24GB): 100 t/s，good?", [(None, None, 100)]),
        ("12 t/s one day, 14 t/s the next day", [(None, None, 12), (None, None, 14)]),
        ("I get 20 t/s but others get 100 t/s", [(None, None, 20)]),
        ("I expected 50 t/s and I get 5 t/s", [(None, None, 5)]),
        ("it would be able to do 255 tok/s for prefill and 17 tok/s for generation", []),
        ("PP 1200 --> 1090 tok/s\nTG 81.5 --> 83.5 tok/s\non my box", [(1200, 81.5, None), (1090, 83.5, None)]),
        ("one layer on the CPU and it goes from 20 t/s to 0.5!", [(None, None, 20), (None, None, 0.5)]),
        ("I was getting 14-18ish tps here", [(None, None, 16)]),
        ("Prefill token/s (best): 13.35\nDecode token/s (best): 10.11\n", [(13.35, 10.11, None)]),
        (
            "Prefill tok/s: 13.3\nDecode tok/s: 10.1\n\nOfficial numbers:\nPrefill tok/s: 88\nDecode tok/s: 13\n",
            [(13.3, 10.1, None)],
        ),
        ("PROMPT PROCESSING IS 250\nTOKEN GENERATION IS 1.7\n", [(250, 1.7, None)]),
        ("prompt processing is 250\n", []),
        ("\u8f93\u51fa\u53ea\u80fd\u8fbe\u52306-7 token/s\uff0c\u6b63\u5e38\u5417", [(None, None, 6.5)]),
        ("\u89e3\u7801\u901f\u5ea6 7\u4e2atokens/s", [(None, 7, None)]),
    ],
)
def test_each_rate_that_was_measured_is_told_once(
    sentence: str, told: list[tuple[float | None, float | None, float | None]]
) -> None:
    assert rates(sentence) == told


def test_of_a_range_the_middle_is_taken_and_said() -> None:
    (run,) = read("qwen3-32b q4_k_m on a DGX Spark: 9-10 tok/s").runs
    assert run.combined_tokens_per_s == 9.5
    assert "9 to 10" in run.doubts[1]


def test_the_words_before_several_rates_name_them() -> None:
    assert [run.label for run in read("Before: 4.5 tok/s. After: 0.3 tok/s on my box").runs] == ["Before", "After"]


def test_a_list_whose_heading_gives_the_order_has_both_rates_and_each_its_model() -> None:
    text = (
        "RTX 5090, llama-bench (`-ngl 99 -fa 1`, pp1024 / tg400):\n- gemma2 27B Q4_K_M: 4000 / **80 t/s**\n"
        "- qwen3 30B-A3B: 12000 / 370\n"
    )
    assert rates(text) == [(4000, 80, None), (12000, 370, None)]
    first, second = diagnose(text).cases
    assert first.model is not None
    assert second.model is not None
    assert (first.model.key, second.model.key) == ("gemma-2-27b", "qwen3-30b-a3b")
    assert (first.prompt_tokens, first.output_tokens) == (1024, 400)
