"""What does the site look like? Takes README's picture: the first demo in the middle of its run."""

from __future__ import annotations

import sys
from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from hooks.paths import ROOT
from tests.tools.build import built_site
from tests.tools.find_browser import chromium
from tests.tools.static_host import static_host
from tests.tools.watched import CHROMIUM_FLAGS

PICTURE = ROOT / "docs" / "assets" / "screenshot.png"
MOST_BYTES = 200 * 1024
# The demo draws the same moment on every machine: reduced motion, and steps instead of a clock.
STEPS = 4


def take(picture: Path) -> None:
    path = chromium()
    if path is None:
        sys.exit("no Chromium here: `make test` finds or installs one")
    with static_host(built_site()) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        page = browser.new_page(viewport={"width": 1180, "height": 900}, reduced_motion="reduce", color_scheme="light")
        page.goto(f"{base}/index.html")
        demo = page.locator("figure.demo").first
        demo.scroll_into_view_if_needed()
        for _ in range(STEPS):
            demo.get_by_role("button", name="Step").click()
        expect(demo).to_have_attribute("data-state", "ready", timeout=60_000)
        demo.screenshot(path=picture)
        browser.close()


def main() -> None:
    PICTURE.parent.mkdir(exist_ok=True)
    take(PICTURE)
    size_bytes = PICTURE.stat().st_size
    print(f"{PICTURE.relative_to(ROOT)}: {size_bytes / 1024:.0f} KiB")
    if size_bytes > MOST_BYTES:
        sys.exit(f"more than the {MOST_BYTES // 1024} KiB promised")


if __name__ == "__main__":
    main()
