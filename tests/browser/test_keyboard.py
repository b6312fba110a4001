"""Can somebody without a pointer use every page?"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.tools.watched import Visits

PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
LESSON = "lessons/prefill-and-decode.html"
MOST_STOPS = 400
# What has the focus: its name for a message, whether it can be seen, and whether anything shows that it is focused.
FOCUSED = """() => {
    const element = document.activeElement;
    if (!element || element === document.body) return null;
    const box = element.getBoundingClientRect(), style = getComputedStyle(element);
    // The theme draws its own face for a switch: the label behind it.
    const face = element.nextElementSibling;
    const shown = element.matches("input.md-option") && face instanceof HTMLLabelElement ? face : element;
    const area = shown.getBoundingClientRect();
    return {
        name: (element.getAttribute("aria-label") || element.textContent || element.name || "").trim().slice(0, 40),
        tag: element.tagName.toLowerCase(),
        seen: area.width > 0 && area.height > 0 && style.visibility !== "hidden",
        inside: box.right > 0 && box.left < innerWidth,
        marked: element.matches(":focus-visible"),
    };
}"""


def walk(page: Page) -> list[dict[str, Any]]:
    """Every stop of the Tab key, until it leaves the page."""
    stops: list[dict[str, Any]] = []
    while len(stops) < MOST_STOPS:
        page.keyboard.press("Tab")
        focused = page.evaluate(FOCUSED)
        if focused is None:
            return stops
        stops.append(focused)
    raise AssertionError(f"Tab never leaves the page; the last stops: {stops[-3:]}")


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("address", ["index.html", LESSON, "third-party.html"])
def test_tab_goes_through_the_page_and_stops_only_where_something_is_seen(
    visit: Visits, address: str, viewport: dict[str, int]
) -> None:
    page = visit(address, viewport=viewport, reduced_motion="reduce")
    stops = walk(page)
    assert len(stops) > 3
    hidden = [stop for stop in stops if not (stop["seen"] and stop["inside"] and stop["marked"])]
    assert not hidden


def test_the_first_stop_skips_to_the_content(visit: Visits) -> None:
    page = visit(LESSON)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('article, main .md-content') !== null")


def test_the_menu_on_a_phone_opens_leads_on_and_closes_by_keyboard(visit: Visits) -> None:
    page = visit("index.html", viewport=PHONE, reduced_motion="reduce")
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    assert page.evaluate("document.activeElement.closest('.md-sidebar--primary') !== null")
    page.keyboard.press("Escape")
    expect(menu).to_have_attribute("aria-expanded", "false")
    expect(menu).to_be_focused()


def test_a_lesson_is_reached_from_the_menu_on_a_phone_by_keyboard(visit: Visits) -> None:
    page = visit("index.html", viewport=PHONE, reduced_motion="reduce")
    page.get_by_role("button", name="Menu").focus()
    page.keyboard.press("Enter")
    lessons = page.get_by_role("button", name="Lessons").first
    lessons.focus()
    page.keyboard.press("Enter")
    page.get_by_role("navigation", name="Lessons").get_by_role("link").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/lessons/*.html")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_reader_can_change_between_light_and_dark_and_it_is_kept(visit: Visits, scheme: str) -> None:
    page = visit("index.html", color_scheme=scheme)
    other = "slate" if scheme == "light" else "default"
    toggle = page.get_by_title(f"Switch to {'dark' if scheme == 'light' else 'light'} mode")
    toggle.click()
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", other)
    page.goto(visit.site.url("third-party.html"))
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", other)
