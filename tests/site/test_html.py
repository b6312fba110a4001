"""Is every page valid HTML, headings and landmarks in order, and would a fault be seen?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.html_faults import checked_html, faults_of, unused_allowances

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body><main><h1>One</h1>
{body}
</main></body></html>
"""


def test_every_page_is_valid_html_but_for_what_the_theme_does(site: Path) -> None:
    pages = checked_html(site)
    assert {page.parent.name for page in pages} >= {"embed", "lessons", "notes"}
    found = faults_of(pages, site)
    assert [str(fault) for fault in found if not fault.allowance] == []
    assert list(unused_allowances(found)) == []


@pytest.mark.parametrize(
    ("body", "rule"),
    [
        ('<p id="a">x</p><p id="a">y</p>', "no-dup-id"),
        ("<h3>Three after one</h3>", "heading-level"),
        ("<p><span><div>a block in a line of text</div></span></p>", "element-permitted-content"),
        ("<nav>one</nav><nav>another, as nameless</nav>", "unique-landmark"),
        ('<button aria-label="">x</button><input>', "input-missing-label"),
        ('<p aria-labelledby="nowhere">x</p>', "no-missing-references"),
    ],
    ids=["an-id-twice", "a-level-left-out", "a-block-in-text", "two-nameless-landmarks", "no-label", "a-missing-id"],
)
def test_a_planted_fault_is_found(tmp_path: Path, body: str, rule: str) -> None:
    (tmp_path / "page.html").write_text(PAGE.format(body=body))
    found = faults_of([tmp_path / "page.html"], tmp_path)
    assert rule in {fault.rule for fault in found if not fault.allowance}, found
