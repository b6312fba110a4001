"""Do printed numbers, durations and sizes mean what their tools meant?"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim.doctor.read import numbers


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1,764.61", 1764.61),
        (" 139356.80 ", 139356.80),
        ("-3", -3),
        ("2e-3", 0.002),
        ("1,234,567", 1_234_567),
        ("12,34", None),
        ("1.2.3", None),
        ("inf", None),
        ("nan", None),
        ("", None),
        ("1e999", None),
        ("12 ms", None),
    ],
)
def test_a_number_is_read_only_where_it_is_one(text: str, value: float | None) -> None:
    assert numbers.number(text) == value


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("5.088275983s", 5.088275983),
        ("204.563ms", 0.204563),
        ("1m2.5s", 62.5),
        ("1h2m3s", 3723),
        ("850µs", 850e-6),
        ("850μs", 850e-6),
        ("12ns", 12e-9),
        ("2 min 5 s", 125),
        ("3 hours", 10_800),
        ("1,200 ms", 1.2),
        ("15 seconds", 15),
        ("5", None),
        ("5 tokens", None),
        ("", None),
        ("1m of rope", None),
    ],
)
def test_a_duration_becomes_seconds(text: str, seconds: float | None) -> None:
    assert numbers.duration_s(text) == (None if seconds is None else pytest.approx(seconds, rel=1e-12))


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("59.02 GiB", 59.02 * 1024**3),
        ("3825.07 MB", 3825.07e6),
        ("126976 MiB", 126976 * 1024**2),
        ("3.6G", 3.6e9),
        ("512 B", 512),
        ("512", None),
        ("6.74 Billion", None),
    ],
)
def test_a_size_becomes_bytes_and_gb_is_not_gib(text: str, size: float | None) -> None:
    assert numbers.size_bytes(text) == (None if size is None else pytest.approx(size, rel=1e-12))


def test_a_count_of_parameters_has_its_own_letters() -> None:
    assert numbers.amount("116.83 B") == pytest.approx(116.83e9)
    assert numbers.amount("630M") == 630e6


@pytest.mark.parametrize("sign", ["±", "+-", "+/-", "┬▒", "Â±"])
def test_mean_and_deviation_are_parted_by_any_form_of_the_sign(sign: str) -> None:
    assert numbers.with_deviation(f"  625.58 {sign} 109.36") == (625.58, 109.36)
    assert numbers.with_deviation("51.81") == (51.81, None)


@pytest.mark.parametrize("value", [True, None, [], math.inf, math.nan, 10**400, "x", "1e999"])
def test_what_is_no_finite_number_in_json_is_none(value: object) -> None:
    assert numbers.finite(value) is None


@given(st.text())
def test_no_text_is_an_error(text: str) -> None:
    numbers.number(text)
    numbers.duration_s(text)
    numbers.size_bytes(text)
    numbers.amount(text)
    numbers.with_deviation(text)
