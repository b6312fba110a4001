"""The standard library's modules that go into the pack.

Those that our code and numpy are seen to load under this very Pyodide, a list for what a reader may
paste or a demo may need next, and what all of these import only when a function is called.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hooks.pack.errors import PackError
from hooks.pack.identity import identity
from hooks.pack.inputs.pins import PYODIDE_VERSION
from hooks.pack.paths import Places
from hooks.pack.pyodide.job import Imports, job_folder

ROOTS = (
    *("abc", "argparse", "array", "ast", "base64", "binascii", "bisect", "calendar", "cmath", "codecs"),
    *("collections.abc", "contextlib", "contextvars", "copy", "csv", "dataclasses", "datetime", "decimal"),
    *("difflib", "enum", "errno", "fnmatch", "fractions", "functools", "gc", "glob", "graphlib", "gzip"),
    *("hashlib", "heapq", "hmac", "html.parser", "inspect", "io", "ipaddress", "itertools", "json", "keyword"),
    *(
        "importlib.metadata",
        "importlib.readers",
        "importlib.resources",
        "linecache",
        "locale",
        "logging",
        "math",
        "numbers",
    ),
    *("operator", "os", "pathlib", "pickle", "pkgutil", "platform", "pprint", "queue", "random", "re", "reprlib"),
    *("secrets", "shlex", "statistics", "string", "string.templatelib", "struct", "tempfile", "textwrap"),
    *("threading", "timeit", "token", "tokenize", "tomllib", "traceback", "types", "typing", "unicodedata"),
    *("urllib.parse", "uuid", "warnings", "weakref", "zipfile", "zlib"),
    *("compression.bz2", "compression.gzip", "compression.lzma", "compression.zlib", "compression.zstd"),
    *("encodings.ascii", "encodings.latin_1", "encodings.utf_8_sig", "encodings.utf_16", "encodings.utf_16_le"),
    *("encodings.utf_16_be", "encodings.utf_32", "encodings.cp437", "encodings.cp1252", "encodings.raw_unicode_escape"),
    *("encodings.unicode_escape", "encodings.idna", "encodings.punycode", "_strptime", "_pyodide", "pyodide.ffi"),
    *("pyodide.code", "pyodide.webloop"),
)

# Imported inside functions for other systems, for a shell or a network, or where a C module is missing.
LEFT_OUT = (
    *(
        "_py_abc",
        "_pydatetime",
        "_pydecimal",
        "_threading_local",
        "asyncio.windows_events",
        "asyncio.windows_utils",
        "http",
    ),
    *("concurrent.futures.interpreter", "concurrent.futures.process", "doctest", "encodings._win_cp_codecs"),
    *(
        "getopt",
        "multiprocessing",
        "http",
        "plistlib",
        "py_compile",
        "pydoc",
        "pyodide._nodesock_transport",
        "pyodide.http",
    ),
    *("tarfile", "unittest", "urllib.error", "urllib.request"),
)

NUMPY_ROOTS = ("numpy", "numpy.fft", "numpy.lib", "numpy.ma", "numpy.polynomial", "numpy.random", "numpy.strings")

IMPORT = re.compile(rb"^[ \t]*(?:from[ \t]+\S+[ \t]+import[ \t]+(?:\([^)]*\)|[^\n]*)|import[ \t]+[^\n]*)", re.MULTILINE)

Files = Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Needed:
    """What the standard library's part of the pack consists of, and what is linked into the interpreter."""

    stdlib_files: tuple[str, ...]
    versions: Mapping[str, str]


def needed_modules(places: Places, own_roots: Iterable[str], own: Mapping[str, bytes], numpy: Files) -> Needed:
    """Ask Pyodide, or the cache if no import statement has changed since."""
    key = _key(own_roots, own)
    kept = places.cache / f"imports-{key}.json"
    if kept.exists():
        answer = json.loads(kept.read_text())
    else:
        answer = _ask(places, own_roots, own, numpy)
        part = kept.with_suffix(".part")
        part.write_text(json.dumps(answer))
        part.replace(kept)
    return Needed(stdlib_files=tuple(answer["files"]), versions=answer["versions"])


def _ask(places: Places, own_roots: Iterable[str], own: Mapping[str, bytes], numpy: Files) -> Imports:
    with job_folder(places) as work:
        for name, content in {**numpy(), **own}.items():
            work.put(f"site/{name}", content)
        roots = {"roots": [*ROOTS, *NUMPY_ROOTS], "own_roots": list(own_roots)}
        answer = work.run({"paths": ["/job/site"], **roots, "left_out": LEFT_OUT})["imports"]
    if answer["refused"]:
        raise PackError(f"under Pyodide {PYODIDE_VERSION} this cannot be imported: {'; '.join(answer['refused'])}")
    return answer


def _key(own_roots: Iterable[str], own: Mapping[str, bytes]) -> str:
    program = Path(__file__).with_name("in_pyodide.py").read_bytes()
    return identity(PYODIDE_VERSION, ROOTS, NUMPY_ROOTS, LEFT_OUT, list(own_roots), sorted(_imports(own)), program)


def _imports(own: Mapping[str, bytes]) -> set[bytes]:
    """Every import statement of our code, wherever it stands; told by its looks, which is quick."""
    return {module for name, content in own.items() if name.endswith(".py") for module in IMPORT.findall(content)}
