"""Demos that break the contract: `make site` says each in one line with the demo's file and what is allowed."""

from __future__ import annotations

import pytest

from tests.demos.small_demo import SOURCE
from tests.recipes.conftest import copy_project, run_in

BROKEN = {
    "starts_outside": ("start=100", "start=2000", 'start: "2000" is out of range; allowed: 1 to 1000 in steps of 1'),
    "takes_another": ("scene(prompt_tokens)", "scene(tok)", "scene takes tok; it must take the controls by name"),
    "draws_a_number": ("return joined(element", "return 5 or joined(element", "frame must return the HTML as a text"),
    "gives_nothing": ('{"ttft_s": scene}', "{}", "READOUTS declares ttft_s; no value is given for ttft_s"),
    "lacks_a_part": ("from simple_html", "from demos.lacks_a_part.rate import RATE\nfrom simple_html", "there is no"),
}


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the lines of a strict build of a copy with all broken demos in it."""
    folder = copy_project(tmp_path_factory.mktemp("broken"))
    for name, (old, new, _) in BROKEN.items():
        assert old in SOURCE
        place = folder / "demos" / name
        place.mkdir()
        (place / "__init__.py").write_text(SOURCE.replace(old, new), encoding="utf-8")
    done = run_in(folder, "mkdocs", "build", "--strict")
    assert done.returncode != 0
    return (done.stdout + done.stderr).splitlines()


@pytest.mark.parametrize("name", BROKEN)
def test_the_build_names_the_file_of_a_broken_demo_and_what_is_allowed(told: list[str], name: str) -> None:
    lines = [line for line in told if f"demos/{name}/__init__.py" in line]
    assert lines, told
    assert all(BROKEN[name][2] in line for line in lines), lines
