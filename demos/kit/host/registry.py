"""Which demos are there, and what does each need? The folder is the registry."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import pkgutil
from functools import cache
from pathlib import Path

import demos
from demos.kit.declare.demo import Demo, unknown_demo

NO_DEMO = frozenset({"kit", "runtime"})


def demo_ids() -> list[str]:
    """Return the ids of all demos, in alphabetical order: the names of files and folders with hyphens."""
    names = [module.name for module in pkgutil.iter_modules(demos.__path__)]
    return sorted(name.replace("_", "-") for name in names if name not in NO_DEMO and not name.startswith("_"))


@cache
def load(demo_id: str) -> Demo:
    """Return a demo by id; raises KitError naming the nearest id if there is none."""
    if demo_id not in demo_ids():
        raise unknown_demo(demo_id, demo_ids())
    return Demo.of(demo_id, importlib.import_module(f"demos.{demo_id.replace('-', '_')}"))


def source_path(demo_id: str) -> Path:
    """Return the path of a demo's file, which is its folder's `__init__.py` where it has parts of its own."""
    place = Path(next(iter(demos.__path__))) / demo_id.replace("-", "_")
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def source_file(demo_id: str) -> str:
    """Return a demo's file as a path from the project's folder."""
    return source_path(demo_id).relative_to(Path(next(iter(demos.__path__))).parent).as_posix()


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
