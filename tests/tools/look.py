"""make look: every demo at rest, in the middle and at its end, on four widths, light and dark, on one sheet.

A style that changes shows everywhere it changes; the sheet is for eyes, and no test compares its pixels. It lies in
`build/look/`, pictures beside it.
"""

from __future__ import annotations

import html
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from playwright.sync_api import Browser, Page, sync_playwright

from demos.kit.host.registry import demo_ids
from hooks.paths import ROOT
from tests.tools.build import built_site
from tests.tools.find_browser import needed_chromium
from tests.tools.watched import CHROMIUM_FLAGS

HOME: Final = ROOT / "build" / "look"
WIDTHS: Final = (360, 390, 768, 1280)
SCHEMES: Final = ("light", "dark")
# Where on the time axis, of a thousand.
MOMENTS: Final = {"rest": 0, "middle": 500, "end": 1000}
HEIGHT: Final = 900
START_MS: Final = 60_000
STYLE: Final = (
    "body{font:14px sans-serif;margin:1em;background:#888}h2{margin:1em 0 .2em}"
    ".row{display:flex;gap:1em;overflow-x:auto;align-items:flex-start}figure{margin:0}"
    "img{max-height:70vh;border:1px solid #444}"
)


def main(only: list[str]) -> None:
    """Take the pictures of all demos, or of those named, and write the sheet."""
    ids = demo_ids()
    unknown = [name for name in only if name not in ids]
    if unknown:
        sys.exit(f"no demo {', '.join(unknown)}; there are: {', '.join(ids)}")
    site = built_site()
    shutil.rmtree(HOME, ignore_errors=True)
    HOME.mkdir(parents=True)
    taken: dict[str, list[str]] = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=needed_chromium(), args=list(CHROMIUM_FLAGS))
        for demo_id in only or ids:
            taken[demo_id] = list(_pictures(browser, site, demo_id))
            print(f"{demo_id}: {len(taken[demo_id])} pictures", flush=True)
        browser.close()
    (HOME / "index.html").write_text(sheet(taken), encoding="utf-8")
    print(f"look at {(HOME / 'index.html').relative_to(ROOT)}")


def sheet(taken: dict[str, list[str]]) -> str:
    """Return the page that shows all pictures, a row for each demo and width."""
    parts = [f"<!doctype html><meta charset=utf-8><title>All demos</title><style>{STYLE}</style>"]
    for demo_id, names in taken.items():
        for width in WIDTHS:
            own = [name for name in names if f"-{width}-" in name]
            parts.append(f"<h2>{html.escape(demo_id)}, {width} px</h2><div class=row>")
            parts += [f'<figure><img src="{name}" alt=""><figcaption>{name}</figcaption></figure>' for name in own]
            parts.append("</div>")
    return "\n".join(parts)


def _pictures(browser: Browser, site: Path, demo_id: str) -> Iterator[str]:
    for scheme in SCHEMES:
        page = browser.new_page(color_scheme=scheme, viewport={"width": WIDTHS[-1], "height": HEIGHT})
        page.goto((site / "embed" / f"{demo_id}.html").as_uri())
        figure = page.locator("figure.demo")
        figure.locator("[data-part=sentence]").hover()
        page.locator("figure.demo[data-state=ready]").wait_for(timeout=START_MS)
        for moment, place in MOMENTS.items():
            if not _go(page, moment, place):
                continue
            for width in WIDTHS:
                page.set_viewport_size({"width": width, "height": HEIGHT})
                name = f"{demo_id}-{width}-{scheme}-{moment}.png"
                figure.screenshot(path=HOME / name)
                yield name
        page.close()


def _go(page: Page, moment: str, place: int) -> bool:
    """Go to a moment; a still picture has only the first."""
    scrubber = page.locator("figure.demo [data-do=scrub]")
    if not scrubber.count():
        return moment == "rest"
    scrubber.fill(str(place))
    # Fonts are there, and what they moved is painted.
    painted = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
    page.evaluate(f"document.fonts.ready.then(() => {painted})")
    return True


if __name__ == "__main__":
    main(sys.argv[1:])
