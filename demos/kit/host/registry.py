"""The registry of demos: the files and folders of `demos/`, loaded by id."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from pathlib import Path

import demos
from demos.kit.declare.demo import Demo, unknown_demo
from demos.kit.errors import KitError

NO_DEMO = frozenset({"kit", "runtime"})


def demo_ids() -> list[str]:
    """Return the ids of all demos, in alphabetical order: the names of files and folders with hyphens."""
    names = [module.name for module in pkgutil.iter_modules(demos.__path__)]
    return sorted(name.replace("_", "-") for name in names if name not in NO_DEMO and not name.startswith("_"))


@cache
def load(demo_id: str) -> Demo:
    """Return a demo by id.

    Raises KitError naming the nearest id if there is none, and the file if it breaks the contract.
    """
    name = demo_id.replace("-", "_")
    if demo_id not in demo_ids():
        if name.isidentifier() and (folder() / name).is_dir():
            raise KitError(f"demos/{name}/ lacks __init__.py, which is the demo")
        raise unknown_demo(demo_id, demo_ids())
    file = source_file(demo_id)
    try:
        module = importlib.import_module(f"demos.{name}")
    except KitError as error:
        raise KitError(f"{file}: {error}") from error
    except ModuleNotFoundError as error:
        raise _missing_part(name, file, error) from error
    return Demo.of(demo_id, module, file)


def _missing_part(name: str, file: str, error: ModuleNotFoundError) -> Exception:
    """Return the error for a part that is missing; what is missing elsewhere stays the error that it is."""
    missing = error.name or ""
    if not missing.startswith(f"demos.{name}."):
        return error
    own = source_path(name)
    parts = sorted(part.stem for part in own.parent.glob("*.py") if part != own) if own.name == "__init__.py" else []
    there = f"its parts are {', '.join(parts)}" if parts else "it has no parts"
    return KitError(f"{file}: there is no {missing.replace('.', '/')}.py to import; {there}")


def folder() -> Path:
    """Return the path of the folder `demos`."""
    return Path(next(iter(demos.__path__)))


def source_path(demo_id: str) -> Path:
    """Return the path of a demo's file, which is its folder's `__init__.py` where it has parts."""
    place = folder() / demo_id.replace("-", "_")
    return place / "__init__.py" if place.is_dir() else place.with_suffix(".py")


def source_file(demo_id: str) -> str:
    """Return a demo's file as a path from the project's folder."""
    return source_path(demo_id).relative_to(folder().parent).as_posix()
