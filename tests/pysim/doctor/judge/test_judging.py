"""Are runs put together to the cases that they belong to, and their times told apart?"""

import json
from dataclasses import replace

import pytest

from pysim import BadConfig, BadValue, UnknownName, load_model
from pysim.doctor.case import TIME_PARTS, Case
from pysim.doctor.diagnose import MOST_CASES, MOST_RUNS, diagnose, judge
from pysim.doctor.judge.pairing import grouped
from pysim.doctor.judge.setups import Choices
from pysim.doctor.read.run import Latency, Reading, Run, Setup
from tests.pysim.doctor.judge.published_runs import QWEN7, answer, prompt, request, service


def cases(*runs: Run, chosen: Choices | None = None) -> tuple[Case, ...]:
    return judge(Reading(runs=runs, lines=9), chosen or Choices()).cases


def test_each_prompt_test_is_paired_with_an_answer_test_of_its_depth() -> None:
    runs = [
        prompt(QWEN7, 512, 2400, line=1),
        prompt(QWEN7, 1024, 2300, line=2),
        answer(QWEN7, 128, 30, line=3),
        prompt(QWEN7, 512, 2000, depth=4096, line=4),
        answer(QWEN7, 128, 28, depth=4096, line=5),
    ]
    lines = [tuple(run.line for run in group.runs) for group in grouped(runs)]
    assert lines == [(1, 3), (2, 3), (4, 5)]


def test_other_settings_make_another_case() -> None:
    fused = replace(QWEN7, flash_attention=True)
    judged = cases(prompt(QWEN7, 512, 2400), answer(QWEN7, 128, 30), prompt(fused, 512, 2500), answer(fused, 128, 31))
    assert [case.assembled for case in judged] == [True, True]
    assert [case.tpot_s for case in judged] == [pytest.approx(1 / 30), pytest.approx(1 / 31)]


def test_a_test_without_its_other_half_stays_alone() -> None:
    (case,) = cases(prompt(QWEN7, 512, 2400))
    assert (case.assembled, case.decode, case.slow) == (False, None, None)
    assert "no decode" in [question.kind for question in case.cannot_tell]


def test_a_log_s_windows_are_one_case_and_idle_ones_do_not_count() -> None:
    busy = Run(
        tool="vllm log", kind="window", line=1, last_line=1, engine="vllm", running=8, decode_total_tokens_per_s=400.0
    )  # fmt: skip
    more = replace(busy, line=2, last_line=2, running=12, decode_total_tokens_per_s=500.0)
    idle = replace(busy, line=3, last_line=3, running=0, decode_total_tokens_per_s=None)
    (case,) = cases(busy, more, idle)
    assert len(case.runs) == 3
    assert case.decode is not None
    assert case.decode.tokens_per_s == pytest.approx(450)
    assert case.decode.each_tokens_per_s == pytest.approx(450 / 10)


def test_parts_stand_in_the_order_in_which_they_pass() -> None:
    run = request("ollama --verbose", "llama.cpp", load_s=1.0, prompt_tokens=500, prefill_s=2.0, output_tokens=100,
                  decode_s=4.0, total_s=8.0)  # fmt: skip
    (case,) = cases(run)
    assert list(case.parts_s) == list(case.shares) == [name for name in TIME_PARTS if name in case.parts_s]
    assert case.parts_s == {"load": 1.0, "prefill": 2.0, "decode": 4.0, "other": 1.0}
    assert case.shares["decode"] == 0.5
    assert case.ttft_s == 3.0


def test_time_without_a_name_is_not_the_slow_phase() -> None:
    run = request("llama.cpp", "llama.cpp", prompt_tokens=500, prefill_s=1.0, output_tokens=100, decode_s=2.0,
                  decode_passes=99, total_s=10.0)  # fmt: skip
    (case,) = cases(run)
    assert case.slow == "decode"
    assert case.shares["other"] == pytest.approx(0.7)
    assert "unexplained" in [question.kind for question in case.cannot_tell]


def test_loading_before_a_run_is_no_part_of_it() -> None:
    run = request("llama.cpp", "llama.cpp", load_s=30.0, prompt_tokens=500, prefill_s=1.0, output_tokens=100,
                  decode_s=2.0, decode_passes=99, total_s=3.0)  # fmt: skip
    (case,) = cases(run)
    assert "load" not in case.shares
    assert case.ttft_s == 1.0


def test_a_prompt_that_sequences_share_was_read_once() -> None:
    shared = request("llama-batched-bench", "llama.cpp", prompt_tokens=512, sequences=8, prefill_s=0.256,
                     prefill_tokens_per_s=2000.0, output_tokens=128, decode_s=4.0, decode_passes=128)  # fmt: skip
    (case,) = cases(shared)
    assert case.prefill is not None
    assert case.prefill.tokens_per_s == 2000
    own = replace(shared, prefill_tokens_per_s=16000.0)
    (case,) = cases(own)
    assert case.prefill is not None
    assert (case.prefill.tokens_per_s, case.prefill.each_tokens_per_s) == (16000, 2000)


def test_cached_tokens_are_depth_and_not_read() -> None:
    run = request("llama-server", "llama.cpp", prompt_tokens=1000, cached_tokens=800, prefill_s=0.1,
                  prefill_tokens_per_s=2000.0, output_tokens=50, decode_s=1.0)  # fmt: skip
    (case,) = cases(run)
    assert (case.prompt_tokens, case.depth_tokens) == (200, 800)


