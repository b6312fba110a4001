"""Does `speculation` show when guesses pay, and when not?"""

import pytest

from demos import speculation
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read


def shown(**changes: Value) -> Read:
    values = {**start_values(speculation.CONTROLS), **changes}
    return read(speculation.frame(speculation.scene(**values), 0.0))


def test_a_round_yields_the_sum_of_the_chances() -> None:
    # 1 + 0.7 + 0.49 + 0.343 + 0.2401 = 2.7731
    assert float(shown().outputs["tokens_per_round"]) == pytest.approx(2.7731)


def test_one_conversation_gains_and_a_busy_server_loses() -> None:
    assert shown().outputs["pays"] == "true"
    assert shown(conversations=256).outputs["pays"] == "false"


def test_free_guesses_gain_more_than_paid_ones_that_are_right_as_often() -> None:
    paid, free = shown(), shown(guesser="lookup")
    assert free.outputs["draft_s"] == "0"
    assert float(free.outputs["gain"]) > float(paid.outputs["gain"])


def test_guesses_that_are_always_wrong_never_pay() -> None:
    assert shown(acceptance=0).outputs["pays"] == "false"


def test_the_gain_is_the_yield_over_what_the_round_takes() -> None:
    outputs = {name: float(value) for name, value in shown().outputs.items() if name not in {"pays", "fits"}}
    whole_s = outputs["check_s"] + outputs["draft_s"]
    assert outputs["gain"] == pytest.approx(outputs["tokens_per_round"] * outputs["plain_s"] / whole_s, rel=1e-6)


def test_what_does_not_fit_says_so() -> None:
    # 70.6 billion weights of 16 bits are 141 GB, an H100 has 80.
    frame = shown(weights="f16")
    assert frame.outputs["fits"] == "false"
    assert shown().outputs["fits"] == "true"
