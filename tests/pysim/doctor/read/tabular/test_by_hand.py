"""Are tables that people make by hand read as far as their headings are known, and no further?"""

import pytest

from pysim.doctor.diagnose import diagnose
from pysim.doctor.find import read
from pysim.doctor.read.tabular.by_hand import TOOL, value_of
from pysim.doctor.read.tabular.heads import Head, head_of


@pytest.mark.parametrize(
    ("words", "head"),
    [
        ("PP t/s", Head("prompt", "rate")),
        ("Prompt Processing", Head("prompt", "rate")),
        ("Token Generation", Head("answer", "rate")),
        ("TG (tok/s)", Head("answer", "rate")),
        ("tg128", Head("answer", "rate", 128)),
        ("Tokens/Sekunde", Head("both", "rate")),
        ("TPS", Head("both", "rate")),
        ("TTFT (ms)", Head("ttft", "ms")),
        ("TTFT (s)", Head("ttft", "s")),
        ("TPOT (ms)", Head("tpot", "ms")),
        ("ms/token", Head("tpot", "ms")),
        ("ISL", Head("prompt", "tokens")),
        ("Output tokens", Head("answer", "tokens")),
        ("Concurrency", Head("concurrency", "count")),
        ("Batch size", Head("batch", "count")),
        ("Context", Head("depth", "tokens")),
        ("Model", Head("model", "words")),
        ("Quant", Head("weights", "words")),
        ("GPU", Head("device", "words")),
        ("Speedup", None),
        ("VRAM (GB)", None),
        ("P99 TTFT (ms)", None),
        ("Price", None),
    ],
)
def test_a_heading_says_what_its_column_holds(words: str, head: Head | None) -> None:
    assert head_of(words) == head


@pytest.mark.parametrize(
    ("cell", "unit", "value"),
    [
        ("**1,100 t/s**", "rate", 1100), ("~35", "rate", 35), ("12,5", "rate", 12.5), ("500", "ms", 0.5),
        ("1.5 s", "ms", 1.5), ("40.1 ± 0.3", "rate", 40.1), ("16k", "tokens", 16384), ("OOM", "rate", None),
        ("9-10", "rate", None), ("-", "rate", None), ("12 (13)", "rate", 12), ("5 GB", "rate", None),
    ],
)  # fmt: skip
def test_a_cell_is_a_number_in_its_unit_or_nothing(cell: str, unit: str, value: float | None) -> None:
    assert value_of(cell, unit) == (None if value is None else pytest.approx(value))


def test_rows_are_runs_with_their_own_names() -> None:
    first, second = read(
        "| Model | Quant | GPU | PP t/s | TG t/s |\n|---|---|---|---:|---:|\n"
        "| Llama 3.1 8B | Q4_K_M | RTX 3090 | 3.900 | 110,5 |\n| Qwen3 32B | Q4_K_M | RTX 3090 | 1,100 | 34 |\n"
    ).runs
    # A comma before decimals in a row makes its points separators of thousands.
    assert (first.tool, first.prefill_tokens_per_s, first.decode_tokens_per_s) == (TOOL, 3900, 110.5)
    assert (second.prefill_tokens_per_s, second.setup.model, second.setup.device) == (1100, "Qwen3 32B", "RTX 3090")
    assert "table made by hand" in first.doubts[0]


def test_times_to_tokens_are_a_services() -> None:
    first, second = read(
        "|  ISL  | OSL  | Concurrency | TTFT (ms) | TPOT (ms) |\n|-------|------|-----|-----|----|\n"
        "|  1024 |  128 |           1 |     500.0 |      25.0 |\n|  4096 |  128 |  8 |    2000.0 |      50.0 |\n"
    ).runs
    assert (first.kind, first.prompt_tokens, first.output_tokens, first.sequences) == ("service", 1024, 128, 1)
    assert first.ttft is not None
    assert (first.ttft.mean_s, first.decode_tokens_per_s) == (0.5, 40)
    assert (second.sequences, second.decode_tokens_per_s) == (8, 20)


