"""Do the facts about split models say what pysim says?"""

import pytest

import pysim
from demos.kit.facts import split

CARD = ("qwen3-32b", "rtx-4090", "ryzen-9950x")


def test_what_is_too_much_fits_once_the_named_layers_have_moved() -> None:
    needed = int(split.layers_to_move(*CARD, 32_768, "q4_k_m").value)
    assert split.too_much_bytes("qwen3-32b", "rtx-4090", 32_768, "q4_k_m").value > 0
    # What moves is at least what was too much, and less than one layer more: a layer is a 64th of weights and cache.
    moved = split.moved_bytes(*CARD, needed, 32_768, "q4_k_m").value
    over = split.too_much_bytes("qwen3-32b", "rtx-4090", 32_768, "q4_k_m").value
    assert moved > over


def test_the_speed_is_one_over_the_sum_of_both_times() -> None:
    fact = split.split_tokens_per_s(*CARD, 9, 32_768, "q4_k_m")
    assert fact.inserted.startswith("1 ÷ (")
    assert fact.value < split.split_tokens_per_s(*CARD, 8, 32_768, "q4_k_m").value


def test_the_longest_context_fits_and_one_more_token_does_not() -> None:
    tokens = int(split.longest_context("qwen3-14b", "rtx-4060-ti-16gb", "q6_k").value)
    on = pysim.Deployment(pysim.load_model("qwen3-14b"), pysim.load_device("rtx-4060-ti-16gb"), weight_format="q6_k")
    assert on.memory(tokens).fits
    assert not on.memory(tokens + 1).fits


def test_a_model_that_no_move_makes_fit_is_refused() -> None:
    with pytest.raises(pysim.PysimError, match="does not fit"):
        split.layers_to_move("qwen3-30b-a3b", "rtx-3060-12gb", "ryzen-9950x", 131_072, "q4_k_m", experts=True)
