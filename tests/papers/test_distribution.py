"""What does `pip install .` bring?"""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hooks.paths import ROOT

IGNORED = shutil.ignore_patterns("__pycache__")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built from a copy: the build tool leaves files beside what it builds."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pysim", "demos", "hooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=IGNORED)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", folder, folder], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return zipfile.ZipFile(next(folder.glob("two_speeds-*.whl")))


def test_the_simulator_and_its_data_come_whole(wheel: zipfile.ZipFile) -> None:
    wanted = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pysim").rglob("*")
        if path.suffix in {".py", ".toml", ".csv", ".json", ".typed"}
    }
    assert wanted <= set(wheel.namelist())


def test_nothing_else_comes(wheel: zipfile.ZipFile) -> None:
    assert {Path(name).parts[0].split("-")[0] for name in wheel.namelist()} == {"pysim", "two_speeds"}


def test_one_command_comes(wheel: zipfile.ZipFile) -> None:
    entries = next(name for name in wheel.namelist() if name.endswith("entry_points.txt"))
    assert wheel.read(entries).decode().split() == ["[console_scripts]", "pysim", "=", "pysim.cli.main:main"]


def test_numpy_and_rich_are_all_it_needs(wheel: zipfile.ZipFile) -> None:
    metadata = wheel.read(next(name for name in wheel.namelist() if name.endswith("/METADATA"))).decode()
    needs = [line.split(":")[1].strip() for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    needs = [need for need in needs if "extra ==" not in need]
    assert sorted(need.split(">")[0] for need in needs) == ["numpy", "rich"]
