"""Does anything of a demo stick out of its card?"""

from __future__ import annotations

from playwright.sync_api import Locator

OUTSIDE = """(figure, moving) => {
    const card = figure.getBoundingClientRect();
    const sticksOut = one => {
        const box = one.getBoundingClientRect();
        return box.width && (box.left < card.left || box.right > card.right);
    };
    const texts = [...figure.querySelectorAll(".demo-frame :is(span, div), .control-marks span")];
    return texts.filter(one => one.textContent && !one.closest(moving) && sticksOut(one)).map(one => one.className);
}"""


def outside(figure: Locator, moving: str = "none") -> list[str]:
    """The classes of texts that reach beyond the card; `moving` selects lines whose hidden part may."""
    found: list[str] = figure.evaluate(OUTSIDE, moving)
    return found
