"""Does no import of the doctor run upwards, lazy ones and those for types included?"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
DOCTOR: Final = ROOT / "pysim" / "doctor"
# From the lowest: nouns of what a text said, nouns of what is said of it, and then verb by verb.
FLOORS: Final = (
    "read", "case", "words", "readers", "recognise", "find", "load_tests", "judge", "measurements", "advise",
    "evidence", "expect", "causes", "why", "answer", "show", "diagnose",
)  # fmt: skip
FILES: Final = sorted(path for path in DOCTOR.rglob("*.py") if path.parent != DOCTOR or path.stem != "__init__")


def floor_of(parts: tuple[str, ...]) -> int:
    return FLOORS.index(parts[0].removesuffix(".py"))


def imported(path: Path) -> list[str]:
    """The doctor's folders and files that a file imports from anywhere in it."""
    modules: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            modules += [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules += [alias.name for alias in node.names]
    return [module.removeprefix("pysim.doctor.").split(".")[0] for module in modules if "pysim.doctor." in module]


def test_every_folder_has_a_floor() -> None:
    below = {path.relative_to(DOCTOR).parts[0].removesuffix(".py") for path in FILES}
    assert below == set(FLOORS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(DOCTOR)))
def test_no_import_runs_upwards(path: Path) -> None:
    own = floor_of(path.relative_to(DOCTOR).parts)
    upwards = [name for name in imported(path) if FLOORS.index(name) > own]
    assert not upwards
