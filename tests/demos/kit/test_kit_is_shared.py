"""The kit's modules: each is used by two demos or more, and imports only from floors below its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from demos.kit.host.registry import demo_ids, folder, source_path
from demos.kit.host.sources import check_imports, imported_names

# From the ground up; what stands on the first floor are the kit's own files.
FLOORS = ("", "tokenize", "declare", "draw", "serving", "facts", "host")
KIT = folder() / "kit"
MODULES = {
    ".".join(path.relative_to(folder().parent).with_suffix("").parts): path
    for path in sorted(KIT.rglob("*.py"))
    if path.name != "__init__.py"
}


def floor(path: Path) -> str:
    """Return the kit's folder that a file is in, "" for the kit itself."""
    return path.parent.relative_to(KIT).as_posix().removeprefix(".")


def kit_imports(path: Path) -> set[str]:
    """Return the kit's modules that a file imports."""
    return set(imported_names(path)) & set(MODULES)


def reached(demo_id: str) -> set[str]:
    """Return all modules of the kit that a demo imports, through its parts and through the kit."""
    start = source_path(demo_id)
    open_paths = list(start.parent.rglob("*.py")) if start.name == "__init__.py" else [start]
    modules: set[str] = set()
    while open_paths:
        new = kit_imports(open_paths.pop()) - modules
        modules |= new
        open_paths += [MODULES[name] for name in new]
    return modules


def is_command(path: Path) -> bool:
    """Say whether a file is run by hand (`python -m …`) to make what the kit ships."""
    return 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")


def test_every_module_of_the_kit_is_used_by_two_demos() -> None:
    users: dict[str, list[str]] = {name: [] for name in MODULES}
    for demo_id in demo_ids():
        for name in reached(demo_id):
            users[name].append(demo_id)
    # One runs all demos, the other answers for the text around them.
    of_host = {name for name, path in MODULES.items() if floor(path) in {"host", "facts"}}
    alone = {
        name: demos
        for name, demos in users.items()
        if len(demos) < 2 and name not in of_host and not is_command(MODULES[name])
    }
    assert alone == {}, "what one demo uses belongs into that demo's folder"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_of_the_kit_imports_from_lower_floors_only(name: str) -> None:
    path = MODULES[name]
    height = FLOORS.index(floor(path))
    for imported in kit_imports(path):
        assert FLOORS.index(floor(MODULES[imported])) <= height, f"{name} imports {imported}"
    of_demos = {other for other in imported_names(path) if other.startswith("demos.")}
    assert {other for other in of_demos if not other.startswith("demos.kit")} == set()


def test_no_modules_of_the_kit_import_each_other() -> None:
    def visit(name: str, way: tuple[str, ...]) -> None:
        assert name not in way, f"a circle: {' → '.join((*way, name))}"
        if name not in done:
            for imported in kit_imports(MODULES[name]):
                visit(imported, (*way, name))
            done.add(name)

    done: set[str] = set()
    for module in MODULES:
        visit(module, ())


@pytest.mark.parametrize("demo_id", demo_ids())
def test_a_demo_imports_pysim_the_kit_and_its_parts_only(demo_id: str) -> None:
    check_imports(demo_id)
