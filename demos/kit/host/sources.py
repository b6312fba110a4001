"""The imports of a demo, read from its sources: does it need numpy, and does it keep to the kit and its own parts?

Read at build only, from text and not by importing: `pysim` imports numpy only when arrays come in, and an import
inside a function counts too.
"""

from __future__ import annotations

import ast
from pathlib import Path

from demos.kit.errors import KitError
from demos.kit.host.registry import folder, source_path


def needs_numpy(demo_id: str) -> bool:
    """Say whether a demo, or anything in `demos/` that it imports, imports numpy."""
    return _imports_numpy(source_path(demo_id), set())


def check_imports(demo_id: str) -> None:
    """Raise KitError naming the file of a demo that imports anything of ours but pysim, the kit and its own parts."""
    start = source_path(demo_id)
    own = f"demos.{demo_id.replace('-', '_')}"
    for path in sorted(start.parent.rglob("*.py")) if start.name == "__init__.py" else [start]:
        for name in imported_names(path):
            if not _may_import(own, name):
                file = path.relative_to(folder().parent).as_posix()
                raise KitError(f"{file} imports {name}; a demo imports pysim, demos.kit and its own parts only")


def _may_import(own: str, name: str) -> bool:
    """Say whether the demo `own` may import a module; `demos.kit.host` runs the demos and is not for them."""
    if name.split(".")[0] in {"hooks", "tests"}:
        return False
    if not name.startswith("demos."):
        return True
    allowed = (own, "demos.kit")
    return f"{name}.".startswith(tuple(f"{module}." for module in allowed)) and not name.startswith("demos.kit.host")


def imported_names(path: Path) -> list[str]:
    """Return the dotted names that a source file imports, relative ones resolved, in the order of its lines.

    `from a import b` gives "a" and "a.b", since `b` may be a module.
    """
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = _from(path, node)
            names += [module, *[f"{module}.{alias.name}" for alias in node.names]]
    return names


def _from(path: Path, node: ast.ImportFrom) -> str:
    """Return the dotted name of the module behind a `from`."""
    if node.level == 0:
        return node.module or ""
    package = path.relative_to(folder().parent).parts[: -node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def _imports_numpy(path: Path, seen: set[Path]) -> bool:
    if path in seen:
        return False
    seen.add(path)
    for name in imported_names(path):
        if name.split(".")[0] == "numpy":
            return True
        if name.startswith("demos.") and (file := _file_of(name)) and _imports_numpy(file, seen):
            return True
    return False


def _file_of(name: str) -> Path | None:
    base = folder().joinpath(*name.split(".")[1:])
    candidates = [base.with_suffix(".py"), base / "__init__.py"]
    return next((path for path in candidates if path.is_file()), None)
