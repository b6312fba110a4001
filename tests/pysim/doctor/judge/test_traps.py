"""Is nothing said with confidence where a text only looks as if it could tell?"""

import pytest

from pysim.doctor.case import Advice, Case
from pysim.doctor.diagnose import diagnose
from pysim.doctor.words import gain_in_words

PERF = """llama_perf_context_print: prompt eval time =    4000.00 ms /  1024 tokens
llama_perf_context_print:        eval time =   50000.00 ms /   250 runs
llama_perf_context_print:       total time =   54100.00 ms /  1274 tokens
"""
MODEL = "llama_model_loader: loaded meta data with 30 key-value pairs from /m/Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf\n"


def first(text: str, **chosen: str) -> Case:
    return diagnose(text, **chosen).cases[0]  # type: ignore[arg-type]


def test_two_different_cards_are_not_two_of_the_first() -> None:
    cards = (
        "ggml_cuda_init: found 2 CUDA devices:\n  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6\n"
        "  Device 1: NVIDIA GeForce {}, compute capability 6.1\n"
    )
    case = first(cards.format("GTX 1080 Ti") + MODEL + PERF)
    assert case.device is not None
    assert case.device.key is None
    assert [phase.verdict for phase in (case.prefill, case.decode) if phase] == [None, None]
    case = first(cards.format("RTX 3090") + MODEL + PERF)
    assert case.device is not None
    assert (case.device.key, case.n_devices) == ("rtx-3090", 2)


def test_devices_that_vulkan_and_the_loader_list_are_told_apart_too() -> None:
    for lines in (
        "ggml_vulkan: 0 = Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0\n"
        "ggml_vulkan: 1 = Radeon 8060S Graphics (RADV GFX1151) (radv) | uma: 1\n",
        "llama_model_load_from_file_impl: using device CUDA0 (NVIDIA GeForce RTX 3090) - 23000 MiB free\n"
        "llama_model_load_from_file_impl: using device CUDA1 (NVIDIA GeForce RTX 3060) - 11000 MiB free\n",
    ):
        case = first(lines + MODEL + PERF)
        assert case.device is not None
        assert case.device.key is None


@pytest.mark.parametrize("options", ["-ngl 0", "-ngl 20", "-ngl 99 -nkvo", "-ngl 99 --cpu-moe"])
def test_a_run_with_a_part_on_the_host_gets_no_verdict_of_the_card(options: str) -> None:
    text = (
        f"./llama-cli -m Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf {options}\n"
        "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9\n" + PERF
    )
    case = first(text)
    assert "offload" in [question.kind for question in case.cannot_tell]
    assert case.decode is not None
    assert case.decode.verdict is None


def test_what_is_said_of_the_one_model_below_its_times_counts() -> None:
    below = (
        "print_info: file type   = Q8_0\nprint_info: file size   = 7.95 GiB (8.50 BPW)\n"
        "print_info: model params     = 8.03 B\nprint_info: general.name     = Meta Llama 3.1 8B Instruct\n"
    )
    case = first(PERF + below)
    assert case.model is not None
    assert case.weights is not None
    assert (case.model.key, case.weights.key) == ("llama-3.1-8b", "q8_0")


def test_what_was_loaded_after_another_model_is_not_said_of_the_first_one() -> None:
    later = "llama_model_loader: loaded meta data with 30 key-value pairs from /m/Qwen2.5-14B-Instruct-Q8_0.gguf\n"
    assert [case.model and case.model.key for case in diagnose(MODEL + PERF + later + PERF).cases] == [
        "llama-3.1-8b",
        "qwen2.5-14b",
    ]


DRAFT = """slot print_timing: id  0 | task 3 |
prompt eval time =     500.00 ms /   500 tokens
       eval time =   20000.00 ms /  1000 tokens
      total time =   20500.00 ms /  1500 tokens
slot print_timing: id  0 | task 3 | draft acceptance rate = 0.60000 (  600 accepted /  1000 generated)
slot      release: id  0 | task 3 | stop processing: n_tokens = 1500, truncated = 0
"""


def test_accepted_guesses_make_tokens_quicker_than_passes() -> None:
    # 1,000 tokens in 20 s; the first came out of the prompt and 600 were guesses: 399 passes.
    case = first(DRAFT, model="llama-3.1-8b", device="rtx-4090", weights="q8_0")
    assert case.tpot_s == pytest.approx(0.02)
    assert case.decode is not None
    assert case.decode.pass_s == pytest.approx(20 / 399)
    assert case.decode.verdict is None
    assert case.decode.note is not None
    assert "without guesses" in case.decode.note


def test_a_prompt_that_was_cached_leaves_its_length_to_the_context() -> None:
    text = DRAFT.replace("/   500 tokens\n", "/     1 tokens\n").replace("n_tokens = 1500", "n_tokens = 9001")
    case = first("\n".join(line for line in text.splitlines() if "draft" not in line))
    # 9,001 in the cache at the end, of which 1 was read and 1,000 were written.
    assert (case.prompt_tokens, case.depth_tokens) == (1, 8000)
    assert any("one new token is too few" in question.message for question in case.cannot_tell)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (11.2, 143.0, "reading 11 to 140 times as fast"),
        (1.04, 1.96, "reading 1 to 2 times as fast"),
        (9.97, 9.97, "reading 10 times as fast"),
        (1234.0, 5678.0, "reading 1,200 to 5,700 times as fast"),
        (None, None, ""),
    ],
)
def test_gains_are_written_in_two_digits_without_powers(low: float | None, high: float | None, words: str) -> None:
    advice = Advice(kind="load", what="", figure="prefill", low=low, high=high, why="", setting="")
    assert gain_in_words(advice) == words


def test_where_the_device_may_be_one_of_several_only_what_holds_for_all_is_said() -> None:
    text = MODEL + PERF.replace("50000.00", "10000.00")
    # 25 tokens a second: far below an M4 Max, typical for an M1 Pro.
    case = first("M1 Pro 16-core against M4 Max\n" + text)
    assert case.decode is not None
    assert (case.decode.verdict, case.decode.typical is None) == (None, False)
    slow = first("M4 Max\n" + text.replace("10000.00", "90000.00"))
    assert slow.decode is not None
    assert slow.decode.verdict == "slower"
    assert any("line 1 names" in change.why for change in slow.advice)


def test_localais_times_are_milliseconds() -> None:
    case = first(
        '{"model": "x", "usage": {"prompt_tokens": 500, "completion_tokens": 100, "timing_prompt_processing": 2000,'
        ' "timing_token_generation": 5000}}'
    )
    assert case.ttft_s == pytest.approx(2)
    assert case.tpot_s == pytest.approx(0.05)


@pytest.mark.parametrize("label", ["qwen3next ?B", "dots1 ?B", "grok 314B"])
def test_no_share_is_told_of_an_architecture_that_may_have_experts(label: str) -> None:
    row = f"| {label} Q4_K - Medium | 45.00 GiB | 81.00 B | ROCm | 99 | {{}} | {{}} ± 1.00 |\n"
    text = (
        "  Device 0: AMD Radeon 8060S Graphics, gfx1151\n| model | size | params | backend | ngl | test | t/s |\n"
        "|---|---|---|---|---|---|---|\n" + row.format("pp512", "290.00") + row.format("tg128", "4.00")
    )
    (case,) = diagnose(text).cases
    assert case.prefill is not None
    assert case.decode is not None
    assert (case.prefill.mfu, case.decode.mbu, case.stream) == (None, None, None)
