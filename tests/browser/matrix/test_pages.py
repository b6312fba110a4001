"""The pages on a host and from a folder: does each open, search, find its fonts, its sources and its places?"""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.faq import FAQ, NO_CLIPBOARD, QUESTION, open_answers
from tests.tools.pages import page_addresses
from tests.tools.watched import Site, Visits

LESSON = "lessons/prefill-and-decode.html"
LAPTOP = {"width": 1280, "height": 720}


def test_every_page_opens_without_a_complaint(visit: Visits, site_folder: Path, site: Site) -> None:
    page = visit()
    for address in page_addresses(site_folder):
        if site.kind == "http" or address != "404.html":
            page.goto(site.url(address))
            expect(page.locator("h1").first).to_be_attached()


def test_the_search_finds_a_section_and_leads_to_it(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("storeroom down the hall")
    found = page.locator(".md-search-result__link", has_text="What one pass has to do").first
    expect(found).to_be_visible()
    found.click()
    expect(page).to_have_url(re.compile(r"lessons/prefill-and-decode\.html.*#what-one-pass-has-to-do$"))
    expect(page.get_by_role("heading", name="What one pass has to do")).to_be_in_viewport()


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


def test_the_python_behind_a_demo_opens_as_a_page_with_its_name(visit: Visits) -> None:
    page = visit(LESSON)
    demo = page.locator("figure#two-phases")
    demo.get_by_text("Share and save").click()
    link = demo.get_by_role("link", name="See the Python")
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


def test_an_opened_link_scrolls_to_its_answer_opens_and_marks_it(visit: Visits) -> None:
    page = visit(FAQ, fragment=QUESTION, viewport=LAPTOP)
    heading = page.locator(f"#{QUESTION}")
    expect(heading).to_be_in_viewport()
    expect(page.locator(f".qa:has(#{QUESTION}) details")).to_have_attribute("open", "")
    assert open_answers(page) == [QUESTION]
    marked, other = (
        page.evaluate(f"getComputedStyle(document.getElementById('{each}').closest('.qa')).backgroundColor")
        for each in (QUESTION, "long-wait")
    )
    assert marked != other


def test_where_the_clipboard_is_closed_the_link_is_shown_selected(visit: Visits) -> None:
    page = visit(FAQ, init_script=NO_CLIPBOARD)
    page.get_by_role("button", name="Copy link: Is prompt processing slow on a Mac").click()
    field = page.get_by_role("textbox", name="Link to this answer")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(rf"faq\.html#{QUESTION}$"))
    assert page.evaluate("getSelection().toString() || document.activeElement.selectionEnd") not in ("", 0)
