"""Is what a set-up with a part on the host should reach computed from its own memory, and the verdict from that?"""

from __future__ import annotations

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.case import Case
from pysim.doctor.diagnose import diagnose
from pysim.doctor.evidence import words_of
from pysim.doctor.expect.host_memory import host_memory

TIMES = "prompt eval time = 8000.00 ms / 400 tokens\n       eval time = {:.2f} ms / 100 tokens\n"


def case(head: str, rate: float) -> Case:
    (case,) = diagnose(f"{head}\n{TIMES.format(100_000 / rate)}").cases
    return case


EXPERTS = "RTX 3090, {}\nllama-server -m Qwen3-30B-A3B-Q4_K_M.gguf -ngl 99 --n-cpu-moe {}"


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("64 GB DDR4-3200 dual channel", 51.2e9, 51.2e9),  # 2 x 8 bytes x 3,200 million
        ("EPYC with 8 channels of DDR4-3200", 204.8e9, 204.8e9),
        ("Xeon, octa-channel DDR5-4800", 307.2e9, 307.2e9),
        ("2x32GB DDR5-6000", 96e9, 96e9),
        ("4x32GB DDR5 5600 MHz", 89.6e9, 89.6e9),  # a desktop's board has two channels
        ("EPYC, 12x64GB DDR5-4800", 460.8e9, 460.8e9),
        ("DDR5-6000 x 2", 96e9, 96e9),
        ("64 GB of DDR5", 76.8e9, 96e9),  # 4,800 to 6,000
        ("single channel DDR4 2400MHz", 19.2e9, 19.2e9),
    ],
)
def test_memory_is_channels_times_eight_bytes_times_transfers(text: str, low: float, high: float) -> None:
    memory = host_memory(words_of(text))
    assert memory is not None
    assert (memory.low_bytes_per_s, memory.high_bytes_per_s) == pytest.approx((low, high))
    assert not memory.assumed


def test_without_a_word_a_desktops_memory_is_assumed_and_a_servers_is_not() -> None:
    memory = host_memory(words_of("my PC"))
    assert memory is not None
    assert memory.assumed
    # 2 x 8 x 2,666 million to 2 x 8 x 6,000 million
    assert (memory.low_bytes_per_s, memory.high_bytes_per_s) == pytest.approx((42.656e9, 96e9))
    for server in ("an old Xeon box", "EPYC with DDR4-3200"):
        assert host_memory(words_of(server)) is None


def test_a_nonsense_speed_is_taken_for_the_usual_ones() -> None:
    memory = host_memory(words_of("DDR5-99999 dual channel"))
    assert memory is not None
    assert memory.high_bytes_per_s == pytest.approx(96e9)


def test_expected_lies_between_all_on_the_host_and_all_on_the_device() -> None:
    many, few = (case(EXPERTS.format("DDR5-6000 x 2", layers), 30).expected for layers in (48, 10))
    device = case(EXPERTS.format("DDR5-6000 x 2", 48), 30).decode
    assert many is not None
    assert few is not None
    assert device is not None
    assert device.typical is not None
    assert many.typical_tokens_per_s < few.typical_tokens_per_s < device.typical.typical_tokens_per_s
    # 8 of 128 experts in 48 layers, 3 x 2,048 x 768 weights each of 4.5 to 6.6 bits: 0.9 to 1.5 GB from 96 GB/s.
    assert many.high_tokens_per_s < 96 / (48 * 8 * 3 * 2048 * 768 * 4.5 / 8 / 1e9)


def test_a_faster_memory_is_expected_to_write_faster() -> None:
    slow, fast = (case(EXPERTS.format(memory, 48), 30).expected for memory in ("DDR4-2400 x 2", "DDR5-6000 x 2"))
    assert slow is not None
    assert fast is not None
    assert 1.5 < fast.typical_tokens_per_s / slow.typical_tokens_per_s < 6000 / 2400


@pytest.mark.parametrize(
    ("rate", "verdict"), [(25, "Normal for this set-up"), (4, "Slower than this set-up should be"), (99, "Faster")]
)
def test_the_verdict_compares_with_the_set_up_as_it_is(rate: float, verdict: str) -> None:
    told = answer_of(diagnose(f"{EXPERTS.format('DDR5-6000 x 2', 40)}\n{TIMES.format(100_000 / rate)}")).verdict
    assert told.startswith(verdict)
    assert "DDR5-6000, 2 channels: 96 GB/s" in told


def test_layers_and_shares_on_the_host_are_expected_too() -> None:
    layers = case("RTX 3090, DDR4-3200 dual channel\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 32", 5)
    assert layers.expected is not None
    # Half of 18.6 GB at 51.2 GB/s take 0.18 s at least.
    assert layers.expected.high_tokens_per_s < 1 / (0.5 * 18.6 / 51.2)
    assert case("RTX 3090\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 99", 35).expected is None
