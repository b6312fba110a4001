"""Faults of HTML: would `make check`, which looks at every page, see one that is planted?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tools.html_faults import faults_of

PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>A page</title></head><body><main><h1>One</h1>
{body}
</main></body></html>
"""


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
