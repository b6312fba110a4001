"""Token cells: visible, escaped, and a window that names what it hides."""

import pytest

from demos.kit.draw.tokens import cell, visible, window


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
