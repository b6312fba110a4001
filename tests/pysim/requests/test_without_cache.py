"""How much work is an answer with a KV cache, and without one?"""

import pytest

from pysim.errors import BadValue
from pysim.requests.passes import generation
from pysim.requests.without_cache import fed, tokens_computed

SIZES = [(1, 1), (1, 24), (6, 1), (6, 16), (1000, 48), (2048, 512)]


@pytest.mark.parametrize(("prompt", "answer"), SIZES)
def test_the_passes_with_a_cache_are_those_of_a_generation(prompt: int, answer: int) -> None:
    passes = list(generation(prompt_tokens=prompt, output_tokens=answer))
    steps = fed(prompt_tokens=prompt, output_tokens=answer, cache=True)
    assert list(steps.new_tokens) == [each.new_tokens for each in passes]
    assert list(steps.context_tokens) == [each.context_tokens for each in passes]


@pytest.mark.parametrize(("prompt", "answer"), SIZES)
def test_without_a_cache_each_pass_takes_what_the_cache_held_and_what_is_new(prompt: int, answer: int) -> None:
    kept = fed(prompt_tokens=prompt, output_tokens=answer, cache=True)
    again = fed(prompt_tokens=prompt, output_tokens=answer, cache=False)
    held = zip(kept.context_tokens, kept.new_tokens, strict=True)
    assert list(again.new_tokens) == [context + new for context, new in held]
    assert set(again.context_tokens) == {0}


@pytest.mark.parametrize("cache", [True, False])
@pytest.mark.parametrize(("prompt", "answer"), SIZES)
def test_the_closed_form_counts_what_the_passes_are_fed(prompt: int, answer: int, cache: bool) -> None:
    steps = fed(prompt_tokens=prompt, output_tokens=answer, cache=cache)
    assert tokens_computed(prompt_tokens=prompt, output_tokens=answer, cache=cache) == sum(steps.new_tokens)


def test_16_tokens_after_6_are_216_computations_or_21() -> None:
    # 16 × 6 + 16 × 15 / 2 = 96 + 120, against 6 + 16 - 1
    assert tokens_computed(prompt_tokens=6, output_tokens=16, cache=False) == 216
    assert tokens_computed(prompt_tokens=6, output_tokens=16, cache=True) == 21


def test_from_one_token_n_tokens_are_the_sum_of_1_to_n() -> None:
    # 24 × 25 / 2 = 300 against 24
    assert tokens_computed(prompt_tokens=1, output_tokens=24, cache=False) == 300
    assert tokens_computed(prompt_tokens=1, output_tokens=24, cache=True) == 24


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_a_count_out_of_range_is_named(bad: int) -> None:
    with pytest.raises(BadValue, match="prompt_tokens"):
        fed(prompt_tokens=bad, output_tokens=1, cache=True)
    with pytest.raises(BadValue, match="output_tokens"):
        tokens_computed(prompt_tokens=1, output_tokens=bad, cache=False)
