"""Addresses on a host and from a folder: do they set demos, and do links lead back to the same setting?"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from demos.kit.host.registry import demo_ids
from tests.browser.figures import Figure
from tests.browser.links import NO_CLIPBOARD, opened, shown_link
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
SETTING = "kv-memory.context_tokens=128000"
# What the lesson sets for its own copy of the demo is said, so that it shows what this page shows.
OWN = "kv-memory.weights=config&kv-memory.device=rtx-5090"


def test_an_address_sets_the_controls_and_counts_as_interest(visit: Visits) -> None:
    demo = opened(visit, "two-phases.output_tokens=16&two-phases.chunk_tokens=32&two-phases.example=document")
    expect(demo.slider("Answer tokens")).to_have_value("16")
    expect(demo.choice("Split long prompts")).to_have_value("32")
    expect(demo.choice("Example")).to_have_value("document")
    demo.shows(prompt_tokens=re.compile(r"^\d{4}$"))
    expect(demo.root).to_be_in_viewport()
    demo.slider("Time").fill("1000")
    demo.shows(output_tokens=16)


def test_where_there_is_no_clipboard_the_link_is_shown_selected_and_opens_the_same(visit: Visits) -> None:
    page = visit(init_script=NO_CLIPBOARD)
    demo = Figure(page).wait_for_python()
    demo.slider("Answer tokens").fill("12")
    demo.prompt.fill("Größe & 100 % #1?")
    demo.choice("Device").select_option("h100-sxm")
    expect(demo.choice("Example")).to_have_value("own")
    link = urlsplit(shown_link(page, demo))
    assert link.fragment == "two-phases"
    assert parse_qs(link.query) == {
        "two-phases.example": ["own"],
        "two-phases.prompt": ["Größe & 100 % #1?"],
        "two-phases.output_tokens": ["12"],
        "two-phases.device": ["h100-sxm"],
        "two-phases.weights": ["q4_k_m"],
    }
    again = opened(visit, link.query)
    for control in ("Answer tokens",):
        expect(again.slider(control)).to_have_value("12")
    expect(again.prompt).to_have_value("Größe & 100 % #1?")
    expect(again.choice("Device")).to_have_value("h100-sxm")


@pytest.mark.parametrize("demo_id", demo_ids())
def test_every_demo_stands_alone_and_leads_back(visit: Visits, demo_id: str) -> None:
    page = visit(f"embed/{demo_id}.html", viewport={"width": 320, "height": 640})
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main").locator(f"figure#{demo_id}")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    page.locator("a.demo-home").click()
    # A lesson may show a demo more than once; the link leads to the one under the plain name.
    expect(page.locator(f"figure#{demo_id}")).to_be_in_viewport()


def test_the_address_sets_the_demo_and_the_link_back_has_its_setting(visit: Visits) -> None:
    page = visit("embed/kv-memory.html", query=SETTING)
    back = page.locator("a.demo-home")
    expect(back).to_have_attribute("href", re.compile(rf"{LESSON}\?{SETTING}&{OWN}#kv-memory$"))
    demo = Figure(page, "kv-memory")
    demo.is_ready()
    demo.shows(context_tokens=128_000)
    demo.choice("Cache").select_option("q8_0")
    expect(back).to_have_attribute("href", re.compile(rf"context_tokens=128000&kv-memory\.kv=q8_0&{OWN}#kv-memory$"))
    back.click()
    lesson = Figure(page, "kv-memory")
    lesson.is_ready()
    lesson.shows(context_tokens=128_000)
    expect(lesson.choice("Cache")).to_have_value("q8_0")
