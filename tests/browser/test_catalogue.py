"""Can an entry of the catalog be found by its words, opened by its link, on a host and from a folder alike?"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.test_whole_site import violations
from tests.tools.watched import Visits

CATALOG = "catalog.html"
LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 800}


def test_words_in_any_spelling_pick_entries(visit: Visits) -> None:
    page = visit(CATALOG, viewport=LAPTOP)
    words = page.get_by_role("searchbox", name="Find")
    for asked in ("RTX4090", "rtx 4090", "rtx-4090", "4090 GeForce"):
        words.fill(asked)
        expect(page.locator("details#device-rtx-4090")).to_be_visible()
        expect(page.locator("details#device-rtx-3090")).to_be_hidden()
    words.fill("mi355")
    expect(page.locator(".catalogue-entry:visible")).to_have_count(1)
    words.fill("no such thing")
    expect(page.locator(".catalogue-status")).to_contain_text("Nothing matches all these words")


def test_the_keyboard_finds_and_opens_an_entry(visit: Visits) -> None:
    page = visit(CATALOG, viewport=LAPTOP)
    page.get_by_role("searchbox", name="Find").focus()
    page.keyboard.type("m4 pro 20")
    page.get_by_role("combobox", name="Kind of entry").select_option("devices")
    entry = page.locator("details#device-apple-m4-pro-20c")
    expect(entry).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(entry.locator("summary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(entry).to_have_attribute("open", "")
    expect(entry).to_contain_text("24 GiB, 48 GiB, 64 GiB")


def test_a_link_to_an_entry_opens_it(visit: Visits) -> None:
    page = visit(CATALOG, fragment="device-l40s", viewport=LAPTOP)
    entry = page.locator("details#device-l40s")
    expect(entry).to_have_attribute("open", "")
    expect(entry.locator("summary")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_entries_please_axe_and_fit_a_phone(visit: Visits, scheme: str) -> None:
    page = visit(CATALOG, viewport=PHONE, color_scheme=scheme)
    page.evaluate(
        "[...document.querySelectorAll('.catalogue-entry')].filter((_, i) => i % 9 === 0).forEach(e => e.open = true)"
    )
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
