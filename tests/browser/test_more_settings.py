"""What does a reader see of a demo at first sight, and how is the rest found?"""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from demos.kit.host.registry import load
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
DEMOS = ("two-phases", "one-pass", "batching", "kv-cache", "kv-memory", "latency")
PHONE: ViewportSize = {"width": 390, "height": 844}


def names(demo_id: str) -> list[str]:
    return [control.name for control in load(demo_id).module.CONTROLS]


@pytest.mark.parametrize("demo_id", DEMOS)
def test_at_first_sight_there_are_one_or_two_settings(kept: KeptPages, demo_id: str) -> None:
    demo = Figure(kept(LESSON), demo_id, calm=True)
    seen = [name for name in names(demo_id) if demo.root.locator(f"[name={name}]").is_visible()]
    assert tuple(seen) == load(demo_id).main
    assert len(seen) in {1, 2}


def test_the_other_settings_open_by_keyboard_and_keep_their_names(kept: KeptPages) -> None:
    demo = Figure(kept(LESSON), "kv-memory", calm=True)
    expect(demo.choice("Device")).to_be_hidden()
    demo.root.get_by_text("More settings").focus()
    demo.page.keyboard.press("Enter")
    expect(demo.choice("Device")).to_be_visible()


def test_an_address_that_sets_one_of_them_opens_them_and_says_how_many_differ(visit: Visits) -> None:
    demo = Figure(visit(LESSON, query="kv-memory.kv=q8_0", fragment="kv-memory"), "kv-memory", calm=True)
    expect(demo.choice("Cache")).to_be_visible()
    expect(demo.root.locator("summary", has_text="More settings")).to_have_text("More settings · 1 changed")


def test_an_address_that_sets_the_main_one_alone_leaves_them_closed(visit: Visits) -> None:
    demo = Figure(visit(LESSON, query="kv-memory.context_tokens=500", fragment="kv-memory"), "kv-memory", calm=True)
    demo.is_ready()
    expect(demo.choice("Cache")).to_be_hidden()


def test_a_refused_value_among_them_is_seen(visit: Visits) -> None:
    demo = Figure(visit(LESSON, query="kv-memory.conversations=99999", fragment="kv-memory"), "kv-memory", calm=True)
    demo.is_ready()
    expect(demo.root.locator(".control-problem")).to_be_visible()


def test_what_can_be_taken_along_is_in_one_menu(kept: KeptPages) -> None:
    demo = Figure(kept(LESSON), "kv-memory", calm=True)
    expect(demo.button("Copy link to this setting")).to_be_hidden()
    demo.root.get_by_text("Share and save").click()
    for name in ("Copy link to this setting", "Copy as CSV", "Copy embed code", "Save as PNG", "Save as SVG"):
        expect(demo.button(name)).to_be_visible()
    expect(demo.root.get_by_role("link", name="See the Python")).to_be_visible()


@pytest.mark.parametrize("demo_id", DEMOS)
def test_on_a_phone_the_main_control_and_the_main_parts_of_the_picture_are_on_one_screen(
    kept: KeptPages, demo_id: str
) -> None:
    demo = Figure(kept(LESSON), demo_id, calm=True)
    demo.page.set_viewport_size(PHONE)
    places = demo.root.evaluate(
        """figure => {
            const at = part => part.getBoundingClientRect();
            const stage = figure.querySelector(".stage");
            return { top: at(figure.querySelector("form")).top, picture: at(stage.children[1]).bottom };
        }"""
    )
    assert places["picture"] - places["top"] < PHONE["height"] - 60  # the page's own head
