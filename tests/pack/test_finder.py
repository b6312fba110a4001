"""Does the finder load what the block holds, and leave everything else to Python?"""

import importlib
import sys
from collections.abc import Iterator
from importlib._bootstrap_external import _code_to_timestamp_pyc  # type: ignore[attr-defined]
from pathlib import Path

import pytest

from hooks.pack.archive import module_block
from hooks.pack.pyodide.module_finder import BlockFinder

SOURCES = {
    "finder/__init__.py": "from finder import inner\nwhere = __file__",
    "finder/inner.py": "value = 6 * 7",
    "shelved_alone.py": "def fails():\n    raise ValueError(1)",
}


@pytest.fixture
def finder(tmp_path: Path) -> Iterator[BlockFinder]:
    compiled = {
        f"{name}c": bytes(_code_to_timestamp_pyc(compile(source, name, "exec"))) for name, source in SOURCES.items()
    }
    (tmp_path / "block").write_bytes(module_block(compiled, str(tmp_path)))
    finder = BlockFinder()
    finder.add(str(tmp_path / "block"))
    sys.meta_path.insert(0, finder)
    yield finder
    sys.meta_path.remove(finder)
    for name in [name for name in sys.modules if name.startswith("finder")]:
        del sys.modules[name]


def test_a_package_and_its_module_are_imported(finder: BlockFinder) -> None:
    package = importlib.import_module("finder")
    assert package.inner.value == 42


def test_a_package_knows_the_folder_where_its_data_lies(finder: BlockFinder, tmp_path: Path) -> None:
    package = importlib.import_module("finder")
    assert list(package.__path__) == [f"{tmp_path}/finder"]
    assert package.where == f"{tmp_path}/finder/__init__.pyc"


def test_a_package_s_modules_can_be_listed_though_its_folder_is_empty(finder: BlockFinder) -> None:
    package = importlib.import_module("finder")
    assert package.__spec__ is not None
    assert package.__spec__.loader is finder  # type: ignore[comparison-overlap]
    assert finder.below("finder") == ["inner"]


def test_a_module_that_lies_in_the_packages_folder_is_found_as_well(finder: BlockFinder, tmp_path: Path) -> None:
    (tmp_path / "finder").mkdir()
    (tmp_path / "finder" / "beside.py").write_text("value = 1")
    assert importlib.import_module("finder.beside").value == 1


def test_a_traceback_names_the_file(finder: BlockFinder) -> None:
    with pytest.raises(ValueError, match="1") as caught:
        importlib.import_module("shelved_alone").fails()
    assert str(caught.traceback[-1].path).endswith("shelved_alone.py")


def test_other_modules_are_left_to_python(finder: BlockFinder) -> None:
    assert finder.find_spec("json") is None
