"""Are gaps between tokens and the times of tokens read rightly from the record?"""

from __future__ import annotations

import pytest

from pysim.serving.policies import policy_named
from pysim.serving.record import gap_at, gaps, token_times_s, worst_gap_s
from tests.pysim.serving.flat import flat


def test_each_token_has_its_time() -> None:
    # The second prompt of 70 is read in three steps alone; those that write stand still meanwhile.
    outcomes, replica = flat([(0, 4, 5), (2, 70, 2)], policy=policy_named("prefill-first"))
    assert [(each.first_s, each.finish_s) for each in outcomes] == [(1, 8), (5, 6)]
    assert token_times_s(replica.stretches, outcomes[0]) == [1, 2, 6, 7, 8]
    assert token_times_s(replica.stretches, outcomes[1]) == [5, 6]


def test_the_worst_gap_is_the_prompt_that_came_between() -> None:
    outcomes, replica = flat([(0, 4, 5), (2, 70, 2)], policy=policy_named("prefill-first"))
    # Three steps for the prompt and one for the next token; the newcomer waits a step for its second token.
    assert [worst_gap_s(replica.stretches, each) for each in outcomes] == [4, 1]
    assert sorted(gaps(replica.stretches, outcomes)) == [(1.0, 1), (1.0, 1), (1.0, 2), (4.0, 1)]
    assert gap_at([(1.0, 98), (5.0, 2)], 0.5) == 1.0
    assert gap_at([(1.0, 98), (5.0, 2)], 0.99) == 5.0
    assert gap_at([], 0.99) is None


def test_an_eviction_is_a_gap() -> None:
    # Two answers in three blocks: the second is evicted before step 2, and goes on after the first has ended (step 4).
    outcomes, replica = flat([(0, 16, 4), (0, 16, 4)], blocks=3, keeps_rows=False)
    assert outcomes[1].pauses == ((1.0, 5.0),)
    assert worst_gap_s(replica.stretches, outcomes[1]) == pytest.approx(4.0)
    assert token_times_s(replica.stretches, outcomes[1]) == [1, 5, 6, 7]


def test_an_answer_of_one_token_has_no_gap() -> None:
    outcomes, replica = flat([(0, 4, 1)])
    assert worst_gap_s(replica.stretches, outcomes[0]) is None
    assert token_times_s(replica.stretches, outcomes[0]) == [1]
