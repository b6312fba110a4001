"""Do printed quantities mean what their makers meant?"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pysim import units
from pysim.errors import BadValue


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("3.35 TB/s", "B/s", 3.35e12),
        ("1008 GB/s", "B/s", 1.008e12),
        ("24 GiB", "B", 24 * 1024**3),
        ("24 GB", "B", 24e9),
        ("989 TFLOPS", "FLOP/s", 9.89e14),
        ("1978 TOPS", "FLOP/s", 1.978e15),
        ("191 GFLOP/s", "FLOP/s", 1.91e11),
        ("8.6 ms", "s", 0.0086),
        ("15 µs", "s", 15e-6),
        ("10,485,760 tokens", "tokens", 10_485_760),
        ("755 tok/s", "tokens/s", 755),
        ("1.5e3 B", "B", 1500),
    ],
)
def test_a_printed_quantity_becomes_its_si_value(text: str, unit: str, value: float) -> None:
    assert units.parse(text, unit) == pytest.approx(value, rel=1e-15)


def test_gb_is_not_gib() -> None:
    assert units.parse("80 GiB", "B") / units.parse("80 GB", "B") == pytest.approx(1.073741824)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fast",
        "3.35",
        "3.35 TB",
        "3.35 tb/s",
        "TB/s",
        "nan TB/s",
        "inf B/s",
        "1 2 B/s",
        "1e999 B/s",
        "-",
        "1.2.3 B/s",
    ],
)
def test_what_is_not_a_bandwidth_is_refused_in_words(text: str) -> None:
    with pytest.raises(BadValue, match="B/s"):
        units.parse(text, "B/s")


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (17_179_869_184, "B", "17.18 GB"),
        (999.96e9, "B", "1.000 TB"),
        (999.94e9, "B", "999.9 GB"),
        (512, "B", "512 B"),
        (0, "B", "0 B"),
        (3.35e12, "B/s", "3.350 TB/s"),
        (0.0086, "s", "8.600 ms"),
        (2e-9, "s", "2.000 ns"),
        (12.5, "s", "12.50 s"),
        (0.0, "s", "0 s"),
        (1.652e14, "FLOP/s", "165.2 TFLOP/s"),
        (131072, "tokens", "131,072 tokens"),
        (-2e9, "B", "-2.000 GB"),
    ],
)
def test_a_value_shows_with_the_prefix_that_reads_best(value: float, unit: str, text: str) -> None:
    assert units.show(value, unit) == text


def test_bytes_show_in_binary_on_request_only() -> None:
    assert units.show(17_179_869_184, "B", binary=True) == "16.00 GiB"
    with pytest.raises(BadValue, match="binary"):
        units.show(1.0, "s", binary=True)


def test_what_has_no_number_shows_as_such() -> None:
    assert units.show(math.nan, "s") == "none"
    assert units.show(-math.inf, "s") == "-∞ s"


@given(st.floats(min_value=1e-3, max_value=1e17), st.sampled_from(["B", "B/s", "FLOP/s", "FLOP"]))
def test_what_is_shown_reads_back_within_its_digits(value: float, unit: str) -> None:
    assert units.parse(units.show(value, unit, digits=6), unit) == pytest.approx(value, rel=1e-5)


@pytest.mark.parametrize("unit", ["GB", "flops", ""])
def test_an_unknown_unit_is_named_with_the_known_ones(unit: str) -> None:
    with pytest.raises(BadValue, match="allowed: B, B/s"):
        units.show(1.0, unit)
