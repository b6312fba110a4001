"""Imports of the code, read from its text: those inside functions and those for types alone count too."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
HOUSES: Final = ("pysim", "demos", "hooks")


def modules() -> dict[str, Path]:
    """Every module of the three houses, by its dotted name."""
    paths = [path for house in HOUSES for path in sorted((ROOT / house).rglob("*.py"))]
    return {_name(path): path for path in paths}


def imports() -> dict[str, frozenset[str]]:
    """Which of our modules each module imports."""
    known = modules()
    return {name: frozenset(_imported(path, name, known)) - {name} for name, path in known.items()}


def _name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(path: Path, name: str, known: Mapping[str, Path]) -> Iterator[str]:
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*above, *([base] if base else [])])
            for alias in node.names:
                inner = f"{base}.{alias.name}"
                if inner in known:
                    yield inner
                elif base in known:
                    yield base


def circles(graph: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """The sets of modules that import each other in a circle (Tarjan's strongly connected components)."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    path: list[str] = []
    tied: list[list[str]] = []

    def visit(module: str) -> None:
        order[module] = low[module] = len(order)
        path.append(module)
        for target in sorted(graph[module]):
            if target not in order:
                visit(target)
                low[module] = min(low[module], low[target])
            elif target in path:
                low[module] = min(low[module], order[target])
        if low[module] == order[module]:
            component = path[path.index(module) :]
            del path[path.index(module) :]
            if len(component) > 1:
                tied.append(sorted(component))

    for module in graph:
        if module not in order:
            visit(module)
    return tied
