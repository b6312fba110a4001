"""A small site of the pack's own: the real runtime and Pyodide, with a stand-in for the demos.

The stand-in's four calls do what real demos must never do: raise, hang, use up memory, break the interpreter.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser

from hooks.pack import build
from hooks.pack.paths import Places
from hooks.paths import ROOT
from tests.pack.small_site import lay_out
from tests.tools.build import packed
from tests.tools.find_browser import running_chromium
from tests.tools.static_host import static_host
from tests.tools.watched import Site

STAND_IN = Path(__file__).parent / "stand_in"
AWKWARD = "Zwei Tempi, 100 % ü #1"


@dataclass(frozen=True, slots=True, kw_only=True)
class SmallSites:
    """The site for a host and the one for a folder, and the places they were packed in."""

    places: Places
    hosted: Path
    folder: Path


@pytest.fixture(scope="session", autouse=True)
def pack() -> None:
    """The pack that the site ships, as its sources are now."""
    packed()


@pytest.fixture(scope="session")
def stand_in(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A project that consists of the stand-in; what has been fetched and compiled before is used again."""
    root = tmp_path_factory.mktemp("project")
    copytree(STAND_IN, root, dirs_exist_ok=True)
    copytree(ROOT / "demos" / "runtime", root / "demos" / "runtime", dirs_exist_ok=True)
    real = Places()
    return Places(root=root, pyodide=real.pyodide, cache=real.cache, out=root / "build" / "python")


@pytest.fixture(scope="session")
def small_sites(stand_in: Places, tmp_path_factory: pytest.TempPathFactory) -> SmallSites:
    build(lambda _line: None, quick=True, places=stand_in)
    above = tmp_path_factory.mktemp("sites")
    sites = SmallSites(places=stand_in, hosted=above / "hosted", folder=above / AWKWARD)
    lay_out(sites.hosted, hosted=True, places=stand_in)
    lay_out(sites.folder, hosted=False, places=stand_in)
    return sites


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[[Path], str]]:
    """Serves folders for as long as the tests run."""
    with ExitStack() as running:
        yield lambda folder: running.enter_context(static_host(folder))


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with running_chromium() as launched:
        yield launched


@pytest.fixture(params=["served", "scripts served", "folder"])
def small_site(request: pytest.FixtureRequest, small_sites: SmallSites, serve: Callable[[Path], str]) -> Site:
    """The site with packs from a host, the unzipped one put on a host, and the unzipped one as a folder."""
    if request.param == "folder":
        return Site(kind="file", base=small_sites.folder.as_uri())
    return Site(kind="http", base=serve(small_sites.hosted if request.param == "served" else small_sites.folder))
