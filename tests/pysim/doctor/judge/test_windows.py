"""Do only steady windows of a server's log show how fast it writes?"""

from __future__ import annotations

from typing import Final

import pytest

from pysim.doctor.answer.answer import answer_of
from pysim.doctor.diagnose import diagnose

LINE: Final = (
    "INFO 05-05 10:00:{:02d} metrics.py:455] Avg prompt throughput: {:.1f} tokens/s, Avg generation throughput: {:.1f} "
    "tokens/s, Running: {} reqs, Swapped: 0 reqs, Pending: {} reqs, GPU KV cache usage: {}%, CPU KV cache usage: 0%.\n"
)


def log(*windows: tuple[float, float, int], waiting: int = 0, used: float = 12.5, head: str = "") -> str:
    """Prompt tokens per second, answer tokens per second and running requests of each window."""
    lines = [
        LINE.format(at, prompt, written, running, waiting, used)
        for at, (prompt, written, running) in enumerate(windows)
    ]
    return head + "".join(lines)


def test_windows_in_which_requests_begin_or_end_do_not_count() -> None:
    (case,) = diagnose(log((3.0, 0.5, 1), (0, 40, 1), (0, 40, 1), (0, 12, 0))).cases
    assert case.decode is not None
    assert case.decode.each_tokens_per_s == 40
    assert not case.decode.at_least
    assert case.tpot_s == pytest.approx(1 / 40)


def test_without_a_steady_window_the_rate_is_a_lower_bound() -> None:
    (case,) = diagnose(log((300, 20, 2), (100, 60, 3))).cases
    assert case.decode is not None
    assert case.decode.at_least
    assert case.tpot_s is None
    assert answer_of(diagnose(log((300, 20, 2)))).verdict.startswith("Writing at least")


def test_a_steady_log_of_a_known_server_gets_a_verdict() -> None:
    head = "vllm serve Qwen/Qwen3-8B on an NVIDIA H100 80GB HBM3\n"
    steady = answer_of(diagnose(log((500, 90, 1), (0, 140, 1), (0, 141, 1), head=head)))
    assert steady.verdict.startswith("Normal for Qwen3 8B")
    # 12.5% of the cache in use: an eighth.
    assert "room for about 8 times as many requests" in steady.verdict
    slow = answer_of(diagnose(log((500, 9, 1), (0, 14, 1), (0, 14, 1), head=head)))
    assert slow.verdict.startswith("Slower than normal")


def test_what_a_long_context_explains_is_no_verdict() -> None:
    head = "vllm serve Qwen/Qwen3-8B on an NVIDIA H100 80GB HBM3\n"
    (case,) = diagnose(log((500, 9, 1), (0, 80, 1), (0, 80, 1), head=head)).cases
    assert case.decode is not None
    assert case.decode.verdict is None
    assert case.decode.note is not None
    assert "1,000 tokens in the cache" in case.decode.note


def test_a_full_server_has_no_room() -> None:
    assert "room for" not in answer_of(diagnose(log((0, 400, 8), (0, 400, 8), used=80.0))).verdict
    assert "room for" not in answer_of(diagnose(log((0, 400, 8), (0, 400, 8), waiting=5))).verdict


def test_a_prompt_read_far_too_fast_came_from_the_cache() -> None:
    text = "prompt eval count:    5000 token(s)\nprompt eval duration: 1s\nprompt eval rate:     5000.00 tokens/s\n"
    text += "eval count:           50 token(s)\neval duration:        5s\neval rate:            10.00 tokens/s\n"
    (case,) = diagnose(text).cases
    assert any("500 times as fast" in question.message for question in case.cannot_tell)
