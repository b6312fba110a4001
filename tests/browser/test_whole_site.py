"""Does every page of the site open without a complaint, and can everybody use it?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from hooks.paths import ROOT
from tests.tools.pages import page_addresses
from tests.tools.watched import Visits

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
def test_axe_finds_nothing_on_any_page(visit: Visits, site_folder: Path, scheme: str) -> None:
    page = visit(color_scheme=scheme, reduced_motion="reduce")
    faults = []
    for address in page_addresses(site_folder):
        page.goto(visit.site.url(address))
        for viewport in (PHONE, DESKTOP):
            page.set_viewport_size(viewport)  # type: ignore[arg-type]
            faults += violations(page)
    assert not faults, "\n".join(faults)


def test_no_page_scrolls_sideways_on_a_phone(visit: Visits, site_folder: Path) -> None:
    page = visit(viewport=PHONE)
    too_wide = []
    for address in page_addresses(site_folder):
        page.goto(visit.site.url(address))
        width = page.evaluate("document.documentElement.scrollWidth")
        if width > PHONE["width"]:
            too_wide.append(f"{address}: {width} px")
    assert not too_wide
