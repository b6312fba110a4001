"""How is each part of the pack made, and when is it out of date?"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from hooks.pack.bytecode import Bytecode, Unit
from hooks.pack.classic import classic
from hooks.pack.flat import crc32, flat, gzipped
from hooks.pack.manifest import Part
from hooks.pack.script import payload_script

# Asserts and docstrings of other people's modules are not needed; our demos' first lines are shown.
THEIR_OPTIMIZE = 2
OUR_OPTIMIZE = 0

FORMAT = "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """A part to make: `inputs` changes whenever the result would."""

    name: str
    inputs: str
    make: Callable[[], bytes]


def identity(*pieces: object) -> str:
    """A short hash of what a part is made from."""
    digest = hashlib.sha256(FORMAT.encode())
    for piece in pieces:
        content = piece if isinstance(piece, bytes) else str(piece).encode()
        digest.update(len(content).to_bytes(8, "little") + content)
    return digest.hexdigest()[:20]


def files_identity(files: Mapping[str, bytes], *more: object) -> str:
    """The identity of named files."""
    return identity(*more, *(piece for name in sorted(files) for piece in (name, files[name])))


def engine(pyodide: Path) -> Recipe:
    """The interpreter's WebAssembly alone: the browser compiles it while it still arrives."""
    wasm = (pyodide / "pyodide.asm.wasm").read_bytes()
    return Recipe(name="engine", inputs=identity(wasm), make=lambda: wasm)


def loader(pyodide: Path) -> Recipe:
    """Pyodide's two scripts, both classic, and a lock that says which Pyodide this is but lists no packages."""
    start = (pyodide / "pyodide.js").read_bytes()
    module = (pyodide / "pyodide.asm.mjs").read_text(encoding="utf-8")
    lock = {"info": json.loads((pyodide / "pyodide-lock.json").read_bytes())["info"], "packages": {}}

    def make() -> bytes:
        script = classic(module, "pyodide.asm.mjs")
        return flat({"pyodide.js": start, "pyodide.asm.js": script.encode(), "lock.json": json.dumps(lock).encode()})

    return Recipe(name="loader", inputs=identity(start, module, json.dumps(lock)), make=make)


def stdlib(files: Mapping[str, bytes], wanted: tuple[str, ...], bytecode: Bytecode) -> Recipe:
    """The standard library as the zip file that Pyodide starts from; stored, not compressed."""
    chosen = {name: files[name] for name in wanted}

    def make() -> bytes:
        compiled = bytecode.make(_units(chosen, THEIR_OPTIMIZE, "python3.14/"))
        stored = BytesIO()
        with ZipFile(stored, "w", ZIP_STORED) as archive:
            for name in sorted(compiled):
                archive.writestr(ZipInfo(name), compiled[name])
        return stored.getvalue()

    return Recipe(name="stdlib", inputs=files_identity(chosen), make=make)


def packages(name: str, theirs: Mapping[str, bytes], ours: Mapping[str, bytes], bytecode: Bytecode) -> Recipe:
    """Files for site-packages: Python as bytecode, the rest as it is."""
    files = {**theirs, **ours}

    def make() -> bytes:
        units = {**_units(theirs, THEIR_OPTIMIZE), **_units(ours, OUR_OPTIMIZE)}
        others = {path: content for path, content in files.items() if not path.endswith(".py")}
        return flat({**others, **bytecode.make(units)})

    return Recipe(name=name, inputs=files_identity(files, "bytecode"), make=make)


def packages_quickly(name: str, theirs: Mapping[str, bytes], ours: Mapping[str, bytes], bytecode: Bytecode) -> Recipe:
    """The same without starting Pyodide: a file that has no bytecode yet goes in as source."""
    units = {**_units(theirs, THEIR_OPTIMIZE), **_units(ours, OUR_OPTIMIZE)}
    files = {**theirs, **ours}
    ready = {path: made for path, unit in units.items() if (made := bytecode.kept(unit)) is not None}
    sources = {path.removesuffix("c"): units[path].source for path in units if path not in ready}
    others = {path: content for path, content in files.items() if not path.endswith(".py")}
    how = "bytecode" if not sources else f"source of {sorted(sources)}"
    return Recipe(name=name, inputs=files_identity(files, how), make=lambda: flat({**others, **ready, **sources}))


def _units(files: Mapping[str, bytes], optimize: int, above: str = "") -> dict[str, Unit]:
    return {
        f"{name}c": Unit(shown=above + name, source=content, optimize=optimize)
        for name, content in files.items()
        if name.endswith(".py")
    }


def cook(recipe: Recipe, folder: Path) -> Part:
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
        draft.write_bytes(content)
        draft.replace(folder / name)
    return part
