"""How does a test press, set and read one demo of a page?"""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, Route, expect

# Python starts in a second where nothing else runs, and in half a minute where everything does.
START_MS = 120_000
ANSWER_MS = 30_000
PYTHON_FILES = re.compile(r"/assets/python/")
NEXT_FRAMES = """() => new Promise(done => {
    let left = 10;
    const next = () => left-- ? requestAnimationFrame(next) : done();
    next();
})"""

OPEN_ALL = """figure => {
    for (const closed of figure.querySelectorAll("details:is(.demo-more, .demo-share)")) closed.open = true;
}"""

expect.set_options(timeout=ANSWER_MS)


class Figure:
    """A demo under a reader's hand, by the names of its buttons and controls; all its settings open, unless `calm`."""

    def __init__(self, page: Page, figure_id: str = "two-phases", *, calm: bool = False) -> None:
        self.page = page
        self.root = page.locator(f"figure#{figure_id}")
        if not calm:
            self.root.evaluate(OPEN_ALL)
        self.status = self.root.get_by_role("status")
        self.frame = self.root.locator("[data-part=frame]")

    def show_interest(self) -> None:
        """Move the pointer over the demo."""
        self.root.locator("[data-part=sentence]").hover()

    def wait_for_python(self) -> Figure:
        self.show_interest()
        self.is_ready()
        return self

    def is_ready(self) -> None:
        expect(self.root).to_have_attribute("data-state", "ready", timeout=START_MS)

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name)

    def press(self, *names: str) -> None:
        for name in names:
            self.button(name).click()

    def slider(self, name: str) -> Locator:
        return self.root.get_by_role("slider", name=name)

    def choice(self, name: str) -> Locator:
        return self.root.get_by_role("combobox", name=name)

    @property
    def prompt(self) -> Locator:
        return self.root.get_by_role("textbox", name="Prompt")

    def readout(self, name: str) -> Locator:
        return self.root.locator(f'output[data-readout="{name}"]')

    def shows(self, **readouts: int | str | re.Pattern[str]) -> None:
        """Wait until readouts have these raw values."""
        for name, value in readouts.items():
            wanted = value if isinstance(value, re.Pattern) else str(value)
            expect(self.readout(name)).to_have_attribute("data-value", wanted)

    def value(self, name: str) -> str:
        return self.readout(name).get_attribute("data-value") or ""

    @property
    def time_s(self) -> float:
        """The simulated moment at which the demo stands."""
        return float(self.root.get_attribute("data-time-s") or "nan")

    def plays(self, playing: bool) -> None:
        expect(self.root).to_have_attribute("data-playing", "true" if playing else "false")

    def stands_still(self) -> bool:
        """Whether the moment stays the same over ten frames of the screen."""
        before = self.time_s
        self.page.evaluate(NEXT_FRAMES)
        return self.time_s == before

    def is_under_way(self) -> None:
        """Wait until some passes of a playing run are over; a busy machine may skip any single one."""
        self.shows(passes=re.compile("^[1-9]"))

    def run_to_the_end(self) -> None:
        self.choice("Speed").select_option("4")
        self.press("Run")
        self.plays(True)
        self.plays(False)


class PythonGate:
    """Lets no file of Python through until it is opened.

    It has to stand before the page is opened, `visit(before=gate.guard)`: a page that is already there asks for the
    files of its folder on a way that cannot be guarded any more.
    """

    def __init__(self) -> None:
        self.is_open = False
        self.held: list[Route] = []

    def guard(self, page: Page) -> None:
        page.route(PYTHON_FILES, self._answer)

    def open(self) -> None:
        self.is_open = True
        for route in self.held:
            route.continue_()

    def _answer(self, route: Route) -> None:
        if self.is_open:
            route.continue_()
        else:
            self.held.append(route)


def refuse_python(page: Page) -> None:
    """Let no file of Python ever arrive; to be called before the page is opened, like a gate."""
    page.route(PYTHON_FILES, lambda route: route.abort())
