"""When Python cannot start, or ends, does the page say what happened and get over it where it can?"""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree

import pytest
from playwright.sync_api import Browser, Page

from hooks.pack.manifest import read
from tests.pack.conftest import SmallSites
from tests.tools.watched import Site, Visits

START = "() => TwoSpeeds.python.start({ numpy: false }).then(() => 'ready', (error) => error.message)"
TRY = """([call, ...args]) => TwoSpeeds.python.ask(call, args).then(
  (text) => ({ text }),
  (error) => ({ died: error instanceof TwoSpeeds.WorkerDied, message: error.message }),
)"""
STATE = "() => TwoSpeeds.python.state"
COUNT = """() => {
  window.heard = [];
  for (const event of ["ready", "failed", "restarted"]) TwoSpeeds.python.on(event, () => window.heard.push(event));
}"""
# What the browser itself says when a test takes away or damages a file, or breaks the interpreter.
NOISE = (
    r"status of 404|ERR_FILE_NOT_FOUND|SyntaxError|unexpected token|unsafe-eval|"
    r"fatal error|stack|Pyodide|pyodide\.js|wasm|RangeError|RuntimeError|net::|"
    # A promise of Pyodide's own, which nobody can wait for, may fail of the same file after the start has given up.
    r"\.(pack|js) is damaged\."
)


@pytest.fixture
def damaged(small_sites: SmallSites, serve: Callable[[Path], str], tmp_path: Path) -> Callable[..., Site]:
    """A copy of a small site in which one file has been spoilt."""

    def spoil(kind: str, name: str, how: Callable[[Path], object]) -> Site:
        source = small_sites.folder if kind == "folder" else small_sites.hosted
        copytree(source, tmp_path / "site")
        how(tmp_path / "site" / "assets" / "python" / name)
        if kind == "folder":
            return Site(kind="file", base=(tmp_path / "site").as_uri())
        return Site(kind="http", base=serve(tmp_path / "site"))

    return spoil


@pytest.fixture
def opened(chromium: Browser) -> Iterator[Callable[..., Page]]:
    """Opens sites in which something is broken on purpose."""
    all_visits: list[Visits] = []

    def open_site(site: Site, **how: object) -> Page:
        visits = Visits(chromium, site)
        visits.allow(NOISE)
        all_visits.append(visits)
        return visits(**how)  # type: ignore[arg-type]

    yield open_site
    for visits in all_visits:
        visits.close()
        visits.check()


@pytest.fixture(scope="module")
def alive(chromium: Browser, small_sites: SmallSites, serve: Callable[[Path], str]) -> Iterator[Page]:
    """A started Python that several tests share: none of them ends it."""
    visits = Visits(chromium, Site(kind="http", base=serve(small_sites.hosted)))
    page = visits()
    assert page.evaluate(START) == "ready"
    yield page
    visits.close()
    visits.check()


@pytest.fixture
def started(opened: Callable[..., Page], small_sites: SmallSites, serve: Callable[[Path], str]) -> Page:
    page = opened(Site(kind="http", base=serve(small_sites.hosted)))
    page.evaluate(COUNT)
    assert page.evaluate(START) == "ready"
    return page


def file_of(sites: SmallSites, part: str, kind: str) -> str:
    manifest = read(sites.places.out)
    assert manifest is not None
    found = manifest.part(part)
    return found.script if kind == "folder" else found.pack


