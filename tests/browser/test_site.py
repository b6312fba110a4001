"""Do search, formulas, sources and deep links work on a host and from a folder alike?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
LAPTOP = {"width": 1280, "height": 720}
HEADER_PX = 49


def test_the_search_finds_a_section_and_leads_to_it(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("storeroom down the hall")
    found = page.locator(".md-search-result__link", has_text="What one pass has to do").first
    expect(found).to_be_visible()
    found.click()
    expect(page).to_have_url(re.compile(r"lessons/prefill-and-decode\.html.*#what-one-pass-has-to-do$"))
    expect(page.get_by_role("heading", name="What one pass has to do")).to_be_in_viewport()


def test_a_closed_search_offers_nothing_to_the_keyboard(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    expect(page.locator(".md-search__output")).to_be_hidden()


def test_formulas_are_drawn_in_their_own_fonts(visit: Visits) -> None:
    page = visit(LESSON)
    page.get_by_role("heading", name="Notes").scroll_into_view_if_needed()
    page.evaluate("document.fonts.ready")
    assert page.evaluate("document.fonts.check('16px KaTeX_Main') && document.fonts.check('italic 16px KaTeX_Math')")
    widths = page.evaluate(
        "[...document.querySelectorAll('.formula-display .katex-html')].map(each => each.getBoundingClientRect().width)"
    )
    assert widths
    assert min(widths) > 0


def test_a_formula_is_there_for_a_screen_reader(visit: Visits) -> None:
    page = visit(LESSON)
    expect(page.get_by_role("math").first).to_be_attached()


def test_the_python_behind_a_demo_opens_as_a_page_with_its_name(visit: Visits) -> None:
    page = visit(LESSON)
    link = page.locator("figure#two-phases").get_by_role("link", name="See the Python")
    page.goto(link.evaluate("link => link.href"))
    expect(page).to_have_title("demos/two_phases/__init__.py · Two Speeds")
    expect(page.get_by_text('"""How many times does the text go through the model?"""')).to_be_visible()


def test_a_source_page_is_as_dark_as_the_reader_chose(visit: Visits) -> None:
    page = visit("index.html", color_scheme="light")
    page.get_by_title("Switch to dark mode").click()
    page.goto(visit.site.url("source/index.html"))
    expect(page.locator("html")).to_have_attribute("data-md-color-scheme", "slate")


def test_an_address_with_a_place_opens_there(visit: Visits) -> None:
    page = visit(LESSON, fragment="notes")
    expect(page.get_by_role("heading", name="Notes")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_sight_of_a_page_is_in_the_readers_scheme(visit: Visits, scheme: str) -> None:
    """The scheme stands before the theme's script runs, so that no light page flashes in a dark room."""
    page = visit("index.html", color_scheme=scheme)
    marked = page.evaluate("getComputedStyle(document.body).getPropertyValue('--paper').trim()")
    assert marked == ("#fff" if scheme == "light" else "#14181f")


def test_paper_is_light_even_in_a_dark_room(http_visit: Visits) -> None:
    page = http_visit(LESSON, color_scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).getPropertyValue('--ink').trim()") == "#1b2430"


def test_a_whole_demo_fits_a_laptop_screen_below_the_header(http_visit: Visits) -> None:
    page = http_visit(LESSON, viewport=LAPTOP)
    box = page.locator("figure.demo").first.bounding_box()
    assert box is not None
    assert box["height"] <= LAPTOP["height"] - HEADER_PX


def test_without_scripts_the_page_is_whole_and_shows_no_button_that_does_nothing(http_visit: Visits) -> None:
    page = http_visit(LESSON, java_script_enabled=False)
    for figure in page.locator("figure.demo").all():
        expect(figure.locator("output[data-readout]").first).to_be_visible()
        expect(figure.locator(".demo-noscript")).to_be_visible()
    assert page.locator("figure.demo button:visible").count() == 0
