"""Do numbers, token cells, readouts, rows and errors come out as every machine and reader needs them?"""

import pytest

from demos.kit import number
from demos.kit.declare.csv_rows import csv_text
from demos.kit.declare.readouts import Missing, Readout, readouts
from demos.kit.draw.tokens import cell, visible, window
from demos.kit.errors import KitError
from demos.kit.host.registry import load
from demos.kit.html import data_json
from demos.two_phases.kv_rows import MOST_CELLS, Rows, kv_rows
from demos.two_phases.pass_picture import thinned
from tests.demos.reading import read


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


def test_a_missing_value_says_none_and_why() -> None:
    declared = [Readout(name="tpot_s", label="Per token", unit="s")]
    html = readouts(declared, {"tpot_s": Missing("one token has no gap")}).safe_str
    found = read(html)
    assert found.outputs == {"tpot_s": "none"}
    assert "one token has no gap" in found.text


def test_readouts_must_be_exactly_the_declared_ones() -> None:
    with pytest.raises(ValueError, match="extra"):
        readouts([], {"extra": 1})


def test_a_text_readout_takes_declared_texts_only() -> None:
    declared = [Readout(name="bound", label="Bound by", texts={"memory": "memory"})]
    with pytest.raises(ValueError, match="may be memory"):
        readouts(declared, {"bound": "mermory"})


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        (" a", "·a"),
        ("\n", "↵"),
        ("\x00", "␀"),
        ("\u202e", "⟨202E⟩"),
        ("\ud800", "⟨D800⟩"),
        ("👩\u200d👧", "👩\u200d👧"),
        ("שלום", "שלום"),
    ],
)
def test_no_token_is_invisible(text: str, seen: str) -> None:
    assert visible(text) == seen


def test_a_token_cell_escapes_its_text() -> None:
    assert cell("<b>", "p").safe_str == '<bdi class="tok p">&lt;b&gt;</bdi>'


def test_a_window_shows_all_or_names_what_it_hides() -> None:
    assert window(91, 70, 20) == (range(91), 0, range(0))
    assert window(1000, 70, 20) == (range(70), 910, range(980, 1000))


def test_a_spreadsheet_takes_no_text_for_a_formula() -> None:
    assert csv_text([["=1+1", -1.5, "a,b"]]) == '\'=1+1,-1.5,"a,b"\r\n'


def test_the_cache_is_drawn_in_at_most_its_cells() -> None:
    # 20,001 rows in cells of ceil(20001 / 120) = 167 rows: ceil(20001 / 167) = 120 cells.
    drawn = read(kv_rows(Rows(total=20_001, prompt=20_000, kept=20_000)).safe_str)
    cells = [attributes["class"] for tag, attributes in drawn.elements if tag == "b"]
    assert len(cells) == 120 <= MOST_CELLS
    assert cells.count("p") == 120


def test_many_passes_are_joined_without_changing_their_span() -> None:
    spans = [("prefill", 0.0, 1.0), *[("decode", 1.0 + k, 2.0 + k) for k in range(500)]]
    joined = thinned(spans)
    assert len(joined) <= 121
    assert joined[0] == ("prefill", 0.0, 1.0)
    assert (joined[1][1], joined[-1][2]) == (1.0, 501.0)


def test_an_unknown_demo_names_the_nearest() -> None:
    with pytest.raises(KitError, match='did you mean "two-phases"'):
        load("two-phase")


def test_json_in_attributes_is_compact() -> None:
    assert data_json({"a": [1, "é"]}) == '{"a":[1,"é"]}'
