"""Is a device that the catalog lacks judged by its figures?"""

import pytest

from pysim.doctor.diagnose import diagnose
from pysim.doctor.judge.own_device import own_device
from pysim.errors import BadValue

TEXT = (
    "llama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf\n"
    "prompt eval time = 500.00 ms / 500 tokens\n       eval time = 4000.00 ms / 100 tokens\n"
)


def test_figures_are_read_as_people_write_them() -> None:
    for bandwidth, flops, memory in (
        ("346GB/s", "12T", "24GiB"),
        ("346 GB/s", "12 TFLOPS", "24 GiB"),
        ("346G", "12 TFLOP/s", "24GiB"),
    ):
        device = own_device(bandwidth, flops, memory)
        assert device.memory_bandwidth_bytes_per_s == 346e9
        assert device.peak_flop_per_s["fp16"] == 12e12
        assert device.memory_bytes == 24 * 2**30


def test_writing_is_judged_by_the_bandwidth_alone() -> None:
    (case,) = diagnose(TEXT, bandwidth="346GB/s").cases
    assert case.decode is not None
    # 7.5 billion weights of 8.5 bits and the cache are 8.05 GB; 25 a second are 201 GB/s: 58% of 346.
    assert case.decode.mbu == pytest.approx(0.58, abs=0.01)
    assert case.decode.verdict is not None
    assert case.device is not None
    assert case.device.name == "a device with 346 GB/s"


def test_reading_needs_the_peak_and_room_the_memory() -> None:
    (case,) = diagnose(TEXT, bandwidth="346GB/s", flops="47T", memory="4GiB").cases
    assert case.prefill is not None
    assert case.prefill.typical is not None
    assert "does not fit" in [question.kind for question in case.cannot_tell]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"bandwidth": "fast"}, "not a quantity"),
        ({"bandwidth": "346GB/s", "device": "rtx-3090"}, "not both"),
        ({"flops": "12T"}, "needs its memory bandwidth"),
        ({"bandwidth": "346GB/s", "memory": "24"}, "not in B"),
        ({"bandwidth": "0GB/s"}, "more than 0"),
    ],
)
def test_a_wrong_figure_is_named(given: dict[str, str], message: str) -> None:
    with pytest.raises(BadValue, match=message):
        diagnose(TEXT, **given)  # type: ignore[arg-type]
