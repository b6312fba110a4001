"""Parts of the pack: how each is made, and when it is out of date."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from hooks.pack.archive import classic, crc32, flat, gzipped, module_block, payload_script
from hooks.pack.identity import files_identity, identity
from hooks.pack.inputs.pins import ENGINE, LOCK, MODULE, NUMPY_WHEEL, START, STDLIB
from hooks.pack.manifest import Part
from hooks.pack.pyodide.bytecode import Bytecode, Unit

# Asserts and docstrings of other people's modules are not needed; our demos' first lines are shown.
THEIR_OPTIMIZE = 2
OUR_OPTIMIZE = 0

# Where things lie in the browser's Python.
LIBRARY = "/lib/python3.14"
SITE = f"{LIBRARY}/site-packages"
BLOCKS = "/lib/modules"
FINDER = Path(__file__).parent / "pyodide" / "module_finder.py"

# What is imported before `sitecustomize`, which brings the finder.
EARLY = (
    *(
        "_collections_abc.py",
        "_sitebuiltins.py",
        "abc.py",
        "codecs.py",
        "encodings/__init__.py",
        "encodings/aliases.py",
    ),
    *("encodings/utf_8.py", "genericpath.py", "io.py", "ntpath.py", "os.py", "posixpath.py", "site.py", "stat.py"),
)

Files = Callable[[], Mapping[str, bytes]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A part to make: `inputs` changes whenever the result would."""

    name: str
    inputs: str
    make: Callable[[], bytes]


def engine(pyodide: Path) -> Recipe:
    """The interpreter's WebAssembly alone: the browser compiles it while it still arrives."""
    path = pyodide / ENGINE.name
    return Recipe(name="engine", inputs=identity(ENGINE.sha256), make=path.read_bytes)


def loader(pyodide: Path) -> Recipe:
    """Pyodide's two scripts, both classic, and a lock that says which Pyodide this is but lists no packages."""

    def make() -> bytes:
        script = classic((pyodide / MODULE.name).read_text(encoding="utf-8"), MODULE.name)
        lock = {"info": json.loads((pyodide / LOCK.name).read_bytes())["info"], "packages": {}}
        start = (pyodide / START.name).read_bytes()
        return flat({"pyodide.js": start, "pyodide.asm.js": script.encode(), "lock.json": json.dumps(lock).encode()})

    return Recipe(name="loader", inputs=identity(START.sha256, MODULE.sha256, LOCK.sha256), make=make)


def stdlib(read: Files, wanted: tuple[str, ...], bytecode: Bytecode) -> Recipe:
    """The standard library: a zip file with what Python needs to come up, all else as a block for the finder."""

    def make() -> bytes:
        files = {name: content for name, content in read().items() if name in wanted}
        compiled = bytecode.make(_units(files, THEIR_OPTIMIZE, "python3.14/"))
        early = {name: compiled.pop(name) for name in list(compiled) if name.removesuffix("c") in EARLY}
        finder = {"sitecustomize.py": FINDER.read_bytes()}
        early |= bytecode.make(_units(finder, THEIR_OPTIMIZE))
        return flat({"stdlib.zip": _stored(early), f"{BLOCKS}/stdlib": module_block(compiled, LIBRARY)})

    return Recipe(name="stdlib", inputs=identity(STDLIB.sha256, wanted, EARLY), make=make)


def numpy(read: Files, rules: object, bytecode: Bytecode) -> Recipe:
    """numpy: its compiled modules as files, all else as a block for the finder; `rules` say what is left out."""

    def make() -> bytes:
        files = read()
        compiled = bytecode.make(_units(files, THEIR_OPTIMIZE))
        others = {f"{SITE}/{name}": content for name, content in _others(files).items()}
        return flat({**others, f"{BLOCKS}/numpy": module_block(compiled, SITE)})

    return Recipe(name="numpy", inputs=identity(NUMPY_WHEEL.sha256, rules), make=make)


def _stored(files: Mapping[str, bytes]) -> bytes:
    made = BytesIO()
    with ZipFile(made, "w", ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(ZipInfo(name), files[name])
    return made.getvalue()


def site(theirs: Mapping[str, bytes], ours: Mapping[str, bytes], bytecode: Bytecode) -> Recipe:
    """Our packages and what draws their HTML: Python as bytecode, the rest as it is."""
    inputs = files_identity({**theirs, **ours}, "bytecode")
    return Recipe(name="site", inputs=inputs, make=lambda: _site_files(theirs, ours, bytecode))


def site_quickly(theirs: Mapping[str, bytes], ours: Mapping[str, bytes], bytecode: Bytecode) -> Recipe:
    """The same without starting Pyodide: a file that has no bytecode yet goes in as source."""
    units = _site_units(theirs, ours)
    ready = {path: made for path, unit in units.items() if (made := bytecode.kept(unit)) is not None}
    sources = {path.removesuffix("c"): unit.source for path, unit in units.items() if path not in ready}
    files = {**_others(theirs), **_others(ours), **ready, **sources}
    state = "bytecode" if not sources else f"source of {sorted(sources)}"
    return Recipe(name="site", inputs=files_identity({**theirs, **ours}, state), make=lambda: _in_site(files))


def _site_files(theirs: Mapping[str, bytes], ours: Mapping[str, bytes], bytecode: Bytecode) -> bytes:
    return _in_site({**_others(theirs), **_others(ours), **bytecode.make(_site_units(theirs, ours))})


def _in_site(files: Mapping[str, bytes]) -> bytes:
    return flat({f"{SITE}/{name}": content for name, content in files.items()})


def _site_units(theirs: Mapping[str, bytes], ours: Mapping[str, bytes]) -> dict[str, Unit]:
    return {**_units(theirs, THEIR_OPTIMIZE), **_units(ours, OUR_OPTIMIZE)}


def _others(files: Mapping[str, bytes]) -> dict[str, bytes]:
    return {name: content for name, content in files.items() if not name.endswith(".py")}


def _units(files: Mapping[str, bytes], optimize: int, above: str = "") -> dict[str, Unit]:
    return {
        f"{name}c": Unit(shown=above + name, source=content, optimize=optimize)
        for name, content in files.items()
        if name.endswith(".py")
    }


def write_part(recipe: Recipe, folder: Path) -> Part:
    """Make a part and store both of its forms."""
    raw = recipe.make()
    packed = gzipped(raw)
    script = payload_script(recipe.name, packed)
    stem = f"{recipe.name}-{hashlib.sha256(packed).hexdigest()[:10]}"
    part = Part(
        name=recipe.name,
        inputs=recipe.inputs,
        pack=f"{stem}.pack",
        script=f"{stem}.js",
        raw_bytes=len(raw),
        raw_crc32=crc32(raw),
        pack_bytes=len(packed),
        script_bytes=len(script),
    )
    for name, content in ((part.pack, packed), (part.script, script)):
        draft = folder / f"{name}.part"
        try:
            draft.write_bytes(content)
            draft.replace(folder / name)
        finally:
            draft.unlink(missing_ok=True)
    return part
