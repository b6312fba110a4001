"""The page of questions: which one do tests open, and which answers are open?"""

from __future__ import annotations

from playwright.sync_api import Page

FAQ = "faq.html"
QUESTION = "slow-on-a-mac"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"


def open_answers(page: Page) -> list[str]:
    found: list[str] = page.evaluate("[...document.querySelectorAll('.qa:has(details[open]) h3')].map(each => each.id)")
    return found
