"""How long until Python is ready, against Pyodide as it comes, and how much has to be fetched for it?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Browser, sync_playwright

from hooks.pack.manifest import read
from hooks.pack.paths import Places
from tests.bench.row import Row
from tests.bench.stock_site import lay_out_folder, lay_out_served
from tests.pack.small_site import lay_out
from tests.tools import find_browser
from tests.tools.static_host import static_host
from tests.tools.watched import CHROMIUM_FLAGS

ROUNDS = 5
BOUNDS = {"served": 0.35, "from a folder": 0.40}
PAYLOAD_BOUND_BYTES = 8.4e6
STOCK = "async () => { const begin = performance.now(); await boot(); return [(performance.now() - begin) / 1e3, 0]; }"
OURS = """async () => {
  const begin = performance.now();
  await TwoSpeeds.python.start({ numpy: true });
  const ready = performance.now();
  await TwoSpeeds.python.ask("show", ["bench", "two-phases", "{}", "0"]);
  return [(ready - begin) / 1e3, (performance.now() - ready) / 1e3];
}"""


def rows() -> list[Row]:
    """Boot both ways, and sizes."""
    return [*boot_rows(), *size_rows()]


def boot_rows() -> Iterator[Row]:
    """Ours and stock in turns, the fastest of each: whatever else the machine does only ever adds."""
    with pages() as addresses, chromium() as browser:
        for way, bound in BOUNDS.items():
            rounds = [
                (boot_s(browser, addresses["ours", way], OURS), boot_s(browser, addresses["stock", way], STOCK))
                for _ in range(ROUNDS)
            ]
            note = f"fastest of {ROUNDS}, cold, with numpy"
            ours_s = min(ours[0] for ours, _ in rounds)
            stock_s = min(stock[0] for _, stock in rounds)
            yield Row(what=f"Python ready, {way}", value=ours_s, unit="s", note=note)
            yield Row(what=f"stock Pyodide ready, {way}", value=stock_s, unit="s", note=note)
            yield Row(what=f"share of stock, {way}", value=ours_s / stock_s, unit="ratio", bound=bound)
            first_s = min(ours[1] for ours, _ in rounds)
            yield Row(what=f"first scene asked for and drawn, {way}", value=first_s, unit="s", note="imports the demo")


def size_rows() -> Iterator[Row]:
    """The parts as they lie on the site."""
    manifest = read(Places().out)
    assert manifest is not None, "no Python pack: `python -m hooks.pack` makes it"
    parts = ", ".join(f"{part.name} {part.pack_bytes / 1e6:.2f}" for part in manifest.parts)
    yield Row(
        what="all packs, gzip", value=manifest.pack_bytes, unit="B", bound=PAYLOAD_BOUND_BYTES, note=f"MB: {parts}"
    )
    scripts_bytes = sum(part.script_bytes for part in manifest.parts)
    yield Row(what="the same as scripts", value=scripts_bytes, unit="B")


def boot_s(browser: Browser, address: str, script: str) -> tuple[float, float]:
    """Seconds to ready and of the first question, in a browser that has seen nothing yet."""
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(address)
        ready_s, first_s = page.evaluate(script)
        return ready_s, first_s
    finally:
        context.close()


@contextmanager
def pages() -> Iterator[dict[tuple[str, str], str]]:
    """The addresses of four pages: ours and stock, served and in a folder."""
    places = Places()
    with TemporaryDirectory(prefix="two-speeds-boot-") as name:
        above = Path(name)
        lay_out(above / "ours", hosted=True, places=places)
        lay_out(above / "ours-folder", hosted=False, places=places)
        lay_out_served(above / "stock", places)
        lay_out_folder(above / "stock-folder", places)
        with static_host(above) as base:
            yield {
                ("ours", "served"): f"{base}/ours/index.html",
                ("stock", "served"): f"{base}/stock/index.html",
                ("ours", "from a folder"): (above / "ours-folder" / "index.html").as_uri(),
                ("stock", "from a folder"): (above / "stock-folder" / "index.html").as_uri(),
            }


@contextmanager
def chromium() -> Iterator[Browser]:
    path = find_browser.chromium()
    assert path is not None, "no Chromium to measure in: `make test` finds or installs one"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        try:
            yield browser
        finally:
            browser.close()
