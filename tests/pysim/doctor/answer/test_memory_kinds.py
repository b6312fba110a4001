"""Is the memory that is as fast as a run named rightly, and left open where a pass is too short to tell?"""

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.answer.memory_kinds import memory_like, slowest_card_bytes_per_s
from pysim.doctor.case import Stream
from pysim.doctor.diagnose import diagnose


def stream(bytes_per_s: float, pass_s: float = 0.1) -> Stream:
    return Stream(bytes_per_pass=bytes_per_s * pass_s, bytes_per_s=bytes_per_s, pass_s=pass_s, source="a test")


@pytest.mark.parametrize(
    ("bytes_per_s", "words"),
    [
        (0.4e9, "Only a disk is that slow"),
        (5e9, "No memory is that slow"),
        (13e9, "the weights are in main memory"),
        (45e9, "the processor writes"),
        (120e9, "usually faster"),
        (700e9, "Only a graphics card"),
    ],
)
def test_each_speed_is_that_of_a_kind_of_memory(bytes_per_s: float, words: str) -> None:
    assert words in memory_like(stream(bytes_per_s))


def test_a_short_pass_says_nothing_of_a_slow_memory() -> None:
    # 0.4 GB in 4 ms are 100 GB/s: a small model's passes are short on any card.
    assert memory_like(stream(100e9, pass_s=0.004)) == ""
    assert memory_like(stream(700e9, pass_s=0.004))


def test_the_slowest_card_is_the_catalogs() -> None:
    # Tesla P4: 256 bits at 6.01 GT/s, which NVIDIA rounds to 192 GB/s.
    assert slowest_card_bytes_per_s() == pytest.approx(192e9, rel=0.01)


def test_a_run_without_any_device_is_told_where_its_weights_are() -> None:
    text = "llama-cli -m some-13b-model.Q8_0.gguf\n" + TIMES
    verdict = answer_of(diagnose(text)).verdict
    # 13 billion weights of 8.5 bits are 13.8 GB; one pass takes 1.25 s: 11 GB/s.
    assert "14 GB" in verdict
    assert "11 GB/s" in verdict
    assert "no graphics card's memory" in verdict


def test_what_is_active_of_a_sparse_model_is_what_counts() -> None:
    (case,) = diagnose("llama-cli -m some-80b-a4b-model.Q8_0.gguf\n" + TIMES).cases
    assert case.stream is not None
    # 4 of 80 billion, 8.5 bits each
    assert case.stream.bytes_per_pass == pytest.approx(4e9 * 8.5 / 8)
    assert case.stream.bytes_per_s == pytest.approx(4e9 * 8.5 / 8 / 1.25)


def test_experts_without_a_number_say_nothing() -> None:
    (case,) = diagnose("llama-cli -m some-8x7b-model.Q8_0.gguf\n" + TIMES).cases
    assert case.stream is None


TIMES = """llama_perf_context_print: prompt eval time =    4000.00 ms /  1024 tokens
llama_perf_context_print:        eval time =  250000.00 ms /   200 runs
llama_perf_context_print:       total time =  254100.00 ms /  1224 tokens
"""


def test_a_prompt_read_in_less_time_clears_the_memory() -> None:
    text = "llama-server -m some-13b.Q8_0.gguf\nprompt eval time = 200.00 ms / 400 tokens\n"
    text += "       eval time = 250000.00 ms / 200 tokens\n"
    (case,) = diagnose(text).cases
    assert case.stream is not None
    # The prompt's pass took 0.2 s, a token 1.25 s, and both read all weights.
    assert case.stream.prompt_pass_s == pytest.approx(0.2)
    verdict = answer_of(diagnose(text)).verdict
    assert "It is not the memory that slows writing" in verdict
    assert not [cause for cause in case.causes if cause.name == "weights from disk"]
