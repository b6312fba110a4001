"""Which demos are there, and what does each need? The folder is the registry."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
from functools import cache
from pathlib import Path

import demos
from demos.kit.demo import Demo, unknown_demo


def demo_ids() -> list[str]:
    """Return the ids of all demos, in alphabetical order: the file names with hyphens."""
    found = [module.name for module in pkgutil.iter_modules(demos.__path__) if not module.ispkg]
    return sorted(name.replace("_", "-") for name in found if not name.startswith("_"))


@cache
def load(demo_id: str) -> Demo:
    """Return a demo by id; raises KitError naming the nearest id if there is none."""
    if demo_id not in demo_ids():
        raise unknown_demo(demo_id, demo_ids())
    return Demo.of(demo_id, importlib.import_module(f"demos.{demo_id.replace('-', '_')}"))


def source_path(demo_id: str) -> Path:
    """Return the path of a demo's file."""
    return Path(next(iter(demos.__path__))) / f"{demo_id.replace('-', '_')}.py"


def needs_numpy(demo_id: str) -> bool:
    """Say whether a demo, or anything of this folder that it imports, imports numpy.

    Read from the sources, not by importing: `pysim` imports numpy only when arrays come in.
    """
    return _imports_numpy(source_path(demo_id), set())


def _imports_numpy(path: Path, seen: set[Path]) -> bool:
    if path in seen:
        return False
    seen.add(path)
    for name in _imported_names(path):
        if name.split(".")[0] == "numpy":
            return True
        if name.startswith("demos.") and (spec := _file_of(name)) and _imports_numpy(spec, seen):
            return True
    return False


def _imported_names(path: Path) -> list[str]:
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names += [node.module, *[f"{node.module}.{alias.name}" for alias in node.names]]
    return names


def _file_of(name: str) -> Path | None:
    base = Path(next(iter(demos.__path__))).joinpath(*name.split(".")[1:])
    candidates = [base.with_suffix(".py"), base / "__init__.py"]
    return next((path for path in candidates if path.is_file()), None)
