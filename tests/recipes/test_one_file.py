"""Recipes of CONTRIBUTING: a new entry is one file, is visible where it should be, and nothing else has to change."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.recipes.conftest import run_in

NEW = "mistral-recipe-12b yi-1.5-6b rtx-recipe weaver-3 aphrodite nanobench twice"
TESTS = ("tests/pysim", "tests/demos/test_contract.py")
PASTED = """Running Yi-1.5-6B on an Acme Weaver 3 here.

nanobench: 512 prompt tokens in 0.256 s, 128 answer tokens in 3.2 s
"""


@pytest.fixture(scope="module")
def checked(extended: Path) -> subprocess.CompletedProcess[str]:
    """The tests that the recipes name, run on the new entries."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "tests.recipes.new_only", *TESTS]
    environment = {**os.environ, "NEW_ENTRIES": NEW, "PYTHONPATH": str(extended)}
    return subprocess.run(command, cwd=extended, env=environment, capture_output=True, text=True, check=False)


def listed(folder: Path, what: str) -> set[str]:
    """Return the keys that a list of the command line has."""
    answer = run_in(folder, "pysim.cli.main", what, "--json")
    return {row["key"] for row in json.loads(answer.stdout)}


def test_the_tests_that_the_recipes_name_pass(checked: subprocess.CompletedProcess[str]) -> None:
    assert checked.returncode == 0, checked.stdout[-6000:]
    assert re.search(r"[1-9]\d* passed", checked.stdout)


@pytest.mark.parametrize(
    ("what", "keys"),
    [
        ("models", {"mistral-recipe-12b", "yi-1.5-6b"}),
        ("devices", {"rtx-recipe", "weaver-3"}),
        ("engines", {"aphrodite"}),
    ],
)
def test_a_new_entry_is_on_the_list_of_the_command_line(extended: Path, what: str, keys: set[str]) -> None:
    assert keys <= listed(extended, what)


def test_a_new_family_is_heard_in_the_words_around_a_new_tools_lines(extended: Path) -> None:
    (extended / "pasted.txt").write_text(PASTED, encoding="utf-8")
    answer = run_in(extended, "pysim.cli.main", "doctor", "pasted.txt", "--json")
    assert answer.returncode == 0, answer.stderr
    assert "yi-1.5-6b" in answer.stdout
    assert "weaver-3" in answer.stdout
    assert "nanobench" in answer.stdout


@pytest.mark.parametrize("demo_id", ["twice", "twice-in-parts"])
def test_a_new_demo_is_in_the_gallery_alone_and_with_its_source(built: Path, demo_id: str) -> None:
    assert f'id="{demo_id}"' in (built / "demos.html").read_text(encoding="utf-8")
    assert "<output" in (built / "embed" / f"{demo_id}.html").read_text(encoding="utf-8")
    source = demo_id.replace("-", "_") + ("/__init__.py" if demo_id == "twice-in-parts" else ".py")
    assert (built / "source" / "demos" / f"{source}.html").is_file()


def test_the_styles_of_a_new_demo_come_with_it(built: Path) -> None:
    assert '[data-demo="twice-in-parts"]' in (built / "assets" / "runtime" / "demos.css").read_text(encoding="utf-8")


def test_a_new_answer_has_its_address_and_is_told_to_search_engines(built: Path) -> None:
    page = (built / "faq.html").read_text(encoding="utf-8")
    assert 'data-copy="twice-as-long"' in page
    data = re.search(r'<script type="application/ld\+json">(.*?)</script>', page, re.DOTALL)
    assert data
    assert "Is twice as much twice as long?" in [entry["name"] for entry in json.loads(data[1])["mainEntity"]]


def test_a_new_lesson_is_in_the_menu_with_its_demo_and_its_numbers(built: Path) -> None:
    assert "lessons/twice-as-long.html" in (built / "index.html").read_text(encoding="utf-8")
    lesson = (built / "lessons" / "twice-as-long.html").read_text(encoding="utf-8")
    assert 'id="twice"' in lesson
    # 1,000 tokens × 32 layers × keys and values × 4 heads × 128 numbers × 2 bytes
    assert f"{1000 * 32 * 2 * 4 * 128 * 2 / 1e6:.2f}" in lesson


def test_new_models_and_devices_can_be_chosen_in_the_calculator(built: Path) -> None:
    page = (built / "tools" / "calculator.html").read_text(encoding="utf-8")
    for key in ("mistral-recipe-12b", "yi-1.5-6b", "rtx-recipe", "weaver-3"):
        assert f'value="{key}"' in page


def test_an_answer_may_be_renamed_until_a_release_has_promised_its_address(extended: Path) -> None:
    done = run_in(extended, "hooks.promise")
    assert done.stdout == "docs/addresses.toml: 1 addresses added\n"
    assert '  "twice-as-long",\n' in (extended / "docs" / "addresses.toml").read_text(encoding="utf-8")
