"""Do tokens give back every text unchanged, and are common words a token each?"""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from demos.kit.tokenize.tokenizer import VOCABULARY_SIZE, decode, encode, pieces, token_bytes
from demos.kit.tokenize.train import CORPUS, listed_words

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates too


@given(ANY_TEXT)
@example("\ud83d")  # half of an emoji, as a browser can cut it
@example("\udc4d\ud83d")
@example("\ud83d\udc4d")  # both halves as two characters are not the whole one
@example("👩‍👩‍👧‍👦 🏳️‍🌈 🇩🇪 👍🏽")
@example("\u202eright to left\u202c שלום مرحبا")
@example("\x00\x07\x1b[31m\x7f\x85\u2028\ufeff")
@example("</script><img src=x onerror=alert(1)>")
@example("\r\n\t \n")
def test_a_text_comes_back_unchanged(text: str) -> None:
    assert decode(encode(text)) == text


@given(ANY_TEXT)
def test_the_bytes_of_the_tokens_are_the_bytes_of_the_text(text: str) -> None:
    assert b"".join(map(token_bytes, encode(text))) == text.encode("utf-8", "surrogatepass")


@given(ANY_TEXT)
def test_what_is_shown_of_a_token_is_never_empty_and_can_be_sent(text: str) -> None:
    shown = pieces(text)
    assert len(shown) == len(encode(text))
    assert all(piece and piece.encode("utf-8") for piece in shown)


@given(st.text("abcdefghijklmnopqrstuvwxyzABC .,!?\n0123456789éöñ"))
def test_pieces_of_ordinary_text_join_to_the_text(text: str) -> None:
    assert "".join(pieces(text)) == text


@given(st.lists(st.integers(0, VOCABULARY_SIZE - 1)))
def test_any_tokens_in_any_order_have_a_text(tokens: list[int]) -> None:
    assert isinstance(decode(tokens), str)


def test_bytes_of_a_character_in_parts_are_shown_as_numbers() -> None:
    # U+27C2 is E2 9F 82 in UTF-8, and no list or prose of the corpus holds it.
    assert pieces("a⟂") == ["a", "⟨E2⟩", "⟨9F⟩", "⟨82⟩"]
    assert decode(encode("⟂")[:2]) == "\ufffd"


def test_every_listed_word_and_character_is_one_token() -> None:
    assert [word for word in sorted(listed_words(CORPUS)) if pieces(word) != [word]] == []


def test_two_thousand_common_words_are_listed() -> None:
    assert sum(word.startswith(" ") and word.islower() for word in listed_words(CORPUS)) >= 2_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Why is the sky blue?", ["Why", " is", " the", " sky", " blue", "?"]),
        ("I don't know.", ["I", " don", "'t", " know", "."]),
        ("naïve 😀", [*pieces("na"), "ï", *pieces("ve"), " ", "😀"]),
        ("    return", ["   ", " return"]),
    ],
)
def test_a_sentence_is_shown_in_its_words(text: str, shown: list[str]) -> None:
    assert pieces(text) == shown


def test_a_word_that_nobody_listed_falls_into_known_parts() -> None:
    parts = pieces(" unbelievably")
    assert "".join(parts) == " unbelievably"
    assert 1 < len(parts) < len(" unbelievably")
