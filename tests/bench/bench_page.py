"""Does the page keep up with the reader: the first Run, a slider, a playing run, a long session?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import Browser, Page, Route, expect, sync_playwright

from tests.bench.row import Row
from tests.tools.build import built_site
from tests.tools.find_browser import chromium
from tests.tools.static_host import static_host
from tests.tools.watched import CHROMIUM_FLAGS

SCRIPT = Path(__file__).with_name("measuring.js").read_text()
COLD_PAGES = 9
SLIDER_INPUTS = 120
FEW_FRAMES, MANY_FRAMES = 100, 10_000
START_MS = 120_000


def p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


@contextmanager
def opened(browser: Browser, base: str) -> Iterator[Page]:
    """The first page with the measuring script in it, in a context of its own."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(f"{base}/index.html")
    page.wait_for_load_state("load")
    # As if it stood in a script of the page: `measure` is then known to every later expression.
    page.add_script_tag(content=SCRIPT)
    yield page
    context.close()


def measured(page: Page, expression: str) -> Any:
    """What the page measured, in ms."""
    return page.evaluate(f"measure.{expression}")


def first_run_ms(browser: Browser, base: str) -> float:
    """Run on a page whose recording has come and whose Python hasn't."""
    waiting: list[Route] = []
    with opened(browser, base) as page:
        page.route("**/assets/python/**", lambda route: waiting.append(route))
        recording = page.locator("figure.demo").first.get_attribute("data-recording") or ""
        with page.expect_response(lambda response: response.url.endswith(recording.removeprefix("../"))):
            page.locator("figure.demo").first.hover()
        page.evaluate("new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
        taken_ms = float(measured(page, "firstRun()"))
        for route in waiting:
            route.abort()
    return taken_ms


def ready(page: Page) -> None:
    figure = page.locator("figure.demo").first
    figure.hover()
    expect(figure).to_have_attribute("data-state", "ready", timeout=START_MS)


def held_bytes(page: Page) -> float:
    """What page and interpreter hold after collecting garbage: the page's JavaScript heap and Python's memory."""
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    heap: float = session.send("Runtime.getHeapUsage")["usedSize"]
    sizes = [
        worker.evaluate("typeof Serve === 'object' && Serve.python._module.HEAPU8.length") for worker in page.workers
    ]
    return heap + float(max(sizes))


def rows() -> list[Row]:
    path = chromium()
    assert path is not None, "no Chromium here: `make test` finds or installs one"
    with static_host(built_site()) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        runs_ms = [first_run_ms(browser, base) for _ in range(COLD_PAGES)]
        with opened(browser, base) as page:
            ready(page)
            slider_ms = measured(page, f"slider('output_tokens', {SLIDER_INPUTS})")
            gaps_ms = measured(page, "gaps()")
            measured(page, f"scrub({FEW_FRAMES})")
            few_bytes = held_bytes(page)
            measured(page, f"scrub({MANY_FRAMES - FEW_FRAMES})")
            many_bytes = held_bytes(page)
        browser.close()
    served = "two-phases, served, Chromium"
    return [
        Row(
            what="first Run on a cold page to its first frame, median",
            value=median(runs_ms) / 1e3,
            unit="s",
            bound=0.100,
            note=f"{served}; {COLD_PAGES} pages, the slowest {max(runs_ms):.0f} ms",
        ),
        Row(
            what="slider input to painted frame, p95",
            value=p95(slider_ms) / 1e3,
            unit="s",
            bound=0.034,
            note=f"{served}; {SLIDER_INPUTS} inputs",
        ),
        Row(
            what="gap between changed frames of a playing run, p95",
            value=p95(gaps_ms) / 1e3,
            unit="s",
            bound=0.020,
            note=f"{served}; {len(gaps_ms)} gaps",
        ),
        Row(
            what=f"memory after {MANY_FRAMES:,} frames against after {FEW_FRAMES}",
            value=many_bytes / few_bytes,
            unit="ratio",
            bound=1.05,
            note=f"{served}; {few_bytes / 1e6:.1f} MB then",
        ),
    ]
