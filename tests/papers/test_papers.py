"""Do README, ARCHITECTURE and CONTRIBUTING speak of what is there?"""

from __future__ import annotations

import importlib.util
import re
import shlex
from types import ModuleType

import pytest

from demos.kit.declare.demo import Demo
from demos.kit.errors import KitError
from hooks.paths import ROOT
from tests.tools.papers import PAPERS, exists, make_targets, mentioned

MENTIONED = [(paper, kind, text) for paper in PAPERS for kind, text in sorted(set(mentioned(paper)))]


@pytest.mark.parametrize(("paper", "path"), [(paper, text) for paper, kind, text in MENTIONED if kind == "path"])
def test_a_mentioned_path_exists(paper: str, path: str) -> None:
    assert exists(path), f"{paper} mentions {path}, which is not there"


@pytest.mark.parametrize(("paper", "command"), [(paper, text) for paper, kind, text in MENTIONED if kind == "command"])
def test_a_mentioned_command_exists(paper: str, command: str) -> None:
    words = shlex.split(command)
    match words:
        case ["make", *rest]:
            unknown = [word for word in rest if "=" not in word and word not in make_targets()]
            assert not unknown, f"{paper}: make knows no {unknown}"
        case ["python" | "python3", "-m", module, *_]:
            assert importlib.util.find_spec(module), f"{paper}: no module {module}"
        case ["pysim", subcommand, *_]:
            assert subcommand in pysim_commands(), f"{paper}: pysim has no command {subcommand}"
        case ["pip", "install", *_] | ["git", "clone", *_]:
            pass
        case _:
            pytest.fail(f"{paper}: nothing is known of the command {command!r}")


def pysim_commands() -> set[str]:
    return set(re.findall(r'add_parser\("(\w+)"', (ROOT / "pysim" / "cli" / "main.py").read_text()))


def test_readme_is_one_screen() -> None:
    lines = (ROOT / "README.md").read_text().splitlines()
    assert len(lines) <= 65


def test_readme_shows_a_picture_of_at_most_200_kilobytes() -> None:
    pictures = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", (ROOT / "README.md").read_text())
    assert pictures
    assert all((ROOT / picture).stat().st_size <= 200 * 1024 for picture in pictures)


def test_every_make_command_is_in_its_help() -> None:
    makefile = (ROOT / "Makefile").read_text()
    phony = re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    assert phony
    helped = set(re.findall(r"^([a-z]+):.*## ", makefile, re.MULTILINE))
    assert helped == set(phony[1].split()) == make_targets()


def test_the_recipe_of_a_demo_names_all_that_its_file_must_have() -> None:
    with pytest.raises(KitError) as lacking:
        Demo.of("empty", ModuleType("empty"), "demos/empty.py")
    names = str(lacking.value).partition(" lacks ")[2].split(", ")
    recipe = (ROOT / "CONTRIBUTING.md").read_text().partition("## A demo")[2].partition("\n## ")[0]
    # The doc string is spoken of as the first line.
    assert [name for name in names if f"`{name}`" not in recipe] == ["__doc__"]
