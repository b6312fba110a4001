"""Can everybody use the first demo: by keyboard, without motion, without scripts, on a phone, in the dark?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

ANSWER_TOKENS = 8
PHONE = {"width": 360, "height": 740}
DESK = {"width": 1280, "height": 900}
FOCUSED = "() => document.activeElement.textContent || document.activeElement.getAttribute('data-do') || ''"
MOST_TABS = 60


def tab_to(demo: Figure, name: str) -> None:
    """Press Tab until what has this text, or does this, has the focus."""
    for _ in range(MOST_TABS):
        demo.page.keyboard.press("Tab")
        if demo.page.evaluate(FOCUSED).strip() == name:
            return
    raise AssertionError(f"{MOST_TABS} times Tab do not lead to {name}")


def test_the_keyboard_alone_does_everything(visit: Visits) -> None:
    page = visit()
    demo = Figure(page)
    keys = page.keyboard
    demo.choice("Speed").select_option("0.25")
    demo.choice("Example").focus()
    tab_to(demo, "Run")
    keys.press("Enter")
    demo.is_under_way()
    tab_to(demo, "Pause")
    keys.press("Space")
    demo.plays(False)
    tab_to(demo, "Step")
    before = int(demo.value("passes"))
    keys.press("Enter")
    demo.shows(passes=before + 1)
    tab_to(demo, "Reset")
    keys.press("Enter")
    demo.shows(passes=0)
    tab_to(demo, "scrub")
    keys.press("End")
    demo.shows(passes=ANSWER_TOKENS)
    keys.press("Home")
    demo.shows(passes=0)
    tab_to(demo, "Copy as CSV")
    tab_to(demo, "Show the math")
    keys.press("Enter")
    expect(demo.root.locator("[data-part=math]")).to_be_visible()


def test_a_slider_and_a_choice_follow_the_arrow_keys(kept: KeptPages) -> None:
    page = kept()
    demo = Figure(page).wait_for_python()
    demo.slider("Answer tokens").focus()
    page.keyboard.press("ArrowRight")
    expect(demo.slider("Answer tokens")).to_have_value(str(ANSWER_TOKENS + 1))
    expect(demo.slider("Answer tokens")).to_be_focused()
    page.keyboard.press("Home")
    demo.slider("Time").fill("1000")
    demo.shows(passes=1, output_tokens=0)


def test_enter_in_a_number_box_does_not_load_the_page_anew(kept: KeptPages) -> None:
    page = kept()
    demo = Figure(page).wait_for_python()
    page.evaluate("window.same = true")
    seed = demo.root.get_by_role("spinbutton").first
    seed.fill("7")
    seed.press("Enter")
    demo.press("Step")
    demo.shows(passes=1)
    assert page.evaluate("window.same")


def test_reduced_motion_shows_the_end_at_once_and_steps_on_demand(visit: Visits) -> None:
    page = visit(reduced_motion="reduce")
    demo = Figure(page).wait_for_python()
    page.evaluate(
        """() => {
            const figure = document.querySelector("figure.demo");
            window.played = false;
            const note = () => (window.played ||= figure.dataset.playing === "true");
            new MutationObserver(note).observe(figure, {attributeFilter: ["data-playing"]});
        }"""
    )
    demo.press("Run")
    demo.shows(passes=ANSWER_TOKENS)
    expect(demo.status).to_contain_text("Motion is reduced")
    demo.press("Reset", "Step")
    demo.shows(passes=1)
    assert page.evaluate("window.played") is False


def test_without_javascript_the_first_frame_and_its_numbers_can_be_read(visit: Visits) -> None:
    page = visit(java_script_enabled=False)
    demo = Figure(page)
    expect(demo.root).to_have_attribute("data-state", "static")
    expect(demo.frame).to_contain_text("Why")
    expect(demo.readout("passes")).to_have_text("0 passes")
    expect(demo.readout("ttft_s")).to_have_text(re.compile(r"\d ms$"))
    expect(demo.button("Run")).to_be_hidden()
    expect(demo.root.get_by_role("link", name="See the Python")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_the_demo_fits_and_works_in_every_size_and_scheme(visit: Visits, size: dict[str, int], scheme: str) -> None:
    page = visit(viewport=size, color_scheme=scheme)
    demo = Figure(page).wait_for_python()
    demo.press("A long document")
    demo.shows(prompt_tokens=re.compile(r"^\d{4}$"))
    demo.press("Step", "Step")
    demo.shows(passes=2)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    sticking_out = demo.root.evaluate(
        """figure => [...figure.querySelectorAll("button, input, select, textarea, [data-part=frame] *, [role=status]")]
            .filter(part => part.getClientRects().length && getComputedStyle(part).position !== "absolute")
            .map(part => [part, part.getBoundingClientRect()])
            .filter(([part, box]) => box.width > 0 && (box.left < -1 || box.right > innerWidth + 1))
            .map(([part]) => part.outerHTML.slice(0, 80))"""
    )
    assert sticking_out == []
    paper = demo.frame.evaluate("frame => getComputedStyle(frame).backgroundColor.match(/[0-9.]+/g).map(Number)")[:3]
    assert (max(paper) < 80) if scheme == "dark" else (min(paper) > 200)


def test_a_phones_thumb_can_hit_every_button(visit: Visits) -> None:
    demo = Figure(visit(viewport=PHONE, has_touch=True))
    for name in ("Run", "Pause", "Step", "Reset"):
        box = demo.button(name).bounding_box()
        # WCAG 2.2, success criterion 2.5.8: targets of at least 24 by 24 CSS pixels.
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
    demo.button("Run").tap()
    demo.is_under_way()
