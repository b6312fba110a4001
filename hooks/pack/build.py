"""The build of the Python pack, from verified inputs to build/python/."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from hooks.pack import files as contents
from hooks.pack import parts
from hooks.pack.errors import PackError
from hooks.pack.inputs.fetch import Progress, size_text
from hooks.pack.inputs.pins import NUMPY_VERSION, PYODIDE_VERSION
from hooks.pack.inputs.verified import gather
from hooks.pack.lock import locked
from hooks.pack.manifest import FILE_NAME, Manifest, Part, read
from hooks.pack.parts import Recipe, write_part
from hooks.pack.paths import Places
from hooks.pack.pyodide.bytecode import Bytecode
from hooks.pack.pyodide.stdlib_modules import needed_modules


def build(progress: Progress = print, *, quick: bool = False, places: Places | None = None) -> Manifest:
    """Make what is out of date and return what there is; raises PackError with one clear line.

    `quick` is for live reload: our own files that changed travel as source, so nothing is compiled.
    """
    places = places or Places()
    try:
        with locked(places.cache, progress):
            return _build(places, progress, quick=quick)
    except OSError as error:
        raise PackError(
            f"cannot write {error.filename or places.shown(places.out)}: {error.strerror or error}; "
            "make room or fix the folder's permissions, then run the same command again"
        ) from error


def _build(places: Places, progress: Progress, *, quick: bool) -> Manifest:
    inputs = gather(places, progress)
    stdlib = partial(contents.stdlib_files, inputs.pyodide / "python_stdlib.zip")
    numpy = partial(contents.numpy_files, inputs.numpy_wheel)
    html, own = contents.html_files(), contents.own_files(places.root)
    roots = (*contents.ENTRY_MODULES, *contents.own_demos(own))
    needed = needed_modules(places, roots, {**html, **own}, numpy)
    bytecode = Bytecode(places)
    site = parts.site_quickly if quick else parts.site
    recipes = (
        parts.engine(inputs.pyodide),
        parts.loader(inputs.pyodide),
        parts.stdlib(stdlib, needed.stdlib_files, bytecode),
        site(html, own, bytecode),
        parts.numpy(numpy, (contents.NUMPY_STUBS, contents.NUMPY_LEFT_OUT), bytecode),
    )
    versions = {"pyodide": PYODIDE_VERSION, "numpy": NUMPY_VERSION, **needed.versions}
    return _bring_up_to_date(recipes, versions, places, progress)


def _bring_up_to_date(
    recipes: Sequence[Recipe], versions: dict[str, str], places: Places, progress: Progress
) -> Manifest:
    folder = places.out
    folder.mkdir(parents=True, exist_ok=True)
    before = read(folder)
    made = {part.name: part for part in before.parts if part.stands_in(folder)} if before else {}
    current: list[Part] = []
    for recipe in recipes:
        old = made.get(recipe.name)
        if old and old.inputs == recipe.inputs:
            current.append(old)
            continue
        progress(f"packing {recipe.name}")
        part = write_part(recipe, folder)
        progress(f"packed {recipe.name}: {size_text(part.raw_bytes)}, gzip {size_text(part.pack_bytes)}")
        current.append(part)
    manifest = Manifest(parts=tuple(current), versions=versions, imports=contents.ENTRY_MODULES)
    if manifest != before:
        manifest.write(folder)
    _sweep(folder, manifest)
    return manifest


def _sweep(folder: Path, manifest: Manifest) -> None:
    """Remove files of earlier builds."""
    kept = {FILE_NAME, *(name for part in manifest.parts for name in (part.pack, part.script))}
    for path in folder.iterdir():
        if path.is_file() and path.name not in kept:
            path.unlink()
