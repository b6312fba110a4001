"""Can any text at all make a reader fail, or say what cannot be?"""

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim.doctor.find import read
from tests.pysim.doctor.samples import FOLDER
from tests.tools.doctor_corpus import assert_sound, corpus, mutated
from tests.tools.field_forms import FIELD_FORMS

WORDS = st.sampled_from(sorted({word for text in (*corpus().values(), *FIELD_FORMS) for word in text.split()}))


def test_the_corpus_holds_every_sample_of_every_form() -> None:
    files = {path.name for path in FOLDER.glob("*.*") if path.suffix != ".py"}
    assert set(corpus()) == files
    assert {Path(name).suffix for name in files} >= {".txt", ".json", ".csv", ".jsonl", ".toml"}


@pytest.mark.parametrize("seed", range(10))
def test_samples_after_mishaps_give_sound_readings(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        assert_sound(read(mutated(chance)))


@settings(max_examples=400, deadline=None)
@given(st.text())
def test_any_characters_give_a_sound_reading(text: str) -> None:
    assert_sound(read(text))


@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(WORDS, st.sampled_from([" ", "\n", "  ", "", "|", "\r"])), max_size=60))
def test_the_tools_own_words_in_any_order_give_a_sound_reading(pairs: list[tuple[str, str]]) -> None:
    assert_sound(read("".join(word + gap for word, gap in pairs)))


@pytest.mark.parametrize("name", corpus())
def test_every_beginning_of_a_sample_gives_a_sound_reading(name: str) -> None:
    text = corpus()[name]
    for end in range(0, len(text), max(1, len(text) // 40)):
        assert_sound(read(text[:end]))


@pytest.mark.parametrize("at", range(len(FIELD_FORMS)))
def test_every_beginning_of_a_form_from_the_field_gives_a_sound_reading(at: int) -> None:
    text = FIELD_FORMS[at]
    assert read(text).runs
    for end in range(len(text)):
        assert_sound(read(text[:end]))
