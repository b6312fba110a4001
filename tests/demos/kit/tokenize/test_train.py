"""Does training learn what it should, and is the shipped vocabulary what the corpus gives?"""

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from demos.kit.tokenize.train import CORPUS, LEARNED_PIECES, corpus_words, learn
from demos.kit.tokenize.vocabulary import VOCABULARY, read_pieces, write_pieces


def test_the_most_frequent_pair_is_learned_first() -> None:
    # Pairs: l·o 7, o·w 7, w·e 2, e·r 2. "lo" comes before "ow" in byte order. Then lo·w 7.
    # Of low·e 2 and e·r 2 the shorter piece "er" is next, and low·er 2 is the last.
    assert learn(Counter({"low": 5, "lower": 2}), 10) == [b"lo", b"low", b"er", b"lower"]


def test_training_stops_at_the_number_of_pieces_asked_for() -> None:
    assert learn(Counter({"low": 5, "lower": 2}), 2) == [b"lo", b"low"]


def test_overlapping_pairs_are_joined_from_the_left() -> None:
    # "aaaa" holds a·a three times; joined from the left it is aa·aa, then a piece of four.
    assert learn(Counter({"aaaa": 1}), 10) == [b"aa", b"aaaa"]


def test_a_piece_never_mixes_a_part_of_a_character_with_anything_else() -> None:
    # Both words begin with a space and the byte C3; only é and ö themselves may be joined from it.
    assert learn(Counter({" é": 3, " ö": 3}), 3) == ["é".encode(), "ö".encode(), " é".encode()]


def test_the_shipped_vocabulary_is_what_the_corpus_gives(tmp_path: Path) -> None:
    write_pieces(learn(corpus_words(CORPUS), LEARNED_PIECES), tmp_path / "vocabulary.txt")
    assert (tmp_path / "vocabulary.txt").read_bytes() == VOCABULARY.read_bytes(), (
        "run python -m demos.kit.tokenize.train"
    )


def test_every_shipped_piece_is_made_of_two_known_before() -> None:
    known = {bytes([byte]) for byte in range(256)}
    for piece in read_pieces():
        assert piece not in known
        assert any(piece[:at] in known and piece[at:] in known for at in range(1, len(piece)))
        known.add(piece)


def test_the_vocabulary_is_small_enough_to_ship() -> None:
    assert len(read_pieces()) == LEARNED_PIECES
    assert VOCABULARY.stat().st_size <= 40_000


def test_the_corpus_stays_a_corpus_that_one_can_read() -> None:
    assert 60_000 <= sum(path.stat().st_size for path in CORPUS.rglob("*.txt")) <= 150_000


@pytest.mark.parametrize(
    ("piece", "line"),
    [
        (b" the", b"_the\n"),
        (b"__", b"\\x5f\\x5f\n"),
        (b"\n\n", b"\\x0a\\x0a\n"),
        (b"\\x0a", b"\\x5cx0a\n"),
        ("é".encode(), "é\n".encode()),
        (b"\xe2\x80", b"\\xe2\\x80\n"),
    ],
)
def test_a_piece_stands_on_a_line(tmp_path: Path, piece: bytes, line: bytes) -> None:
    path = tmp_path / "vocabulary.txt"
    write_pieces([piece], path)
    assert path.read_bytes() == line
    assert read_pieces(path) == [piece]


@given(st.lists(st.binary(min_size=1)))
def test_pieces_come_back_from_their_file(tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("pieces") / "vocabulary.txt"
    write_pieces(pieces, path)
    assert read_pieces(path) == pieces
