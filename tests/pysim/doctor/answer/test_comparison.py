"""Is the difference between the runs of one text said first, with the settings that make it?"""

from __future__ import annotations

from typing import Final

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.answer.comparison import Comparison, compare
from pysim.doctor.answer.settings import switches_of
from pysim.doctor.diagnose import diagnose
from pysim.doctor.show.terminal import MOST_LINES, as_lines

HEAD: Final = (
    "  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9\n"
    "| model | size | params | backend | ngl | fa | test | t/s |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n"
)


def row(test: str, rate: float, *, layers: int = 99, attention: int = 1, model: str = "llama 8B") -> str:
    size, params = {"llama 8B": ("4.58 GiB", "8.03 B"), "llama 70B": ("39.59 GiB", "70.55 B")}[model]
    return (
        f"| {model} Q4_K - Medium | {size} | {params} | CUDA | {layers} | {attention} | {test} | {rate:.2f} ± 0.10 |\n"
    )


def compared(text: str) -> Comparison:
    comparison = compare(diagnose(text).cases)
    assert comparison is not None
    return comparison


def test_of_two_runs_the_faster_is_named_with_what_differs() -> None:
    comparison = compared(HEAD + row("tg128", 12, layers=10) + row("tg128", 120))
    # 120 / 12
    assert comparison.sentence == (
        "The second run writes 10 times as fast: 120 tokens/s instead of 12 tokens/s. "
        "They differ in layers on the device (10, all)."
    )
    assert comparison.keep == ("layers on the device: all", 10)
    assert comparison.labels == ("layers on the device 10", "layers on the device all")


def test_what_was_faster_here_is_the_first_change() -> None:
    answer = answer_of(diagnose(HEAD + row("tg128", 60, attention=0) + row("tg128", 150)))
    assert answer.verdict.startswith("The second run writes 2.5 times as fast")
    assert answer.changes[0].what == "Keep flash attention: on"
    assert answer.changes[0].gain == "2.5 times as fast, as measured here"


def test_two_that_are_alike_are_said_to_be() -> None:
    sentence = compared(HEAD + row("tg128", 148, attention=0) + row("tg128", 150)).sentence
    assert sentence.startswith("Both runs write about as fast (148 tokens/s and 150 tokens/s)")
    assert "flash attention (off, on)" in sentence


def test_a_curve_over_the_context_is_one_sentence_with_where_half_is_left() -> None:
    rows = [
        row(f"tg128 @ d{depth}" if depth else "tg128", rate)
        for depth, rate in zip((0, 8192, 16384), (100, 80, 40), strict=True)
    ]
    sentence = compared(HEAD + "".join(rows)).sentence
    # A token takes 10, 12.5 and 25 ms; 20 ms are at 8192 + 8192 x 7.5 / 12.5 = 13,107.
    falls = "Writing falls from 100 tokens/s to 40 tokens/s as the context grows from 0 to 16,384 tokens"
    assert sentence == f"{falls}; half the speed is left at 13,000."


def test_a_curve_that_rises_or_has_a_peak_says_so() -> None:
    rising = "".join(row("tg128", rate, layers=layers) for layers, rate in ((10, 12), (20, 20), (33, 120)))
    assert compared(HEAD + rising).sentence == (
        "Writing rises from 12 tokens/s to 120 tokens/s as layers on the device grow from 10 to 33."
    )
    peak = "".join(row("tg128", rate, layers=layers) for layers, rate in ((10, 12), (20, 90), (33, 30)))
    assert "fastest, 90 tokens/s, at 20" in compared(HEAD + peak).sentence
    flat = "".join(row("tg128", rate, layers=layers) for layers, rate in ((10, 100), (20, 101), (33, 102)))
    assert "stays at 100 tokens/s to 102 tokens/s" in compared(HEAD + flat).sentence


def test_a_smaller_model_that_is_slower_runs_elsewhere() -> None:
    sentence = compared(HEAD + row("tg128", 5) + row("tg128", 18, model="llama 70B")).sentence
    assert "The slower model is the smaller one: it does not run where the larger one does." in sentence
    larger = compared(HEAD + row("tg128", 150) + row("tg128", 18, model="llama 70B")).sentence
    assert "smaller one" not in larger


def test_of_many_runs_the_fastest_and_the_slowest_are_compared() -> None:
    rows = row("tg128", 30, layers=20, attention=0) + row("tg128", 40, layers=20) + row("tg128", 120)
    sentence = compared(HEAD + rows).sentence
    assert sentence.startswith(
        "Of 3 runs the fastest writes 4 times as fast as the slowest: 120 tokens/s instead of 30"
    )
    assert "layers on the device (all, 20)" in sentence
    assert "flash attention (on, off)" in sentence


def test_commands_are_compared_by_the_switches_that_act_on_speed() -> None:
    command = "./llama-server -m /data/me/secret.gguf --api-key abc -fa --threads 8 --top-k=0 -ot ^secret/path$"
    assert switches_of(command) == {"-fa": "on", "-t": "8", "--top-k": "0", "-ot": "on"}
    times = "prompt eval time = 100.00 ms / 100 tokens\n       eval time = {:.2f} ms / 100 tokens\n"
    text = "llama-server -m a-8b.Q4_0.gguf --top-k 0\n{}llama-server -m a-8b.Q4_0.gguf --top-k 40\n{}"
    sentence = compared(text.format(times.format(4000), times.format(1000))).sentence
    assert "The second run writes 4 times as fast" in sentence
    assert "--top-k (0, 40)" in sentence


def test_more_requests_at_once_are_compared_together_and_each() -> None:
    head = "vllm serve Qwen/Qwen3-8B\n"
    line = (
        "INFO 05-05 10:00:0{0} metrics.py:455] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: {1} "
        "tokens/s, Running: {2} reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 9.0%, "
        "CPU KV cache usage: 0.0%.\n"
    )
    one, eight = (diagnose(head + line.format(1, total, running)).cases[0] for total, running in ((50, 1), (320, 8)))
    comparison = compare([one, eight])
    assert comparison is not None
    assert comparison.sentence == (
        "With 8 requests at once each writes 40 tokens/s, with 1 it is 50 tokens/s; together they write 320 tokens/s "
        "instead of 50 tokens/s."
    )
    assert comparison.keep is None


def test_one_run_is_compared_with_nothing() -> None:
    assert compare(diagnose(HEAD + row("tg128", 100)).cases) is None
    assert compare(()) is None


@pytest.mark.parametrize("count", [2, 7, 40])
def test_many_runs_are_one_answer_of_a_page(count: int) -> None:
    text = HEAD + "".join(row("tg128", 100 + number, layers=number + 1) for number in range(count))
    lines = as_lines(diagnose(text))
    assert len(lines) <= MOST_LINES
    assert sum(line.startswith("Try:") for line in lines) <= 1
