"""Does anything of a demo stick out of its card?"""

from __future__ import annotations

from playwright.sync_api import Locator

# A bar moves to its new length for 0.18 s: a picture must hold together on the way there too.
FRAMES_OF_A_MOVE = 15

OUTSIDE = """async (figure, [moving, frames]) => {
    const found = new Set();
    for (let frame = 0; frame < frames; frame += 1) {
        for (const name of outside()) found.add(name);
        await new Promise(requestAnimationFrame);
    }
    return [...found];

    function outside() {
        const card = figure.getBoundingClientRect();
        const sticksOut = one => {
            const box = one.getBoundingClientRect();
            return box.width && (box.left < card.left || box.right > card.right);
        };
        const texts = [...figure.querySelectorAll(".demo-frame :is(span, div), .control-marks span")];
        return texts.filter(one => one.textContent && !one.closest(moving) && sticksOut(one)).map(one => one.className);
    }
}"""


def outside(figure: Locator, moving: str = "none") -> list[str]:
    """The classes of texts that reach beyond the card; `moving` selects lines whose hidden part may."""
    found: list[str] = figure.evaluate(OUTSIDE, [moving, FRAMES_OF_A_MOVE])
    return found
