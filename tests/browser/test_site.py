"""Do search, formulas, sources and deep links work on a host and from a folder alike?"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
LAPTOP = {"width": 1280, "height": 720}
HEADER_PX = 49


def test_a_closed_search_offers_nothing_to_the_keyboard(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    expect(page.locator(".md-search__output")).to_be_hidden()


def test_a_formula_is_there_for_a_screen_reader(visit: Visits) -> None:
    page = visit(LESSON)
    expect(page.get_by_role("math").first).to_be_attached()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_sight_of_a_page_is_in_the_readers_scheme(visit: Visits, scheme: str) -> None:
    """The scheme stands before the theme's script runs, so that no light page flashes in a dark room."""
    page = visit("index.html", color_scheme=scheme)
    marked = page.evaluate("getComputedStyle(document.body).getPropertyValue('--paper').trim()")
    assert marked == ("#fff" if scheme == "light" else "#14181f")


def test_paper_is_light_even_in_a_dark_room(visit: Visits) -> None:
    page = visit(LESSON, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--ink').trim()") == "#1b2430"


def test_a_whole_demo_fits_a_laptop_screen_below_the_header(visit: Visits) -> None:
    page = visit(LESSON, viewport=LAPTOP)
    box = page.locator("figure.demo").first.bounding_box()
    assert box is not None
    assert box["height"] <= LAPTOP["height"] - HEADER_PX


def test_without_scripts_the_page_is_whole_and_shows_no_button_that_does_nothing(visit: Visits) -> None:
    page = visit(LESSON, java_script_enabled=False)
    for figure in page.locator("figure.demo").all():
        expect(figure.locator("output[data-readout]").first).to_be_visible()
        expect(figure.locator(".demo-noscript")).to_be_visible()
    assert page.locator("figure.demo button:visible").count() == 0