def flip(path: Path) -> None:
    """Turn over one bit in the middle."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2 & ~1] ^= 1
    path.write_bytes(data)


@pytest.mark.parametrize("part", ["engine", "stdlib"])
@pytest.mark.parametrize("kind", ["served", "folder"])
def test_a_flipped_bit_is_noticed_and_the_file_named(
    kind: str, part: str, damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    name = file_of(small_sites, part, kind)
    page = opened(damaged(kind, name, flip))
    assert page.evaluate(START).startswith(f"Python can't start: the file {name} arrived damaged. Reload the page;")
    assert page.evaluate(STATE) == "failed"


def unpacked_on_the_way(path: Path) -> None:
    """What a page gets from a host that takes .pack files for compressed transfer, and inflates them."""
    for pack in path.parent.glob("*.pack"):
        pack.write_bytes(gzip.decompress(pack.read_bytes()))


def test_a_host_that_inflates_packs_on_the_way_is_put_up_with(
    damaged: Callable[..., Site], opened: Callable[..., Page]
) -> None:
    page = opened(damaged("served", "entry.js", unpacked_on_the_way))
    assert page.evaluate(START) == "ready"


@pytest.mark.parametrize("part", ["engine", "site"])
def test_a_flipped_bit_is_noticed_where_gzip_does_not_guard_it(
    part: str, damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    name = file_of(small_sites, part, "served")

    def spoil(path: Path) -> None:
        unpacked_on_the_way(path)
        flip(path)

    assert f"the file {name} arrived damaged" in opened(damaged("served", name, spoil)).evaluate(START)


@pytest.mark.parametrize("kind", ["served", "folder"])
def test_a_missing_file_is_named(
    kind: str, damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    name = file_of(small_sites, "site", kind)
    page = opened(damaged(kind, name, Path.unlink))
    assert page.evaluate(START).startswith(f"Python can't start: the file {name} couldn't be loaded. Check")


def test_a_cut_script_is_named(
    damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    name = file_of(small_sites, "loader", "folder")
    page = opened(damaged("folder", name, lambda path: path.write_bytes(path.read_bytes()[:-1000])))
    assert f"the file {name} arrived damaged" in page.evaluate(START)


def test_a_start_that_failed_can_be_tried_again(
    damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    name = file_of(small_sites, "site", "served")
    moved: list[Path] = []
    page = opened(damaged("served", name, lambda path: moved.append(path.rename(path.with_suffix(".away")))))
    assert "couldn't be loaded" in page.evaluate(START)
    moved[0].rename(moved[0].with_suffix(".pack"))
    assert page.evaluate(START) == "ready"


@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("delete window.WebAssembly", "WebAssembly, which live Python runs on, is turned off or blocked"),
        (
            "delete window.DecompressionStream",
            "too old for live Python, which needs Chrome 112, Firefox 113, Safari 16.4",
        ),
        ("delete window.Worker", "blocked the background worker"),
        ("window.Worker = class { constructor() { throw new Error('refused') } }", "blocked the background worker"),
    ],
)
def test_what_the_browser_lacks_is_said_before_anything_is_fetched(
    script: str, words: str, opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    page = opened(Site(kind="file", base=small_sites.folder.as_uri()), init_script=script)
    message = page.evaluate(START)
    assert words in message
    assert message.endswith("The recorded run still plays.")


def test_an_older_chrome_is_told_so(opened: Callable[..., Page], small_sites: SmallSites) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/111.0.0.0 Safari/537.36"
    page = opened(Site(kind="file", base=small_sites.folder.as_uri()), user_agent=agent)
    assert "too old" in page.evaluate(START)


def test_wasm_that_a_policy_forbids_is_said(
    damaged: Callable[..., Site], opened: Callable[..., Page], small_sites: SmallSites
) -> None:
    def forbid(path: Path) -> None:
        page = path.parents[2] / "index.html"
        rule = "default-src 'self' 'unsafe-inline' blob: data:"
        head = f'<!doctype html><meta http-equiv="Content-Security-Policy" content="{rule}">'
        page.write_text(page.read_text().replace("<!doctype html>", head))

    page = opened(damaged("served", "entry.js", forbid))
    assert "WebAssembly, which live Python runs on, is turned off or blocked" in page.evaluate(START)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("raise", "ValueError: no <b>such</b> value"),
        ("recurse", "RecursionError: maximum recursion depth exceeded"),
        ("memory", "There is not enough memory for these values."),
    ],
)
def test_an_exception_is_an_answer_and_python_lives_on(key: str, message: str, alive: Page) -> None:
    assert alive.evaluate(TRY, ["draw", key, "0"]) == {"died": False, "message": message}
    assert alive.evaluate(TRY, ["draw", "", "0"]) == {"text": "well"}


@pytest.mark.parametrize("how", ["break", "hang"])
def test_a_worker_that_dies_is_started_again_once(started: Page, how: str) -> None:
    started.evaluate("() => { TwoSpeeds.python.patience_s = 1; }")
    assert started.evaluate(TRY, ["draw", how, "0"])["died"]
    started.wait_for_function("() => TwoSpeeds.python.state === 'ready'")
    assert started.evaluate("() => heard") == ["ready", "ready", "restarted"]
    started.evaluate("() => { TwoSpeeds.python.patience_s = 20; }")
    assert started.evaluate(TRY, ["draw", "", "0"]) == {"text": "well"}
    started.evaluate("() => { TwoSpeeds.python.lose('for a second time'); }")
    assert started.evaluate(STATE) == "failed"
    assert started.evaluate("() => heard") == ["ready", "ready", "restarted", "failed"]


def test_all_that_was_asked_of_a_dead_worker_is_refused(started: Page) -> None:
    asked = started.evaluate(
        """() => {
          const asks = [0, 1, 2].map(() => TwoSpeeds.python.ask("draw", ["", "0"]));
          TwoSpeeds.python.lose("on purpose");
          return Promise.all(asks.map((ask) => ask.catch((error) => error instanceof TwoSpeeds.WorkerDied)));
        }"""
    )
    assert asked == [True, True, True]
