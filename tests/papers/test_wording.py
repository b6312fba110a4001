"""Does the check of wording find each phrase of its list where readers see it, with the place and what to write?"""

from __future__ import annotations

from pathlib import Path

import pytest

from hooks.paths import ROOT
from tests.tools.prose import PAPERS, Passage, javascript_strings, passages, python_strings, toml_strings, unquoted
from tests.tools.wording import Phrase, american, phrases, slips, slips_in


def told(text: str) -> list[str]:
    return [str(slip) for slip in slips_in(Passage(file="page.md", line=1, text=text))]


@pytest.mark.parametrize("phrase", phrases(), ids=lambda phrase: phrase.like)
def test_each_phrase_is_found_with_its_line_and_the_better_one(phrase: Phrase) -> None:
    wrong = phrase.find.search(phrase.like)
    assert wrong is not None
    assert f"page.md:2: “{wrong[0]}”: write {phrase.write}" in told(f"A line.\n{phrase.like}")


@pytest.mark.parametrize("phrase", phrases(), ids=lambda phrase: phrase.better)
def test_the_better_sentence_has_no_phrase_of_the_list(phrase: Phrase) -> None:
    assert told(phrase.better) == []


def test_a_phrase_that_wraps_is_found_where_it_begins() -> None:
    assert told("It is\nsmall, and every tool has a place of\nits own.") == [
        "page.md:2: “of its own”: write its own …; by itself"
    ]


@pytest.mark.parametrize("british", ["colour", "recognised", "catalogue", "licence", "neighbours", "Behaviour"])
def test_british_spelling_is_found_with_the_american_one(british: str) -> None:
    assert told(f"The {british} of it.") == [f"page.md:1: “{british}”: write {american()[british.lower()]}"]


def test_names_code_and_addresses_are_no_prose() -> None:
    text = "`datasheet`, ```\nanew\n``` and [x](https://colour.example/hence) <!-- whilst -->"
    assert told(unquoted(text)) == []
    assert unquoted(text).count("\n") == text.count("\n")


def test_strings_of_python_are_read_with_their_lines_and_what_they_compute_left_out() -> None:
    source = '"""A page."""\n\nSAID = f"each {count(1)} further token"\nraise BadValue("a speed of its own")\n'
    assert list(python_strings(source)) == [(1, "A page."), (3, "each – further token"), (4, "a speed of its own")]


def test_strings_of_scripts_are_read_and_their_comments_are_not() -> None:
    source = "// computed anew\nsay('one');\n/* hence\n*/ say(`of ${name} own`); const url = \"//x\";\n"
    assert list(javascript_strings(source)) == [(2, "one"), (4, "of – own"), (4, "//x")]


def test_texts_of_data_are_read_but_for_titles_that_others_chose() -> None:
    source = 'name = "one"\n[memory]\nnote = "lies in the host"\nsource = "a data sheet"\n'
    assert list(toml_strings(source)) == [(1, "one"), (3, "lies in the host")]


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("docs/page.md", "It is computed anew."),
        ("demos/demo.py", 'LEAD = "It is computed anew."'),
        ("demos/runtime/page/say.js", 'say("It is computed anew.");'),
        ("hooks/facts/claims.toml", 'text = "It is computed anew."'),
        ("pysim/cli/main.py", 'HELP = "It is computed anew."'),
    ],
)
def test_all_that_readers_see_is_looked_at(tmp_path: Path, file: str, source: str) -> None:
    for paper in PAPERS:
        (tmp_path / paper).write_text("")
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(source)
    assert [str(slip) for slip in slips(tmp_path)] == [f"{file}:1: “anew”: write again"]


def test_every_kind_of_file_of_the_project_is_looked_at() -> None:
    kinds = {Path(passage.file).suffix for passage in passages(ROOT)}
    assert kinds == {".md", ".py", ".js", ".toml"}


def test_the_project_keeps_to_the_list() -> None:
    assert [str(slip) for slip in slips()] == []
