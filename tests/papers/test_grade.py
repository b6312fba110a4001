"""Can somebody read the story of a lesson who has read little else? Flesch and Kincaid's grade, from its Markdown."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hooks.pages.reading_time import END, FENCE, minutes
from hooks.paths import ROOT

LESSONS = sorted((ROOT / "docs" / "lessons").glob("*.md"))
MOST_GRADE, MOST_MINUTES = 8.0, 25
# What is no prose: tables, formulas, front matter, addresses, computed numbers, marks.
NO_PROSE = re.compile(
    r"^---\n.*?^---$|^\|[^\n]*|\$\$.*?\$\$|\]\([^)]*\)|`[^`]*`|\{[^}]*\}|^!!![^\n]*|^#[^\n]*|[*_\[\]]", re.M | re.S
)


def story(markdown: str) -> str:
    """The sentences of the story, questions and answers left out."""
    return " ".join(NO_PROSE.sub(" ", FENCE.sub(" ", END.split(markdown)[0])).split())


def syllables(word: str) -> int:
    """An estimate: groups of vowels, without a silent e at the end."""
    groups = len(re.findall(r"[aeiouy]+", word))
    silent = word.endswith("e") and not word.endswith("le") and groups > 1
    return max(1, groups - silent)


def grade(text: str) -> float:
    """0.39 × words per sentence + 11.8 × syllables per word − 15.59 (Kincaid and others, 1975)."""
    sentences = [each for each in re.split(r"(?<=[.!?:])\s+", text) if len(each.split()) > 1]
    words = re.findall(r"[a-z]+", text.lower())
    return 0.39 * len(words) / len(sentences) + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def test_the_formula_is_that_of_the_paper() -> None:
    # Six words of one syllable in one sentence: 0.39 × 6 + 11.8 × 1 − 15.59 = −1.45.
    assert grade("The cat sat on the mat.") == pytest.approx(-1.45)
    # Words of 5, 5 and 4 syllables: 0.39 × 3 + 11.8 × 14 / 3 − 15.59 = 40.65.
    assert grade("Considerable unavoidability complicated.") > 30


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_reads_easily_and_in_one_sitting(path: Path) -> None:
    markdown = path.read_text(encoding="utf-8")
    assert grade(story(markdown)) <= MOST_GRADE
    assert minutes(markdown) <= MOST_MINUTES


def test_tools_have_one_name_in_the_menu_on_the_home_page_and_in_texts() -> None:
    """A link calls a tool by what its page's title begins with: "the doctor", "the calculator"."""
    docs = ROOT / "docs"
    for name in ("doctor", "calculator"):
        (title,) = re.findall(r"^# (.*)$", (docs / "tools" / f"{name}.md").read_text(encoding="utf-8"), re.M)
        assert title.startswith(f"The {name}:")
        for page in docs.rglob("*.md"):
            text = page.read_text(encoding="utf-8")
            for link in re.findall(rf"\[([^\]]*)\]\([^)]*tools/{name}\.md\)", text):
                assert link.lower() in {f"the {name}", name}, (page.name, link)
