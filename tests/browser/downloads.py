"""Downloads of pictures: how does a test press for one and wait until it comes?"""

from __future__ import annotations

from playwright.sync_api import Download, Page

from tests.browser.figures import Figure


def saved(page: Page, demo: Figure, kind: str) -> Download:
    with page.expect_download() as download:
        demo.button(f"Save as {kind}").click()
    return download.value
