"""Does the small transformer give the same with a cache as without, to the last bit and on every machine?"""

from __future__ import annotations

import math
import random
from decimal import Decimal, localcontext

import numpy as np
import pytest

from demos.kv_cache import tiny_transformer as tiny
from demos.kv_cache.tiny_run import STORY, WORDS, network, prompt_word, tiny_run
from demos.kv_cache.tiny_transformer import EXP_STEP, EXP_TABLE, REACH, SCORE_STEP, SHARE_STEP, WINDOW, Array

LAST_BITS = 1e-6  # far more than a library's last bits of exp, 2**-52, in steps of EXP_STEP = 2**-20


def text(tokens: int, seed: int) -> list[int]:
    chance = random.Random(seed).random
    return [int(chance() * len(WORDS)) for _ in range(tokens)]


@pytest.mark.parametrize("prompt", [1, 2, 6, WINDOW, WINDOW + 1, REACH])
def test_the_cache_changes_no_score_by_a_single_bit(prompt: int) -> None:
    tokens = text(prompt, seed=prompt)
    kept = network().read(tokens)
    for _ in range(12):
        tokens.append(kept.token)
        kept = network().read(tokens[-1:], kept.cache)
        again = network().read(tokens[-REACH:])
        assert kept.scores.tobytes() == again.scores.tobytes()
        assert kept.looks.tobytes() == again.looks[-len(kept.looks) :].tobytes()


def test_what_lies_before_the_reach_changes_nothing() -> None:
    tokens = text(tiny.MOST_TOKENS, seed=3)
    whole, end = network().read(tokens), network().read(tokens[-REACH:])
    assert whole.scores.tobytes() == end.scores.tobytes()


def test_the_first_token_within_reach_does_change_the_scores() -> None:
    tokens = text(REACH, seed=4)
    other = [(tokens[0] + 1) % len(WORDS), *tokens[1:]]
    assert network().read(tokens).scores.tobytes() != network().read(other).scores.tobytes()


def added_from_behind(rows: Array, weights: Array) -> Array:
    """A matrix product summed backwards, one product at a time, by Python alone."""
    places = range(weights.shape[0] - 1, -1, -1)
    sums = [[0.0] * weights.shape[1] for _ in rows]
    for row, target in zip(rows.tolist(), sums, strict=True):
        for place in places:
            for out, weight in enumerate(weights[place].tolist()):
                target[out] += row[place] * weight
    return np.array(sums)


def added_in_full_precision(rows: Array, weights: Array) -> Array:
    """A matrix product whose sums are rounded once."""
    columns = weights.T.tolist()
    return np.array([[math.fsum(map(float.__mul__, row, column)) for column in columns] for row in rows.tolist()])


@pytest.mark.parametrize("other", [added_from_behind, added_in_full_precision, np.matmul])
def test_the_order_of_the_sums_changes_no_bit(other: object, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = text(20, seed=5)
    plain = network().read(tokens)
    monkeypatch.setattr(tiny, "product", other)
    assert network().read(tokens).scores.tobytes() == plain.scores.tobytes()


def test_attention_is_the_same_when_its_sums_are_made_one_by_one_from_behind() -> None:
    chance = random.Random(9).random
    drawn = [round((2 * chance() - 1) * 256) / 256 for _ in range(5 * (tiny.QUERIES + 2 * tiny.KEYS))]
    mixed = np.array(drawn).reshape(5, -1)
    queries, rows = mixed[:, : tiny.QUERIES], mixed[:, tiny.QUERIES :]
    seen, shares = tiny.attention(queries, rows)
    for query in range(5):
        for head in range(tiny.HEADS):
            group, first = head // tiny.SHARED, head * tiny.HEAD_WIDTH
            given = shares[group, head % tiny.SHARED, query].tolist()
            for place in range(tiny.HEAD_WIDTH):
                value = 0.0
                for row in range(4, -1, -1):
                    value += given[row] * float(rows[row, tiny.KEYS + group * tiny.HEAD_WIDTH + place])
                assert seen[query, first + place] == round(value * 256) / 256


def test_no_entry_of_the_table_of_exponentials_is_near_a_rounding_edge() -> None:
    with localcontext() as context:
        context.prec = 40
        for place, entry in enumerate(EXP_TABLE[:-1]):
            steps = (-Decimal(place) * Decimal(SCORE_STEP)).exp() / Decimal(EXP_STEP)
            assert abs(steps - int(entry / EXP_STEP)) < Decimal("0.5") - Decimal(LAST_BITS)


def test_a_token_looks_at_itself_and_before_with_shares_of_one_whole() -> None:
    only = network().read(text(1, seed=6))
    assert only.looks.tolist() == [1.0]
    looks = network().read(text(40, seed=7)).looks
    assert len(looks) == WINDOW
    assert looks.min() >= 0
    # Each of WINDOW shares is rounded by half a step at most.
    assert abs(looks.sum() - 1) <= WINDOW * SHARE_STEP / 2


def test_a_pass_too_long_for_its_table_of_distances_is_refused() -> None:
    with pytest.raises(ValueError, match="too many"):
        network().read(text(tiny.MOST_TOKENS + 1, seed=8))


def test_prompts_of_every_length_end_with_the_same_question() -> None:
    assert [prompt_word(back) for back in (6, 5, 4, 3, 2, 1)] == ["why", "is", "the", "sky", "blue", "?"]
    assert prompt_word(len(STORY) + 1) == prompt_word(1)
    assert set(STORY) <= set(WORDS)
    assert len(set(WORDS)) == len(WORDS)


@pytest.mark.parametrize("prompt", [1, 6, 500])
def test_recomputing_gives_the_answer_that_the_cache_gives(prompt: int) -> None:
    run = tiny_run(prompt)
    assert [run.recomputed(index) for index in range(60)] == [run.token(index) for index in range(60)]


def test_the_answer_is_no_loop_of_one_word() -> None:
    run = tiny_run(6)
    assert len({run.token(index) for index in range(16)}) >= 10


def test_looks_may_be_asked_for_in_any_order() -> None:
    late = tiny_run(7).looks(20)
    assert tiny_run(7).looks(3) == tiny_run(7).looks(3)
    assert tiny_run(7).looks(20) == late
    assert len(tiny_run(7).looks(3)) == 7 + 3
