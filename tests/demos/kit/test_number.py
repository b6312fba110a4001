"""Numbers in a page: raw values, lengths and plurals."""

import pytest

from demos.kit import number


@pytest.mark.parametrize(
    ("value", "text"),
    [(17179869184.0, "17179869184"), (0.1, "0.1"), (1 / 3, "0.333333333"), (2e-9 / 3, "6.66666667e-10"), (0, "0")],
)
def test_raw_numbers_are_whole_or_nine_digits(value: float, text: str) -> None:
    assert number.raw(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_readout_that_is_not_finite_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        number.raw(value)


def test_lengths_have_two_decimals_and_no_negative_zero() -> None:
    assert [number.length(x) for x in (100 / 3, 20.0, -0.001)] == ["33.33", "20", "0"]


def test_plurals() -> None:
    assert number.plural(1, "pass") == "1 pass"
    assert number.plural(2, "pass") == "2 passes"
    assert number.plural(1000, "token") == "1,000 tokens"