def test_columns_are_runs_where_the_rows_are_figures() -> None:
    runs = read("Metric\tBefore\tAfter\nPrompt eval rate\t320 t/s\t640 t/s\nEval rate\t10 t/s\t20 t/s\n").runs
    assert [(run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in runs] == [
        ("Before", 320, 10),
        ("After", 640, 20),
    ]


def test_a_test_in_each_row_has_a_run_for_each_build_and_none_for_the_gain() -> None:
    runs = read(
        "| test | master | PR | speedup |\n|---|---|---|---|\n| pp4096 @ d0 | 900.5 | 1100.2 | 1.22 |\n"
        "| tg32 @ d0 | 40.1 | 41.2 | 1.03 |\n"
    ).runs
    assert [run.prefill_tokens_per_s or run.decode_tokens_per_s for run in runs] == [900.5, 1100.2, 40.1, 41.2]
    assert [run.prompt_tokens or run.output_tokens for run in runs] == [4096, 4096, 32, 32]


@pytest.mark.parametrize(
    "table",
    [
        "| Card | VRAM (GB) | Price |\n|---|---|---|\n| RTX 3090 | 24 | 800 |\n",
        "| Model | Speedup |\n|---|---|\n| Qwen3 32B | 1.4 |\n",
        "| Model | TG t/s |\n|---|---|\n| Qwen3 32B | OOM |\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n",
    ],
)
def test_other_tables_are_no_measurements(table: str) -> None:
    assert read(table).runs == ()


def test_a_batch_of_unknown_meaning_leaves_the_number_of_answers_open() -> None:
    (run,) = read("| Batch | TG t/s |\n|---|---|\n| 512 | 300 |\n").runs
    assert run.sequences is None
    assert any("batch" in doubt for doubt in run.doubts)


def test_columns_of_one_phase_are_runs_of_their_own() -> None:
    runs = read("| Model | TG t/s (3090) | TG t/s (4090) |\n|---|---|---|\n| Qwen3 32B | 30 | 40 |\n").runs
    assert [(run.label, run.decode_tokens_per_s) for run in runs] == [("TG t/s (3090)", 30), ("TG t/s (4090)", 40)]


def test_the_mean_before_its_percentiles_is_taken() -> None:
    (run,) = read(
        "| ISL | OSL | Concur | TTFT Avg (ms) | TTFT P50 (ms) | TPOT Avg (ms) | TPOT P50 (ms) | Tok/s |\n"
        "|---|---|---|---|---|---|---|---|\n| 128 | 128 | 32 | 2500 | 2600 | 50 | 40 | 480 |\n"
    ).runs
    assert run.ttft is not None
    assert (run.ttft.mean_s, run.decode_tokens_per_s, run.decode_total_tokens_per_s, run.sequences) == (
        2.5,
        20,
        480,
        32,
    )


def test_a_comparison_of_tests_before_and_after_has_both() -> None:
    runs = read(
        "| Test | Before (t/s) | After (t/s) | Diff |\n|---|---|---|---|\n| pp128 | 150 | 300 | **+100%** |\n"
    ).runs
    assert [run.prefill_tokens_per_s for run in runs] == [150, 300]


def test_two_programs_in_rows_are_no_chat_statistics() -> None:
    runs = read(
        "| | Prompt processing | Generation |\n|---|---|---|\n| LLama.cpp | 1490 tokens/s | 30 tokens/s |\n"
        "| Koboldcpp | 34 tokens/s | 5 tokens/s |\n"
    ).runs
    assert [(run.label, run.prefill_tokens_per_s, run.decode_tokens_per_s) for run in runs] == [
        ("LLama.cpp", 1490, 30),
        ("Koboldcpp", 34, 5),
    ]


def test_a_phase_alone_is_no_speed_where_nothing_says_its_unit() -> None:
    table = "| | decoding |\n|---|---|\n| vllm + flash attention | 16.7{} |\n"
    assert read(table.format("")).runs == ()
    (run,) = read(table.format(" t/s")).runs
    assert run.decode_tokens_per_s == 16.7


def test_cells_that_say_their_unit_need_no_known_heading() -> None:
    text = "| Model | RTX 3090 | RTX 4090 |\n|---|---|---|\n| Qwen3 32B Q4_K_M | 33 t/s | 40 t/s |\n"
    assert [(run.label, run.combined_tokens_per_s) for run in read(text).runs] == [
        ("RTX 3090, Qwen3 32B Q4_K_M", 33),
        ("RTX 4090, Qwen3 32B Q4_K_M", 40),
    ]
    assert [case.device.key for case in diagnose(text).cases if case.device] == ["rtx-3090", "rtx-4090"]
