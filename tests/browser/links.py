"""Links to a demo's setting: how does a test open one, and read the one that a page shows?"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.figures import Figure
from tests.tools.watched import Visits

NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


def opened(visits: Visits, query: str) -> Figure:
    demo = Figure(visits(query=query, fragment="two-phases"))
    demo.is_ready()
    return demo


def shown_link(page: Page, demo: Figure) -> str:
    demo.press("Copy link to this setting")
    field = page.get_by_label("Link to this setting")
    expect(field).to_be_focused()
    link = field.input_value()
    assert field.evaluate("f => f.value.slice(f.selectionStart, f.selectionEnd)") == link
    return link
