"""Firefox: do pictures become files?"""

from __future__ import annotations

import pytest

from tests.tools.firefox_page import FirefoxVisits


@pytest.mark.parametrize("kind", ["PNG", "SVG"])
def test_firefox_saves_pictures_too(firefox_visit: FirefoxVisits, kind: str) -> None:
    page = firefox_visit("embed/one-pass.html")
    page.wait_until("window.TwoSpeeds && (TwoSpeeds.figures || []).length")
    page.evaluate(
        "(window.handed = [], HTMLAnchorElement.prototype.click = function () { handed.push(this.download) })"
    )
    page.evaluate("document.querySelector('.demo-share').open = true")
    page.click("button", f"Save as {kind}")
    page.wait_until(f"window.handed.includes('one-pass.{kind.lower()}')")
    assert "is saved as" in page.evaluate("document.querySelector('[role=status]').textContent")
