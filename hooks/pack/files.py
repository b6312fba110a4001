"""The files of each part of the pack, before they are compiled."""

import importlib.metadata
import zipfile
from collections.abc import Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from hooks.pack.errors import PackError
from pysim.catalog.index import NAME as INDEX
from pysim.catalog.index import index_text

# What the worker imports when Python has started; a demo itself is imported when it is first shown.
ENTRY_MODULES = ("demos.kit.host.session",)

OWN_FOLDERS = ("pysim", "demos")
# The page's own scripts, the command line, and what speeds and the tokenizer were fitted to and by.
NOT_IN_THE_BROWSER = (
    *("demos/runtime/*", "demos/kit/tokenize/texts/corpus/*", "demos/kit/tokenize/train.py"),
    *("pysim/cli/*", "pysim/__main__.py", "pysim/fit/*.csv", "pysim/fit/*.py"),
)
DATA_SUFFIXES = (".toml", ".json", ".txt", ".csv", ".bin")

HTML_DISTRIBUTION = "simple-html"

# numpy imports these only to offer them, or to give its functions docstrings.
NUMPY_STUBS = (
    "numpy/testing/__init__.py",
    "numpy/f2py/__init__.py",
    "numpy/_core/_add_newdocs.py",
    "numpy/_core/_add_newdocs_scalars.py",
)
NUMPY_LEFT_OUT = (
    *("numpy/testing/", "numpy/f2py/", "numpy/_core/include/", "numpy/_pyinstaller/", "numpy/_core/_add_newdocs"),
    "numpy/linalg/lapack_lite",  # not imported by any of numpy's own modules
)


def own_files(root: Path) -> dict[str, bytes]:
    """Our packages: Python files and the data next to them, by their path from the project's folder."""
    files: dict[str, bytes] = {}
    for folder in OWN_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            left_out = any(fnmatchcase(name, pattern) for pattern in NOT_IN_THE_BROWSER)
            if path.suffix in (".py", *DATA_SUFFIXES) and not left_out:
                files[name] = path.read_bytes()
    catalog = root / "pysim" / "catalog"
    if catalog.is_dir():
        files[f"pysim/catalog/{INDEX}"] = index_text(catalog).encode()
    return files


def own_demos(own: Mapping[str, bytes]) -> list[str]:
    """The modules of the demos: the files and packages right in demos/, but the kit that they share."""
    parts = [name.split("/") for name in own if name.startswith("demos/") and name.endswith(".py")]
    files = [f"demos.{path[1].removesuffix('.py')}" for path in parts if len(path) == 2 and path[1] != "__init__.py"]
    folders = [f"demos.{path[1]}" for path in parts if len(path) == 3 and path[2] == "__init__.py" and path[1] != "kit"]
    return sorted([*files, *folders])


def html_files() -> dict[str, bytes]:
    """The HTML builder's Python files; the compiled ones next to them are for this machine only."""
    try:
        distribution = importlib.metadata.distribution(HTML_DISTRIBUTION)
    except importlib.metadata.PackageNotFoundError as error:
        raise PackError(
            f"{HTML_DISTRIBUTION} is not installed in this Python; `make` installs what is needed"
        ) from error
    files = [file for file in distribution.files or [] if file.suffix == ".py" and ".." not in file.parts]
    return {file.as_posix(): file.read_binary() for file in files}


def numpy_files(wheel: Path) -> dict[str, bytes]:
    """Numpy without what only its own developers and C compilers need."""
    files: dict[str, bytes] = dict.fromkeys(NUMPY_STUBS, b"")
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            wanted = name.endswith((".py", ".so")) and not name.startswith(NUMPY_LEFT_OUT)
            if wanted and "/tests/" not in name and not name.endswith("/conftest.py"):
                files[name] = archive.read(name)
    return files


def stdlib_files(archive: Path) -> dict[str, bytes]:
    """Pyodide's standard library, sources."""
    with zipfile.ZipFile(archive) as opened:
        return {name: opened.read(name) for name in opened.namelist() if not name.endswith("/")}
