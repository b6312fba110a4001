"""Do published outputs get the diagnosis that their figures give by hand?"""

from dataclasses import dataclass

import pytest

from pysim.doctor.case import Case
from pysim.doctor.diagnose import judge
from pysim.doctor.judge.setups import Choices
from pysim.doctor.read.run import Reading
from pysim.load import load_device, load_model
from tests.pysim.doctor.judge.published_runs import RUNS


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What one sample must give: times by arithmetic, the largest part, and what it cannot tell."""

    ttft_s: float | None = None
    tpot_s: float | None = None
    slow: str | None = None
    share: float | None = None
    cannot: tuple[str, ...] = ()
    advice: tuple[str, ...] | None = None


NAMELESS = ("unknown device", "unknown model")
EXPECTED = {
    "llama-bench gpt-oss": Expected(
        ttft_s=512 / 625.58, tpot_s=1 / 51.81, slow="decode", share=(128 / 51.81) / (512 / 625.58 + 128 / 51.81),
        cannot=("unstable",),  # 109.36 of 625.58 is 17%
    ),
    "llama-bench unknown model": Expected(tpot_s=1 / 7.797, cannot=("no prefill", "unknown model")),
    "llama-bench 2023": Expected(
        ttft_s=512 / 2413.341687, tpot_s=1 / 132.052051, slow="decode", advice=("below typical", "below typical")
    ),
    "llama-bench depth": Expected(ttft_s=2048 / 2250.28, tpot_s=1 / 29.43, slow="decode", cannot=("unknown device",)),
    "llama-batched-bench": Expected(
        ttft_s=7.035, tpot_s=1.738 / 32, slow="prefill", share=7.035 / 8.773, cannot=NAMELESS
    ),
    "llama-bench experts on host": Expected(
        ttft_s=512 / 14.29, tpot_s=1 / 2.75, slow="decode", cannot=("offload", "unknown device")
    ),
    "llama_print_timings": Expected(
        ttft_s=6.29468, tpot_s=115.22219 / 510, slow="decode", share=115.22219 / 121.51687, cannot=NAMELESS
    ),
    # 14.8 s for 13 tokens, 0.107 s for each written one: no computing takes 10 times as long to read as to write.
    "slow first prompt": Expected(
        ttft_s=14.80569, tpot_s=3.43058 / 32, slow="prefill", share=14.80569 / 18.23627,
        cannot=("short prompt", "cold", *NAMELESS), advice=("warm",),
    ),
    "ollama": Expected(
        ttft_s=0.204563, tpot_s=4.876787 / 120, slow="decode", share=4.876787 / 5.08135,
        cannot=("short prompt", *NAMELESS),
    ),
    # Beside load and writing 8.13 s are left, not the 0.24 s that were printed.
    "ollama hidden prompt": Expected(
        ttft_s=31.273112939 - 18.173182374, tpot_s=18.173182374 / 1873, slow="decode",
        share=18.173182374 / 31.273112939, cannot=("prompt rate", *NAMELESS), advice=("load",),
    ),
    "ollama cold": Expected(
        ttft_s=1.036014583 + 0.095572, tpot_s=0.796532 / 84, slow="load", share=1.036014583 / 1.928118583,
        cannot=("short prompt", "load", *NAMELESS), advice=("load", "answer"),
    ),
    "ollama API": Expected(
        ttft_s=0.558791, tpot_s=0.290096 / 11, slow="prefill", share=0.558791 / 0.848887,
        cannot=("short prompt", *NAMELESS),
    ),
    # 7,446 prompt tokens a second were read: one's own 230 take 31 ms at most, TTFT is 9.6 s.
    "vllm bench serve": Expected(
        ttft_s=9.62613, tpot_s=0.07786, slow="decode", share=0.07786 * 202.068 / (0.07786 * 202.068 + 9.62613),
        cannot=("queue", "shared", *NAMELESS), advice=("queue",),
    ),
    "sglang prompts only": Expected(
        ttft_s=7.25211, slow="queue", share=(7.25211 - 32767.53 / 137022.74) / 11.74639,
        cannot=("queue", "one token", *NAMELESS),
    ),
    "sglang pauses": Expected(
        ttft_s=15.50769, tpot_s=0.04962954, slow="decode", share=(65.0875976 - 15.50769) / 65.0875976,
        cannot=("queue", "shared", "pauses", *NAMELESS), advice=("queue",),
    ),
    # 13.06 - 1.76 s at 22.17 ms: 511 tokens.
    "genai-perf": Expected(
        ttft_s=1.76461, tpot_s=0.02217, slow="decode", share=(13.06068 - 1.76461) / 13.06068,
        cannot=("shared", *NAMELESS),
    ),
    "mlx_lm": Expected(
        ttft_s=32188 / 430.339, tpot_s=1 / 32.48, slow="prefill",
        share=(32188 / 430.339) / (32188 / 430.339 + 892 / 32.48), cannot=NAMELESS,
    ),
    # A request a 43rd of a second apart, each with 2,048 tokens to read: 23 ms of 52.7 s.
    "trtllm-bench": Expected(
        ttft_s=52.6670339, tpot_s=0.1829639, slow="queue", share=(52.6670339 - 1 / 43.2089) / 75.9034456,
        cannot=("queue", "shared", *NAMELESS), advice=("queue",),
    ),
    "openvino one token": Expected(ttft_s=0.02088, tpot_s=0.02088, cannot=("one token", *NAMELESS)),
    "lm studio": Expected(ttft_s=0.111, tpot_s=0.954 / 53, slow="decode", cannot=("short prompt", *NAMELESS)),
    "vllm log": Expected(tpot_s=10 / 238.7, cannot=("window", *NAMELESS)),
    "torchchat": Expected(tpot_s=None, cannot=("combined", *NAMELESS)),
    "ollama rates only": Expected(tpot_s=1 / 5.55, cannot=("no prefill", "unknown device", "unknown weights")),
}  # fmt: skip


def cases(name: str, chosen: Choices | None = None) -> tuple[Case, ...]:
    return judge(Reading(runs=RUNS[name], lines=99), chosen or Choices()).cases


def choices(model: str, device: str, weights: str) -> Choices:
    return Choices(model=load_model(model), device=load_device(device), weights=weights)


def test_every_sample_has_its_expectation() -> None:
    assert set(EXPECTED) == set(RUNS)


@pytest.mark.parametrize("name", RUNS)
def test_a_sample_gets_its_times_and_its_open_questions(name: str) -> None:
    case, expected = cases(name)[0], EXPECTED[name]
    assert case.ttft_s == (None if expected.ttft_s is None else pytest.approx(expected.ttft_s, rel=1e-4))
    assert case.tpot_s == (None if expected.tpot_s is None else pytest.approx(expected.tpot_s, rel=2e-3))
    assert case.slow == expected.slow
    if expected.share is not None:
        assert case.slow is not None
        assert case.shares[case.slow] == pytest.approx(expected.share, rel=2e-3)
    assert tuple(entry.kind for entry in case.cannot_tell) == expected.cannot
    if expected.advice is not None:
        assert tuple(entry.kind for entry in case.advice) == expected.advice


@pytest.mark.parametrize(
    ("name", "model", "device", "weights"),
    [
        ("llama-bench gpt-oss", "gpt-oss-120b", "strix-halo", "MXFP4"),
        ("llama-bench 2023", "llama-2-7b", "rtx-3090-ti", "Q4_0"),
        ("llama-bench depth", "qwen2-7b", None, "Q8_0"),
        ("llama-bench experts on host", "qwen3-30b-a3b", None, "IQ4_XS"),
        ("ollama rates only", "llama-3.2-3b", None, None),
        ("lm studio", None, None, "Q4_K_M"),
    ],
)
def test_a_sample_s_words_are_recognised(name: str, model: str | None, device: str | None, weights: str | None) -> None:
    case = cases(name)[0]
    assert (case.model.key if case.model else None) == model
    assert (case.device.key if case.device else None) == device
    assert (case.weights.name if case.weights and case.weights.key else None) == weights


def test_share_of_bandwidth_is_the_bytes_of_a_token_over_the_device_s() -> None:
    case = cases("llama-bench 2023")[0]
    assert case.decode is not None
    # All weights but the input table, 32000 rows of 4096 in 4.5 bits, and the cache: 64 of 128 rows of 512 KiB.
    read = 3825065984 - 32000 * 4096 * 4.5 / 8 + 65 * 524288
    assert case.decode.mbu == pytest.approx(read * 132.052051 / 1008e9, rel=0.01)
    assert case.decode.side == "memory"
    assert case.prefill is not None
    # 2 FLOP for each of 6.607 billion parameters without the input table, and attention's few percent.
    linear = 2 * (6738415616 - 32000 * 4096) * 2413.341687
    assert case.prefill.mfu == pytest.approx(linear / 80e12, rel=0.06)
    assert case.prefill.side == "compute"


def test_a_run_within_the_band_is_typical_and_one_below_it_slower() -> None:
    fast = cases("llama-bench gpt-oss")[0]
    assert fast.decode is not None
    assert fast.decode.typical is not None
    assert fast.decode.typical.low_tokens_per_s < 51.81 < fast.decode.typical.high_tokens_per_s
    assert fast.decode.verdict == "typical"
    # llama.cpp of 2023 read prompts at less than half of today's speed.
    old = cases("llama-bench 2023")[0]
    assert old.prefill is not None
    assert old.prefill.verdict == "slower"


def test_a_device_that_the_reader_names_lets_the_depth_curve_be_judged() -> None:
    judged = cases("llama-bench depth", choices("qwen2-7b", "dgx-spark", "Q8_0"))
    assert [case.depth_tokens for case in judged] == [0, 32768]
    for case in judged:
        assert case.decode is not None
        assert case.decode.verdict == "typical"
        assert case.prefill is not None
        assert case.prefill.verdict == "typical"


def test_of_an_unknown_dense_model_the_file_is_read_once_per_token() -> None:
    case = cases("llama-bench unknown model")[0]
    assert case.decode is not None
    assert case.decode.mbu == pytest.approx(29036089344 * 7.797 / 256e9)  # 88%
    assert case.decode.best_tokens_per_s == pytest.approx(256e9 / 29036089344)
    assert case.decode.typical is None
    assert case.decode.verdict is None


def test_a_bandwidth_that_the_tool_claims_is_compared() -> None:
    case = cases("torchchat", Choices(device=load_device("apple-m1-max-32c")))[0]
    assert case.decode is not None
    assert case.decode.mbu == pytest.approx(27.95 / 400)
    assert case.decode.at_least


def test_formats_that_stay_open_widen_the_range() -> None:
    both = cases("ollama rates only", Choices(device=load_device("raspberry-pi-5")))[0].decode
    alone = [
        cases("ollama rates only", choices("llama-3.2-3b", "raspberry-pi-5", weights))[0].decode
        for weights in ("q4_k_m", "q4_0")
    ]
    assert both is not None
    assert both.typical is not None
    ranges = [phase.typical for phase in alone if phase is not None and phase.typical is not None]
    assert both.typical.low_tokens_per_s == min(typical.low_tokens_per_s for typical in ranges)
    assert both.typical.high_tokens_per_s == max(typical.high_tokens_per_s for typical in ranges)


def test_a_server_s_waiting_is_told_from_reading() -> None:
    case = cases("vllm bench serve")[0]
    own = 229.711 / (229711 / 30.85)
    assert case.parts_s["prefill"] == pytest.approx(own)
    assert case.parts_s["queue"] == pytest.approx(9.62613 - own)
    assert case.prefill is not None
    assert case.prefill.at_least
    assert case.prefill.verdict is None


def test_a_server_under_load_gets_no_verdict_on_its_writing() -> None:
    case = cases("vllm bench serve", choices("llama-3.1-8b", "h100-sxm", "bf16"))[0]
    assert case.decode is not None
    assert case.decode.verdict is None
    assert all(change.kind != "below typical" for change in case.advice)
