"""Do guesses save what arithmetic says, and does a full pass make them cost more than they save?"""

import pytest

import pysim
from pysim.roofline.guesses import chances, guessed, tokens_per_round

ON = pysim.Deployment(pysim.load_model("llama-3.1-70b"), pysim.load_device("h100-sxm"), weight_format="q4_k_m")
SMALL = pysim.Deployment(pysim.load_model("llama-3.2-1b"), pysim.load_device("h100-sxm"), weight_format="q4_k_m")


def test_a_round_yields_the_sum_of_a_geometric_series() -> None:
    # (1 − 0.8⁵) ÷ (1 − 0.8) = 0.67232 ÷ 0.2 = 3.3616
    assert tokens_per_round(4, 0.8) == pytest.approx(3.3616)
    assert tokens_per_round(4, 1.0) == 5
    assert tokens_per_round(4, 0.0) == 1


def test_chances_add_up_to_one_and_their_mean_is_the_yield() -> None:
    each = chances(4, 0.7)
    assert sum(each) == pytest.approx(1)
    mean = sum(count * chance for count, chance in enumerate(each, start=1))
    assert mean == pytest.approx(tokens_per_round(4, 0.7))


def test_right_guesses_of_one_conversation_gain_and_wrong_ones_lose() -> None:
    assert guessed(ON, 4, 0.8, 1_000, draft=SMALL).gain > 1.5
    assert guessed(ON, 4, 0.0, 1_000, draft=SMALL).gain < 1


def test_a_guessing_model_costs_its_passes() -> None:
    free, paid = guessed(ON, 4, 0.8, 1_000), guessed(ON, 4, 0.8, 1_000, draft=SMALL)
    assert paid.check_s == free.check_s
    assert paid.draft_s == pytest.approx(4 * SMALL.pass_cost(1, 1_000).time_s)


def test_past_the_ridge_checking_costs_more_than_it_saves() -> None:
    # 256 conversations × 5 tokens is far past the ridge: the check takes about five times a plain pass, and yields 2.8.
    assert guessed(ON, 4, 0.7, 500, 256).gain < 1 < guessed(ON, 4, 0.7, 500, 1).gain


def test_no_guesses_change_nothing() -> None:
    assert guessed(ON, 0, 0.5, 1_000, draft=SMALL).gain == 1


@pytest.mark.parametrize("acceptance", [-0.1, 1.1])
def test_an_acceptance_that_is_no_share_is_refused(acceptance: float) -> None:
    with pytest.raises(pysim.BadValue, match="acceptance"):
        tokens_per_round(4, acceptance)
