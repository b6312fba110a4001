"""Does every lesson keep the form of a lesson, and is no figure in it typed by hand?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from mkdocs.utils.meta import get_data

from hooks.markdown.fences import fences
from hooks.paths import ROOT

DOCS = ROOT / "docs"
LESSONS = sorted((DOCS / "lessons").glob("*.md"))
ENDS_WITH = ["Common questions", "Notes", "References"]
COMPUTED = re.compile(r"`=[^`]+`")
# A number with a unit that the simulator computes; counts of tokens, passes and bits are settings, not results.
TYPED = re.compile(r"\d\s?(?:[kMGT]i?B|B/s|[nµm]?s|tokens/s|tok/s|[GTP]?FLOP(?:/[sB])?|%)\b")


def text_of(lesson: Path) -> str:
    text, _ = get_data(lesson.read_text(encoding="utf-8"))
    return str(text)


def named(lesson: Path) -> str:
    return lesson.stem


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_a_lesson_says_where_it_stands_what_it_is_and_what_it_is_for(lesson: Path) -> None:
    text, meta = get_data(lesson.read_text(encoding="utf-8"))
    assert re.fullmatch(r"\d\d\.\d\d", meta["number"])
    assert meta["kind"]
    assert 40 <= len(meta["description"]) <= 170
    head = text.split("\n## ", 1)[0]
    assert head.startswith("# ")
    assert "{ .lesson-aim }" in head
    assert '!!! abstract "In short"' in head
    assert "**What this lesson answers**" in head


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_a_lesson_ends_with_questions_notes_and_references(lesson: Path) -> None:
    assert re.findall(r"^## (.+?)(?: \{.*\})?$", text_of(lesson), re.MULTILINE)[-3:] == ENDS_WITH


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_a_question_to_guess_at_stands_before_every_demo(lesson: Path) -> None:
    words = [fence.info.split()[0] for fence in fences(text_of(lesson).split("\n")) if fence.info]
    ours = [word for word in words if word in ("predict", "demo")]
    assert ours == ["predict", "demo"] * (len(ours) // 2)
    assert ours


@pytest.mark.parametrize("lesson", LESSONS, ids=named)
def test_no_figure_of_a_lesson_is_typed_by_hand(lesson: Path) -> None:
    prose = text_of(lesson).split("\n## References")[0]
    formulas = re.sub(r"\$\$.*?\$\$|\$[^$\n]+\$", "", COMPUTED.sub("", prose), flags=re.DOTALL)
    assert [line for line in formulas.split("\n") if TYPED.search(line)] == []
