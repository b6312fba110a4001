"""Is there a boxed takeaway in every section of a lesson's story, under a class that no other rule hides?"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hooks.pages.reading_time import END
from hooks.paths import ROOT

LESSONS = sorted((ROOT / "docs" / "lessons").glob("*.md"))
SUMMARY = "One model, two speeds"


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_section_of_the_story_ends_with_a_takeaway(path: Path) -> None:
    story = END.split(path.read_text(encoding="utf-8"))[0]
    sections = re.split(r"^## ", story, flags=re.M)[1:]
    without = [
        section.splitlines()[0]
        for section in sections
        if "!!! takeaway" not in section and not section.startswith(SUMMARY)
    ]
    assert without == []


def test_a_takeaway_is_no_explanation_that_hides_until_it_is_pointed_at() -> None:
    styles = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "demos/runtime/styles").glob("*.css"))
    assert ".takeaway" in styles
    assert not re.search(r"\.takeaway[^{]*\{[^}]*display:\s*none", styles)
