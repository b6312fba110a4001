"""Pages that stay open with their Python running, so that tests that need no fresh one share it."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import Page, ViewportSize

from tests.browser.figures import ANSWER_MS
from tests.tools.watched import Visits

WINDOW: ViewportSize = {"width": 1280, "height": 720}
# What each demo of the page shows at its start values: its readouts and its controls.
REMEMBER = """() => {
    window.demoState = figure => JSON.stringify([
        [...figure.querySelectorAll("output[data-readout]")].map(output => output.dataset.value),
        [...figure.querySelectorAll("form.demo-controls [name]")].map(control =>
            control.type === "checkbox" ? control.checked : control.value),
    ]);
    window.startStates = new Map(
        [...document.querySelectorAll("figure.demo")].map(figure => [figure, demoState(figure)]));
}"""
# What a reader can press to get back to the beginning.
START_OVER = """() => {
    for (const figure of document.querySelectorAll("figure.demo:not([data-state=static])")) {
        const speed = figure.querySelector("select[data-do=speed]");
        if (speed && speed.value !== "1") {
            speed.value = "1";
            speed.dispatchEvent(new Event("change", {bubbles: true}));
        }
        if (figure.dataset.playing === "true") figure.querySelector("[data-do=pause]").click();
        figure.querySelector("[data-do=start-values]").click();
        figure.querySelector("[data-do=reset]")?.click();
        for (const details of figure.querySelectorAll("details[open]")) details.open = false;
    }
    document.activeElement?.blur();
    getSelection().removeAllRanges();
    scrollTo(0, 0);
}"""
IS_AT_START = """() => [...document.querySelectorAll("figure.demo:not([data-state=static])")].every(figure =>
    figure.dataset.state === "ready" && figure.dataset.playing !== "true" && Number(figure.dataset.timeS || 0) === 0
    && figure.querySelector("[data-part=frame]").getAttribute("aria-busy") !== "true"
    && !figure.querySelector(".control-problem") && demoState(figure) === startStates.get(figure))"""


@dataclass(slots=True)
class KeptPages:
    """One page of each address; after every test it goes back to its start values, or the test fails and it closes."""

    visits: Visits
    pages: dict[str, Page] = field(default_factory=dict)
    in_use: set[str] = field(default_factory=set)

    def __call__(self, path: str = "index.html") -> Page:
        """Open the page of this address, or give the one that is open, at its start values."""
        if path not in self.pages:
            page = self.visits(path, viewport=WINDOW)
            page.evaluate(REMEMBER)
            self.pages[path] = page
        self.in_use.add(path)
        return self.pages[path]

    def finish(self) -> None:
        """End one test: bring its pages back to the beginning, then raise if one of them complained."""
        try:
            for path in self.in_use:
                self._start_over(path)
            self.visits.check()
        finally:
            self.in_use.clear()
            self.visits.problems.clear()

    def _start_over(self, path: str) -> None:
        page = self.pages.pop(path)
        page.set_viewport_size(WINDOW)
        page.mouse.move(0, 0)
        page.evaluate(START_OVER)
        try:
            page.wait_for_function(IS_AT_START, timeout=ANSWER_MS)
        except Exception:
            page.context.close()
            raise
        self.pages[path] = page
