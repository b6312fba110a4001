"""Do the passes of a generation count tokens and cache rows right?"""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.errors import BadValue
from pysim.requests.passes import Pass, generation


@given(prompt=st.integers(1, 3000), output=st.integers(0, 200), chunk=st.integers(1, 4000))
def test_n_tokens_take_the_prompt_chunks_and_n_minus_one_decode_passes(prompt: int, output: int, chunk: int) -> None:
    passes = list(generation(prompt_tokens=prompt, output_tokens=output, chunk_tokens=chunk))
    prefill = [p for p in passes if p.kind == "prefill"]
    assert len(prefill) == math.ceil(prompt / chunk)
    assert len(passes) - len(prefill) == max(0, output - 1)
    assert passes[-1].rows_after == prompt + max(0, output - 1)


@given(
    prompt=st.integers(1, 600),
    output=st.integers(0, 200),
    draft=st.integers(0, 12),
    acceptance=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)
def test_guesses_change_the_number_of_passes_but_not_the_tokens_or_the_rows_at_the_end(
    prompt: int, output: int, draft: int, acceptance: float, seed: int
) -> None:
    setting = {"prompt_tokens": prompt, "output_tokens": output, "draft_tokens": draft}
    passes = list(generation(**setting, acceptance=acceptance, seed=seed))
    assert sum(p.yielded_tokens for p in passes) == output
    assert passes[-1].rows_after == prompt + max(0, output - 1)
    assert passes == list(generation(**setting, acceptance=acceptance, seed=seed))
    for before, after in pairwise(passes):
        assert after.context_tokens == before.rows_after
    for p in passes:
        assert p.accepted <= p.drafted <= draft
        if p.kind == "decode":
            assert p.new_tokens == p.drafted + 1
            assert p.yielded_tokens == p.accepted + 1


def test_the_first_answer_token_comes_from_the_last_chunk_only() -> None:
    # 10 tokens in chunks of 4: 4 + 4 + 2.
    passes = list(generation(prompt_tokens=10, output_tokens=1, chunk_tokens=4))
    assert [p.new_tokens for p in passes] == [4, 4, 2]
    assert [p.context_tokens for p in passes] == [0, 4, 8]
    assert [p.yielded_tokens for p in passes] == [0, 0, 1]


def test_no_answer_is_prefill_only_and_yields_nothing() -> None:
    (only,) = generation(prompt_tokens=7, output_tokens=0)
    assert only == Pass(kind="prefill", index=0, new_tokens=7, context_tokens=0, yielded_tokens=0, rows_after=7)


def test_accepted_guesses_save_passes() -> None:
    # 1 token from prefill, then passes of 3 guesses + 1: 4 + 4 + 1 = 9 more.
    passes = list(generation(prompt_tokens=5, output_tokens=10, draft_tokens=3, acceptance=1.0))
    assert [p.yielded_tokens for p in passes] == [1, 4, 4, 1]
    assert passes[-1].drafted == 0


def test_refused_guesses_leave_no_rows() -> None:
    passes = list(generation(prompt_tokens=5, output_tokens=4, draft_tokens=3, acceptance=0.0))
    assert [p.drafted for p in passes] == [0, 2, 1, 0]
    assert [p.rows_after for p in passes] == [5, 6, 7, 8]


def test_57_sampled_tokens_took_56_decode_passes() -> None:
    # Source: https://github.com/abetlen/llama-cpp-python/issues/49
    passes = list(generation(prompt_tokens=20, output_tokens=57))
    assert sum(p.kind == "decode" for p in passes) == 56


@pytest.mark.parametrize(
    "bad",
    [
        {"prompt_tokens": 0},
        {"output_tokens": -1},
        {"chunk_tokens": 0},
        {"draft_tokens": -1},
        {"acceptance": 1.5},
        {"acceptance": float("nan")},
        {"prompt_tokens": 1.5},
    ],
)
def test_an_argument_out_of_range_is_named(bad: dict[str, float]) -> None:
    setting = {"prompt_tokens": 1, "output_tokens": 1} | bad
    with pytest.raises(BadValue, match=next(iter(bad))):
        generation(**setting)  # type: ignore[arg-type]
