"""Is a text cut into words as a reader would cut it, the same on every Python, and without loss?"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demos.kit.tokenize.word_borders import words

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("Why is it so?", ["Why", " is", " it", " so", "?"]),
        ("don't, we’ll", ["don", "'t", ",", " we", "’ll"]),
        ("'tis 'done'", ["'", "tis", " '", "done", "'"]),
        ("in 12345 days", ["in", " 123", "45", " days"]),
        ("a  b", ["a", " ", " b"]),
        ("if x:\n    return", ["if", " x", ":", "\n", "   ", " return"]),
        ("end.\n\n\nNew", ["end", ".", "\n\n\n", "New"]),
        ("tail   ", ["tail", "   "]),
        ("Größe, été, привет", ["Größe", ",", " été", ",", " привет"]),
        ("cafe\u0301 ok", ["cafe\u0301", " ok"]),  # an accent that is a character of its own
        ("你好。再见", ["你好", "。", "再见"]),
        ("ok 👍🏽👍", ["ok", " 👍", "🏽", "👍"]),
        ("", []),
    ],
)
def test_words_keep_their_space_and_signs_stand_apart(text: str, cut: list[str]) -> None:
    assert words(text) == cut


@given(ANY_TEXT)
def test_words_joined_are_the_text(text: str) -> None:
    assert "".join(words(text)) == text


def test_every_character_there_is_belongs_to_a_word() -> None:
    every = "".join(map(chr, range(0x110000)))
    assert "".join(words(every)) == every


@pytest.mark.parametrize("character", ["a", "7", "!", " ", "\n", "é", "你", "😀", "\u200d", "\ud800"])
def test_no_word_is_longer_than_a_space_and_32_characters(character: str) -> None:
    assert max(map(len, words(" " + character * 20_000))) <= 33
