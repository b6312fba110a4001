"""Does an answer say first whether this is normal, in few lines, and nothing twice?"""

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.diagnose import diagnose
from pysim.doctor.show.terminal import MOST_LINES, as_lines
from tests.pysim.doctor.samples import names, sample

TABLE = """  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9
| model                          |       size |     params | backend    | ngl |          test |              t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ------------: | ---------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  {layers} |   tg128 |     {rate} ± 0.10 |
"""


def row(rate: float, layers: int = 99) -> str:
    return TABLE.format(rate=f"{rate:.2f}", layers=layers)


@pytest.mark.parametrize(
    ("rate", "verdict"),
    [(150, "Normal for"), (30, "Slower than normal for"), (900, "Something is wrong with the names")],
)
def test_the_first_words_are_the_verdict(rate: float, verdict: str) -> None:
    lines = as_lines(diagnose(row(rate)))
    assert lines[0].startswith(verdict)
    assert "Llama 3.1 8B in Q4_K_M on NVIDIA GeForce RTX 4090" in " ".join(lines)


def test_layers_on_the_host_come_before_any_comparison() -> None:
    answer = answer_of(diagnose(row(12, layers=10)))
    assert answer.verdict.startswith("Normal for this set-up: writing 12 tokens/s")
    assert "Main memory holds it back: 10 of 32 layers on the device." in answer.verdict
    assert "All of it on the NVIDIA GeForce RTX 4090 would give" in answer.verdict
    assert answer.changes[0].what == "Put all layers on the device (-ngl 99)"


def test_a_text_about_one_slow_run_among_normal_ones_is_about_that_one() -> None:
    answer = answer_of(diagnose(row(150) + row(30).splitlines()[-1] + "\n"))
    assert answer.number == 2
    assert "Line 5: slower than normal" in answer.verdict
    assert [figure.label for figure in answer.figures][-2:] == ["line 4", "line 5"]


def test_a_rate_in_words_gets_a_verdict_with_its_condition() -> None:
    answer = answer_of(diagnose("I get about 45 t/s with Llama 3.1 8B Q4_K_M on my RTX 3060, is this normal?"))
    assert answer.verdict.startswith("Normal for Llama 3.1 8B")
    assert "if 45 tokens/s is the speed of writing" in answer.verdict


def test_what_does_not_fit_is_not_held_against_a_card_that_holds_it() -> None:
    # 70.6 billion weights of 4.8 bits are 42 GB, the card has 24 GiB.
    answer = answer_of(diagnose("I get 3.5 t/s with Llama 3.1 70B Q4_K_M on my RTX 3090, is this normal?"))
    assert "does not fit" in answer.verdict
    assert "typical" not in answer.verdict


def test_a_prompt_from_the_cache_is_no_wrong_name() -> None:
    text = (
        "RTX 4090\nllama-server -m Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf -ngl 99\n"
        "prompt eval time = 10.00 ms / 5000 tokens\n       eval time = 1000.00 ms / 140 tokens\n"
    )
    verdict = answer_of(diagnose(text)).verdict
    assert "most of the prompt came from the cache, or a name is wrong" in verdict
    assert "Writing is normal: 140 tokens/s" in verdict


def test_of_two_models_in_a_sentence_none_is_judged() -> None:
    answer = answer_of(diagnose("I get 80 t/s, with Qwen3 32B or was it Qwen3 8B, on my RTX 5090"))
    assert not answer.verdict.startswith(("Normal", "Slower", "Faster"))


def test_what_cannot_be_told_is_said_once_and_names_are_not_said_twice() -> None:
    text = "eval count: 200 token(s)\neval duration: 8s\neval rate: 25.00 tokens/s\n"
    shown = " ".join(as_lines(diagnose(text)))
    assert shown.count("no known model") == 1
    assert shown.count("config.json") == 1


@pytest.mark.parametrize("name", sorted(names()))
def test_every_tool_s_output_is_answered_in_a_terminal_s_page(name: str) -> None:
    for width in (60, 80, 200):
        lines = as_lines(diagnose(sample(name)), width=width)
        assert 0 < len(lines) <= MOST_LINES
        assert all(len(line) <= width for line in lines)


def test_the_median_answer_is_short() -> None:
    lengths = sorted(len(as_lines(diagnose(sample(name)))) for name in names())
    assert lengths[len(lengths) // 2] <= 15


def test_a_log_of_many_runs_ends_with_what_shows_the_rest() -> None:
    many = "".join(
        row(150 - number) if number == 0 else row(150 - number).splitlines()[-1] + "\n" for number in range(30)
    )
    lines = as_lines(diagnose(many))
    assert len(lines) <= MOST_LINES
    assert any("more runs" in line for line in lines)


def test_names_that_were_not_taken_and_tables_made_by_hand_are_told_with_the_figures() -> None:
    answer = answer_of(diagnose("A friend with an RTX 4090 gets 100\neval rate: 20.00 tokens/s\n"))
    assert [figure.text for figure in answer.figures if figure.label == "note"] == [
        'not taken for the device of this run: "RTX 4090" in line 1 (it is somebody else\'s)'
    ]
    answer = answer_of(diagnose("| Model | TG t/s |\n|---|---|\n| Qwen3 32B | 30 |\n"))
    assert any(figure.label == "note" and "table made by hand" in figure.text for figure in answer.figures)
