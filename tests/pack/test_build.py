"""Is only that rebuilt whose input changed, and does a site get what it needs and nothing else?"""

import gzip
import json
from pathlib import Path
from shutil import copytree

import pytest

from hooks.pack import PackError, build, copy_into, third_party
from hooks.pack.archive import unflat
from hooks.pack.manifest import Manifest, read
from hooks.pack.paths import Places
from tests.pack.conftest import SmallSites

SITE = "/lib/python3.14/site-packages"
PAYLOAD_BOUND_BYTES = 8.4e6


@pytest.fixture
def places(small_sites: SmallSites, tmp_path: Path) -> Places:
    """A project of its own, already packed."""
    packed = small_sites.places
    copytree(packed.root, tmp_path / "project")
    root = tmp_path / "project"
    return Places(root=root, pyodide=packed.pyodide, cache=packed.cache, out=root / "build" / "python")


def rebuilt(places: Places) -> list[str]:
    """The parts that a build made anew."""
    lines: list[str] = []
    build(lines.append, quick=True, places=places)
    return [line.removeprefix("packing ") for line in lines if line.startswith("packing ")]


def files_in(manifest: Manifest, places: Places, part: str) -> dict[str, bytes]:
    return unflat(gzip.decompress((places.out / manifest.part(part).pack).read_bytes()))


def test_a_second_build_makes_nothing(places: Places) -> None:
    assert rebuilt(places) == []


def test_an_edit_to_our_code_remakes_our_part_alone(places: Places) -> None:
    (places.root / "pysim" / "__init__.py").write_text('"""Edited."""\n')
    assert rebuilt(places) == ["site"]


def test_an_edit_goes_in_as_source_where_nothing_is_compiled(places: Places) -> None:
    (places.root / "pysim" / "__init__.py").write_text('"""Edited a second time."""\n')
    manifest = build(lambda _line: None, quick=True, places=places)
    assert files_in(manifest, places, "site")[f"{SITE}/pysim/__init__.py"] == b'"""Edited a second time."""\n'


def test_a_part_whose_file_is_gone_is_made_again(places: Places) -> None:
    manifest = read(places.out)
    assert manifest is not None
    (places.out / manifest.part("loader").script).unlink()
    assert rebuilt(places) == ["loader"]


def test_files_of_earlier_builds_are_swept_away(places: Places) -> None:
    (places.out / "site-0123456789.pack").write_bytes(b"old")
    build(lambda _line: None, quick=True, places=places)
    assert not (places.out / "site-0123456789.pack").exists()


def test_an_import_that_python_in_the_browser_lacks_is_one_clear_line(places: Places) -> None:
    session = places.root / "demos" / "kit" / "host" / "session.py"
    session.write_text("import nowhere_to_be_found\n" + session.read_text())
    with pytest.raises(
        PackError, match=r"cannot be imported: demos\.kit\.host\.session: No module named 'nowhere_to_be_found'"
    ):
        build(lambda _line: None, quick=True, places=places)


def entry_of(site: Path) -> dict[str, object]:
    text = (site / "assets" / "python" / "entry.js").read_text(encoding="utf-8")
    entry: dict[str, object] = json.loads(text.removeprefix("TwoSpeeds.payload.entry(").removesuffix(");\n"))
    return entry


def test_a_hosted_site_gets_packs_and_scripts_and_says_so(small_sites: SmallSites) -> None:
    names = {path.suffix for path in (small_sites.hosted / "assets" / "python").iterdir()}
    assert names == {".pack", ".js"}
    assert entry_of(small_sites.hosted)["packs"] is True


def test_an_unzipped_site_gets_scripts_alone_and_says_so(small_sites: SmallSites) -> None:
    names = {path.suffix for path in (small_sites.folder / "assets" / "python").iterdir()}
    assert names == {".js"}
    assert entry_of(small_sites.folder)["packs"] is False


def test_copying_again_removes_what_an_earlier_pack_left(small_sites: SmallSites, tmp_path: Path) -> None:
    target = tmp_path / "assets" / "python"
    target.mkdir(parents=True)
    (target / "engine-0123456789.js").write_text("old")
    copy_into(tmp_path, hosted=False, places=small_sites.places)
    assert not (target / "engine-0123456789.js").exists()


def test_copying_without_a_pack_names_the_command_that_makes_it(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"no Python pack in build/python; `python -m hooks\.pack` makes it"):
        copy_into(tmp_path, hosted=True, places=Places(root=tmp_path, out=tmp_path / "build" / "python"))


@pytest.fixture(scope="module")
def real() -> Manifest:
    """The pack that the site ships."""
    manifest = read(Places().out)
    assert manifest is not None, "no Python pack: `python -m hooks.pack` makes it"
    return manifest


def test_all_packs_together_stay_within_their_budget(real: Manifest) -> None:
    assert real.pack_bytes <= PAYLOAD_BOUND_BYTES


def test_nothing_compiled_for_this_machine_is_in_our_part(real: Manifest) -> None:
    files = files_in(real, Places(), "site")
    assert f"{SITE}/simple_html/core.pyc" in files
    assert not [name for name in files if name.endswith((".so", ".pyd", ".dylib"))]


def test_demos_keep_the_question_that_they_answer(real: Manifest) -> None:
    """Docstrings of our own modules are shown to readers: they survive compiling."""
    assert b"how many times" in files_in(real, Places(), "site")[f"{SITE}/demos/two_phases/__init__.pyc"].lower()


def test_every_work_inside_is_listed_with_version_licence_and_text() -> None:
    listed = third_party()
    assert {"Pyodide", "CPython", "numpy", "zlib"} <= {work.name for work in listed}
    assert all(work.version and work.licence and work.url and len(work.text) > 500 for work in listed)
