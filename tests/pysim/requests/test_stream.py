"""Do the moments of an answer's tokens agree with the passes that make them?"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pysim
from pysim.deployment import Deployment
from pysim.errors import BadValue
from pysim.requests.passes import generation
from pysim.requests.stream import stream
from pysim.requests.timeline import timed

MODEL, DEVICE = pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090")


def test_every_token_appears_where_its_pass_ends() -> None:
    ends = [
        each.end_s
        for each in timed(generation(prompt_tokens=100, output_tokens=40), Deployment(MODEL, DEVICE), speed="datasheet")
    ]
    found = stream(Deployment(MODEL, DEVICE), prompt_tokens=100, output_tokens=40, speed="datasheet")
    assert [found.token_s(k) for k in range(1, 41)] == pytest.approx(ends, rel=1e-12)


def test_tokens_at_a_moment_are_those_that_have_appeared() -> None:
    found = stream(Deployment(MODEL, DEVICE), prompt_tokens=100, output_tokens=40, speed="datasheet")
    assert found.tokens_at(0.0) == 0
    assert found.tokens_at(found.ttft_s) == 1
    assert found.tokens_at(found.token_s(17)) == 17
    assert found.tokens_at((found.token_s(17) + found.token_s(18)) / 2) == 17
    assert found.tokens_at(1e9) == 40


@given(st.integers(1, 3000), st.integers(1, 3000), st.floats(0, 1.1))
def test_the_last_token_that_has_appeared_is_found(prompt: int, output: int, share: float) -> None:
    found = stream(Deployment(MODEL, DEVICE), prompt_tokens=prompt, output_tokens=output, speed="datasheet")
    t_s = share * found.end_s
    number = found.tokens_at(t_s)
    assert number == 0 or found.token_s(number) <= t_s
    assert number == output or found.token_s(number + 1) > t_s


def test_the_end_is_what_estimate_says() -> None:
    found = stream(Deployment(MODEL, DEVICE), prompt_tokens=1000, output_tokens=300)
    whole = pysim.estimate(pysim.Deployment(MODEL, DEVICE), prompt_tokens=1000, output_tokens=300)
    assert (found.ttft_s, found.end_s) == pytest.approx((whole.ttft_s, whole.total_s))


@pytest.mark.parametrize("number", [0, 41, -1, float("nan"), "1", True])
def test_a_token_out_of_the_answer_is_an_error(number: Any) -> None:
    answer = stream(Deployment(MODEL, DEVICE), prompt_tokens=1, output_tokens=40, speed="datasheet")
    with pytest.raises(BadValue, match="40 tokens has no token number"):
        answer.token_s(number)


@pytest.mark.parametrize("t_s", [float("nan"), "1", None, True])
def test_what_is_no_moment_is_an_error(t_s: Any) -> None:
    answer = stream(Deployment(MODEL, DEVICE), prompt_tokens=1, output_tokens=40, speed="datasheet")
    with pytest.raises(BadValue, match="t_s must be a number of seconds"):
        answer.tokens_at(t_s)
    assert answer.tokens_at(float("inf")) == 40
