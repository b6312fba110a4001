"""A copy of the project in which every recipe of CONTRIBUTING has been followed, once for all tests here."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hooks.paths import ROOT
from tests.recipes.additions import ANSWER, FILES

FOLDERS = ("pysim", "demos", "hooks", "docs", "tests")
PAPERS = (
    "mkdocs.yml",
    "pyproject.toml",
    "package.json",
    "package-lock.json",
    "Makefile",
    "README.md",
    "CONTRIBUTING.md",
)
LINKS = ("node_modules", ".venv", "build/python")

Run = Callable[..., subprocess.CompletedProcess[str]]


def copy_project(folder: Path) -> Path:
    """Copy the sources of the project; what is fetched or built is linked to."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name)
    for name in PAPERS:
        shutil.copy2(ROOT / name, folder / name)
    for name in LINKS:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    return folder


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run a Python module in a copy of the project."""
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(folder)}
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture(scope="session")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project as it is."""
    return copy_project(tmp_path_factory.mktemp("untouched"))


@pytest.fixture(scope="session")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with every addition: new files, and the answer at the end of docs/faq.md."""
    folder = copy_project(tmp_path_factory.mktemp("extended"))
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        assert not (folder / name).exists(), f"{name} is no new file"
        (folder / name).write_text(text, encoding="utf-8")
    with (folder / "docs" / "faq.md").open("a", encoding="utf-8") as faq:
        faq.write(ANSWER)
    return folder


@pytest.fixture(scope="session")
def built(extended: Path) -> Path:
    """The site of the extended copy, built strictly: every warning is an error."""
    done = run_in(extended, "mkdocs", "build", "--strict")
    assert done.returncode == 0, done.stdout + done.stderr
    return extended / "site"
