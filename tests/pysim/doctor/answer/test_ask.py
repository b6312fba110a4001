"""Is the one fact asked for that would settle the verdict, with guesses that could be right?"""

from __future__ import annotations

import pytest

from pysim.catalog.files import device_keys, model_keys
from pysim.doctor.answer.ask import Ask, ask_about
from pysim.doctor.diagnose import diagnose
from pysim.doctor.show.post import as_post
from pysim.doctor.show.terminal import as_lines
from pysim.load import load_device

TIMES = "prompt eval time = 500.00 ms / 500 tokens\n       eval time = {:.2f} ms / 100 tokens\n"


def asked(head: str, rate: float = 40) -> Ask | None:
    (case,) = diagnose(f"{head}\n{TIMES.format(100_000 / rate)}").cases
    return ask_about(case)


def test_a_model_on_an_unknown_device_is_asked_for_the_device_by_its_speed() -> None:
    ask = asked("llama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf")
    assert ask is not None
    assert ask.about == "device"
    assert 1 <= len(ask.guesses) <= 3
    # A token needs 8.0 GB; 40 a second are 320 GB/s, which devices of up to 900 GB/s give at a usual share.
    for guess in ask.guesses:
        assert guess.value in device_keys()
        assert 320e9 < load_device(guess.value).memory_bandwidth_bytes_per_s < 900e9


def test_candidates_of_the_text_are_the_guesses() -> None:
    ask = asked("Mac mini M4 Pro\nllama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf", 20)
    if ask is not None:
        assert [guess.value for guess in ask.guesses] == ["apple-m4-pro-16c", "apple-m4-pro-20c"]


def test_without_a_model_the_model_is_asked_for() -> None:
    ask = asked("RTX 3090")
    assert ask is not None
    assert ask.about == "model"
    near = asked("llama-server -m Qwen3-Next-80B-A3B-Chatty-Q4_K_M.gguf")
    assert near is None or all(guess.value in model_keys() for guess in near.guesses if near.about == "model")


def test_the_memory_is_asked_for_where_it_holds_a_run_back() -> None:
    ask = asked("RTX 3090\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 32", 5)
    assert ask is not None
    assert ask.about == "memory"
    told = f"RTX 3090\n{ask.guesses[0].value}\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 32"
    assert asked(told, 5) is None


def test_a_verdict_leaves_nothing_to_ask() -> None:
    assert asked("RTX 3090\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 99", 35) is None


@pytest.mark.parametrize("head", ["RTX 3090", "llama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf", ""])
def test_the_terminal_names_the_option_that_answers(head: str) -> None:
    lines = as_lines(diagnose(f"{head}\n{TIMES.format(2500)}"))
    ask = asked(head)
    assert ask is not None
    assert sum(line.startswith("asked") for line in lines) == 1
    assert f"--{ask.about}" in " ".join(lines)


def test_a_post_is_markdown_without_folders() -> None:
    post = as_post(
        diagnose(f"llama-server -m /data/jane/secret_things/Own-9B-Q8_0.gguf --api-key k\n{TIMES.format(2500)}")
    )
    assert post.startswith("**")
    assert "| writing | 40 tokens/s" in post
    for private in ("jane", "secret", "api-key"):
        assert private not in post
