"""What does the first demo do when Python cannot start, or dies?"""

from __future__ import annotations

import re

from playwright.sync_api import Browser, expect

from tests.browser.figures import START_MS, Figure
from tests.tools.find_browser import needed_chromium
from tests.tools.watched import CHROMIUM_FLAGS, Site, Visits

ANSWER_TOKENS = 8
END_WORKER = "TwoSpeeds.python.lose('ended by a test')"


def test_a_worker_killed_in_mid_run_comes_back_and_the_run_goes_on(visit: Visits) -> None:
    page = visit()
    demo = Figure(page).wait_for_python()
    demo.slider("Answer tokens").fill("30")
    expect(demo.slider("Time")).to_have_attribute("aria-valuetext", re.compile("of 31"))
    demo.press("Run")
    demo.is_under_way()
    page.evaluate(END_WORKER)
    killed_at_s = demo.time_s
    expect(demo.status).to_contain_text("is restarting")
    expect(demo.readout("passes")).to_have_attribute("data-value", "30", timeout=START_MS)
    assert demo.time_s > killed_at_s
    expect(demo.slider("Answer tokens")).to_have_value("30")


def test_a_second_death_is_told_and_leaves_the_recorded_run(visit: Visits) -> None:
    page = visit()
    demo = Figure(page).wait_for_python()
    demo.slider("Answer tokens").fill("30")
    demo.press("Run")
    demo.is_under_way()
    page.evaluate(END_WORKER)
    page.wait_for_function("TwoSpeeds.python.state === 'ready'", timeout=START_MS)
    page.evaluate(END_WORKER)
    expect(demo.root).to_have_attribute("data-state", "failed")
    demo.plays(False)
    expect(demo.status).to_contain_text("Python")
    demo.press("Start values", "Step")
    demo.shows(passes=1)


def test_without_webassembly_the_page_says_so_and_plays_the_recorded_run(browser: Browser, site: Site) -> None:
    # Without its compilers the JavaScript engine has no WebAssembly; its own switch for that no longer works.
    flags = [*CHROMIUM_FLAGS, "--js-flags=--jitless"]
    bare = browser.browser_type.launch(executable_path=needed_chromium(), args=flags)
    visits = Visits(bare, site)
    demo = Figure(visits())
    demo.show_interest()
    expect(demo.root).to_have_attribute("data-state", "failed")
    expect(demo.status).to_contain_text("WebAssembly")
    demo.run_to_the_end()
    demo.shows(passes=ANSWER_TOKENS)
    expect(demo.status).to_contain_text("WebAssembly")
    visits.close()
    bare.close()
    visits.check()
