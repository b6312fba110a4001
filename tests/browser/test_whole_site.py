"""Does every page of the site open without a complaint, and can everybody use it?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hooks.paths import ROOT
from tests.tools.pages import page_addresses
from tests.tools.watched import Site, Visits

AXE = (ROOT / "node_modules" / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}


def violations(page: Page) -> list[str]:
    """What axe finds, one line per rule and element, with what is wrong there."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate("axe.run().then(result => result.violations)")
    return [
        f"{page.url}: {violation['id']}: {node['target']}: {node['failureSummary']}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_axe_finds_nothing_on_any_page(
    http_visit: Visits, site_folder: Path, viewport: dict[str, int], scheme: str
) -> None:
    page = http_visit(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    found = []
    for address in page_addresses(site_folder):
        page.goto(http_visit.site.url(address))
        found += violations(page)
    assert not found, "\n".join(found)


def test_every_page_opens_without_a_complaint(visit: Visits, site_folder: Path, site: Site) -> None:
    page = visit()
    for address in page_addresses(site_folder):
        if site.kind == "http" or address != "404.html":
            page.goto(site.url(address))
            expect(page.locator("h1").first).to_be_attached()


def test_no_page_scrolls_sideways_on_a_phone(http_visit: Visits, site_folder: Path) -> None:
    page = http_visit(viewport=PHONE)
    too_wide = []
    for address in page_addresses(site_folder):
        page.goto(http_visit.site.url(address))
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            too_wide.append(f"{address}: {width} px")
    assert not too_wide