def test_one_request_at_a_time_has_no_queue() -> None:
    run = service("vllm bench serve", "vllm", requests=10, total_s=20.0, prompt_tokens=1000, output_tokens=100,
                  total_prefill_tokens_per_s=500.0, sequences=1, decode_total_tokens_per_s=50.0,
                  ttft=Latency(mean_s=0.1), tpot=Latency(mean_s=1.9 / 99))  # fmt: skip
    (case,) = cases(run)
    assert "queue" not in case.shares
    assert case.prefill is not None
    assert case.prefill.tokens_per_s == pytest.approx(1000 / 0.1)
    assert not {"queue", "shared"} & {question.kind for question in case.cannot_tell}


def test_what_was_not_streamed_has_no_first_token() -> None:
    run = service("a client", None, requests=10, prompt_tokens=1000, output_tokens=100,
                  ttft=Latency(mean_s=2.0), end_to_end=Latency(mean_s=2.0))  # fmt: skip
    (case,) = cases(run)
    assert "no streaming" in [question.kind for question in case.cannot_tell]


def test_a_speed_per_request_is_compared_with_as_many_at_once() -> None:
    setup = Setup(model="Qwen/Qwen3-8B", device="NVIDIA H100 80GB HBM3")
    one = request("a client", "vllm", setup=setup, prompt_tokens=512, prefill_s=0.03, output_tokens=256, decode_s=2.2)
    many = replace(one, sequences=32, prefill_s=0.6, decode_s=2.6)
    lone, crowd = (cases(run)[0].decode for run in (one, many))
    assert lone is not None
    assert crowd is not None
    assert lone.typical is not None
    assert crowd.typical is not None
    # 32 sequences share each reading of the weights.
    assert 10 < crowd.typical.typical_tokens_per_s / lone.typical.typical_tokens_per_s < 32


def test_several_devices_in_layers_read_one_after_the_other() -> None:
    setup = Setup(model="llama 70B", weights="Q4_K - Medium", parameters=70.55e9, backend="CUDA",
                  device="NVIDIA GeForce RTX 3090, NVIDIA GeForce RTX 3090", n_devices=2)  # fmt: skip
    (case,) = cases(answer(setup, 128, 17.0))
    assert case.n_devices == 2
    assert case.decode is not None
    # 42 GB, of which 0.6 GB of input table are not read, through one memory of 936 GB/s at a time.
    assert case.decode.best_tokens_per_s == pytest.approx(936.2e9 / 42.0e9, rel=0.03)
    assert case.decode.verdict == "typical"


def test_a_long_log_is_looked_at_from_its_beginning() -> None:
    runs = [
        replace(request("ollama --verbose", "llama.cpp", prefill_s=1.0, decode_s=2.0), line=line, last_line=line)
        for line in range(1, MOST_RUNS + 101)
    ]
    diagnosis = judge(Reading(runs=tuple(runs), lines=2000), Choices())
    assert len(diagnosis.cases) == MOST_CASES
    assert diagnosis.gaps[-1].line == MOST_CASES + 1
    assert f"{MOST_RUNS + 100 - MOST_CASES:,} more runs" in diagnosis.gaps[-1].message


CONFIG = {
    "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 131072,
    "tie_word_embeddings": False,
}  # fmt: skip
TABLE = """\
| model                          |       size |     params | backend    | ngl |          test |              t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ------------: | ---------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         pp512 |   8000.00 ± 20.00 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 |         tg128 |    140.00 ± 0.20 |
"""


def test_a_pasted_table_is_diagnosed_in_one_call() -> None:
    (case,) = diagnose(TABLE, device="rtx-4090").cases
    assert case.model is not None
    assert case.model.key == "llama-3.1-8b"
    assert case.weights is not None
    assert case.weights.name == "Q4_K_M"
    assert case.ttft_s == pytest.approx(512 / 8000)
    assert case.tpot_s == pytest.approx(1 / 140)
    assert case.slow == "decode"
    assert case.decode is not None
    assert case.decode.verdict == "typical"


def test_a_pasted_config_is_as_good_as_a_name() -> None:
    by_name, by_config = (
        diagnose(TABLE, device="rtx-4090", weights="q4_k_m", **given).cases[0].decode  # type: ignore[arg-type]
        for given in ({"model": "llama-3.1-8b"}, {"config": json.dumps(CONFIG)})
    )
    assert by_name is not None
    assert by_name == by_config
    assert load_model("llama-3.1-8b").hidden_size == CONFIG["hidden_size"]


def test_what_is_chosen_wrongly_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match='did you mean "rtx-4090"'):
        diagnose(TABLE, device="rtx-409")
    with pytest.raises(BadConfig, match="line 1"):
        diagnose(TABLE, config="{")
    with pytest.raises(BadValue, match="unknown weight format"):
        diagnose(TABLE, weights="q9")


@pytest.mark.parametrize("text", ["", "\n\n", "hello", "| a | b |\n|---|---|", "{}", "[1, 2", "pp512", "t/s" * 1000])
def test_a_text_without_a_measurement_has_no_cases(text: str) -> None:
    assert diagnose(text).cases == ()


def test_a_request_of_which_one_phase_was_timed_is_not_said_to_have_both() -> None:
    (case,) = diagnose(
        "prompt eval time =     500.00 ms /   100 tokens (    5.00 ms per token,   200.00 tokens per second)"
    ).cases
    assert case.title.startswith("one request, only reading timed")


def test_an_engine_chosen_by_hand_is_said_to_be_chosen() -> None:
    text = "eval rate:            40.00 tokens/s"
    (case,) = diagnose(text, engine="vllm").cases
    assert case.engine is not None
    assert (case.engine.key, case.engine.how) == ("vllm", "your choice")
