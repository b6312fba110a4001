"""The job that runs inside Pyodide at build: find the modules that are needed, and compile to bytecode.

Node mounts a work folder at /job. The job is job.json in it; the answer goes to answer.json,
bytecode files go where the job says. The interpreter that will read the bytecode also writes it.
"""

import ast
import contextlib
import importlib
import importlib.util
import json
import sys
from importlib.abc import InspectLoader
from pathlib import Path
from types import ModuleType
from typing import cast

WORK = Path("/job")

# Modules that only this interpreter has are imported by name: type checkers run under another one.
LOADER = importlib.import_module("importlib._bootstrap_external")


def bytecode(source: bytes, shown_name: str, optimize: int) -> bytes:
    """An unchecked-hash .pyc: the loader neither looks for the source nor compares a time stamp."""
    code = compile(source, shown_name, "exec", dont_inherit=True, optimize=optimize)
    return bytes(LOADER._code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def compile_all(files: list[dict[str, str]], optimize: int) -> list[str]:
    """Compile every listed file; answer the problems, one line each."""
    problems: list[str] = []
    for file in files:
        source = (WORK / file["source"]).read_bytes()
        try:
            made = bytecode(source, file["shown"], optimize)
        except SyntaxError as error:
            problems.append(f"{file['shown']}:{error.lineno}: {error.msg}")
            continue
        out = WORK / file["out"]
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(made)
    return problems


def imports(roots: list[str], own_roots: list[str], left_out: list[str]) -> dict[str, object]:
    """Import everything named and say which files of the standard library that took."""
    refused: list[str] = []
    for root in [*roots, *own_roots]:
        try:
            importlib.import_module(root)
        except ImportError as error:
            refused.append(f"{root}: {error}")
    archive = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip/"
    own = {root.split(".")[0] for root in own_roots}
    for name in sorted(imported_inside(archive, own)):
        unwanted = any(name == out or name.startswith(f"{out}.") for out in left_out)
        if not unwanted and name.split(".")[0] in sys.stdlib_module_names:
            with contextlib.suppress(ImportError):
                importlib.import_module(name)
    used = {str(getattr(module, "__file__", None) or "") for module in list(sys.modules.values())}
    return {
        "files": sorted(name.removeprefix(archive) for name in used if name.startswith(archive)),
        "refused": refused,
        "versions": versions(),
    }


def imported_inside(archive: str, own: set[str]) -> set[str]:
    """What the loaded modules of the standard library and of ours import anywhere, functions included."""
    names: set[str] = set()
    for module in list(sys.modules.values()):
        path, spec = str(getattr(module, "__file__", None) or ""), module.__spec__
        if path.endswith(".py") and spec and (path.startswith(archive) or module.__name__.split(".")[0] in own):
            for node in ast.walk(ast.parse(source(module))):
                if isinstance(node, ast.Import):
                    names |= {alias.name for alias in node.names}
                elif isinstance(node, ast.ImportFrom):
                    above = importlib.util.resolve_name("." * node.level + (node.module or ""), spec.parent)
                    names |= {above, *(f"{above}.{alias.name}" for alias in node.names)}
    return names


def source(module: ModuleType) -> str:
    """A module's text; none for those frozen into the interpreter."""
    try:
        return cast(InspectLoader, module.__loader__).get_source(module.__name__) or ""
    except ImportError:
        return ""


def versions() -> dict[str, str]:
    """Versions of the interpreter and of C libraries linked into it, as they report themselves."""
    return {
        "python": ".".join(map(str, sys.version_info[:3])),
        "zlib": importlib.import_module("zlib").ZLIB_RUNTIME_VERSION,
        "zstd": importlib.import_module("compression.zstd").zstd_version,
        "libmpdec": importlib.import_module("_decimal").__libmpdec_version__,
        "expat": importlib.import_module("pyexpat").EXPAT_VERSION.removeprefix("expat_"),
    }


def main() -> None:
    """Do the job that the folder holds."""
    job = json.loads((WORK / "job.json").read_text())
    sys.path.extend(job.get("paths", []))
    answer: dict[str, object] = {}
    if "roots" in job:
        answer["imports"] = imports(job["roots"], job["own_roots"], job["left_out"])
    answer["problems"] = compile_all(job.get("files", []), job.get("optimize", 0))
    (WORK / "answer.json").write_text(json.dumps(answer))


main()
