"""Do numbers and terms explain themselves to a pointer, a keyboard and a finger, at every width?"""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1600, "height": 900}
# Stops at every explained word in turn and reports the explanations that do not show whole.
ALL_SEEN = """() => [...document.querySelectorAll(".tipped")].flatMap((word) => {
    word.firstElementChild.focus();
    const box = word.querySelector(".tip").getBoundingClientRect();
    const fits = box.width > 40 && box.left >= 0 && box.right <= document.documentElement.clientWidth;
    return fits ? [] : [`${word.firstElementChild.textContent}: ${box.left} to ${box.right}`];
})"""


def number(page: Page) -> Locator:
    """The cache of 128,000 tokens: 128,000 × 131,072 B."""
    return page.locator(".computed:not([data-asks])", has_text="16.78 GB")


def tip_of(word: Locator) -> Locator:
    return word.locator("xpath=..").get_by_role("tooltip", include_hidden=True)


def shown(page: Page) -> Locator:
    return page.locator(".tip:visible")


def opened(visit: Visits, **options: Any) -> Page:
    page = visit(LESSON, **options)
    page.locator(".predict details").evaluate_all("all => all.forEach(each => { each.open = true })")
    return page


def test_a_number_tells_its_values_and_its_source_when_the_keyboard_stops_there(visit: Visits) -> None:
    page = opened(visit)
    number(page).focus()
    expect(tip_of(number(page))).to_contain_text("1 × 128,000 × 131,072 B = 16.78 GB")
    expect(tip_of(number(page))).to_contain_text("Source: ")
    expect(tip_of(number(page))).to_be_visible()
    expect(number(page)).to_have_accessible_description(
        "conversations × tokens × cache bytes of a token (windows keep their own length) "
        "= 1 × 128,000 × 131,072 B = 16.78 GB Llama 3.1 8B, cache f16 Source: "
        "github.com/ai-dynamo/aiconfigurator … meta-llama--Meta-Llama-3.1-8B_config.json"
    )


def test_escape_puts_an_explanation_away_until_the_next_stop(visit: Visits) -> None:
    page = opened(visit)
    number(page).focus()
    expect(shown(page)).to_have_count(1)
    page.keyboard.press("Escape")
    expect(shown(page)).to_have_count(0)
    expect(number(page)).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    expect(tip_of(number(page))).to_be_visible()


def test_the_pointer_can_go_to_the_explanation_and_it_leaves_with_it(visit: Visits) -> None:
    page = opened(visit, viewport=DESKTOP)
    number(page).hover()
    expect(tip_of(number(page))).to_be_visible()
    word, tip = number(page).bounding_box(), tip_of(number(page)).bounding_box()
    assert word is not None
    assert tip is not None
    assert tip["x"] <= word["x"] <= tip["x"] + tip["width"]
    page.mouse.move(word["x"] + 4, tip["y"] + tip["height"] / 2, steps=8)
    expect(tip_of(number(page))).to_be_visible()
    page.keyboard.press("Escape")
    expect(shown(page)).to_have_count(0)
    page.mouse.move(2, 2)
    number(page).hover()
    expect(tip_of(number(page))).to_be_visible()


def test_a_term_is_a_link_to_the_glossary_and_says_what_it_means(visit: Visits) -> None:
    page = visit(LESSON)
    ridge = page.get_by_role("link", name="ridge point", exact=True)
    ridge.focus()
    expect(tip_of(ridge)).to_contain_text("reading and computing take equally long")
    page.keyboard.press("Enter")
    page.wait_for_url("**/glossary.html#ridge-point")
    expect(page.get_by_role("heading", name="Ridge point")).to_be_in_viewport()


def test_a_finger_sees_the_meaning_first_and_follows_the_link_with_the_next_tap(visit: Visits) -> None:
    page = visit(LESSON, viewport=PHONE, has_touch=True)
    ridge = page.get_by_role("link", name="ridge point", exact=True)
    ridge.tap()
    expect(tip_of(ridge)).to_be_visible()
    assert page.url.split("#")[0].endswith(LESSON)
    page.get_by_text("Go slowly from left to right").tap(position={"x": 20, "y": 10})
    expect(shown(page)).to_have_count(0)
    ridge.tap()
    ridge.tap()
    page.wait_for_url("**/glossary.html#ridge-point")


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP, WIDE], ids=["phone", "desktop", "wide"])
def test_every_explanation_fits_the_window(visit: Visits, viewport: dict[str, int]) -> None:
    page = opened(visit, viewport=viewport)
    assert page.evaluate(ALL_SEEN) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_without_scripts_a_pointer_still_sees_it_inside_the_window(visit: Visits, viewport: dict[str, int]) -> None:
    page = visit(LESSON, viewport=viewport, java_script_enabled=False)
    ridge = page.get_by_role("link", name="ridge point", exact=True)
    ridge.hover()
    expect(tip_of(ridge)).to_be_visible()
    word, tip = ridge.bounding_box(), tip_of(ridge).bounding_box()
    assert word is not None
    assert tip is not None
    assert 0 <= tip["x"]
    assert tip["x"] + tip["width"] <= viewport["width"]
    assert word["y"] < tip["y"] < word["y"] + 3 * word["height"]
