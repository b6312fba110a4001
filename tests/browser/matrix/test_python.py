"""Python on a host and from a folder: does it come when asked, come back when it dies, and may it stay away?"""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.figures import PYTHON_FILES, START_MS, Figure, PythonGate, refuse_python
from tests.browser.test_two_phases_failures import END_WORKER
from tests.tools.watched import Visits

ANSWER_TOKENS = 8


def test_nothing_of_python_or_of_the_recording_comes_before_interest(visit: Visits) -> None:
    page = visit()
    page.wait_for_load_state("load")
    demo = Figure(page)
    expect(demo.root).to_have_attribute("data-state", "static")
    unasked = [url for url in visit.requests if PYTHON_FILES.search(url) or "/assets/demos/" in url]
    assert unasked == []
    demo.wait_for_python()
    assert any(PYTHON_FILES.search(url) for url in visit.requests)


def test_the_first_run_needs_no_python(visit: Visits) -> None:
    visit.allow(r"assets/python|ERR_FAILED")
    demo = Figure(visit(before=refuse_python))
    prompt_tokens = int(demo.value("prompt_tokens"))
    demo.run_to_the_end()
    demo.shows(passes=ANSWER_TOKENS, kv_rows=prompt_tokens + ANSWER_TOKENS - 1)
    expect(demo.root).to_have_attribute("data-state", "failed")


def test_a_setting_chosen_before_python_is_there_is_remembered(visit: Visits) -> None:
    gate = PythonGate()
    demo = Figure(visit(before=gate.guard))
    demo.slider("Answer tokens").fill("5")
    demo.slider("Answer tokens").fill("3")
    expect(demo.status).to_have_text(re.compile(r"saved.*Starting Python: \d+ %"))
    expect(demo.frame).to_have_attribute("aria-busy", "true")
    gate.open()
    demo.is_ready()
    expect(demo.frame).to_have_attribute("aria-busy", "false")
    demo.slider("Time").fill("1000")
    demo.shows(passes=3)


def test_a_worker_killed_at_rest_is_back_for_the_next_change(visit: Visits) -> None:
    page = visit()
    demo = Figure(page).wait_for_python()
    page.evaluate(END_WORKER)
    demo.slider("Answer tokens").fill("3")
    expect(demo.slider("Time")).to_have_attribute("aria-valuetext", re.compile("of 4"), timeout=START_MS)
    demo.slider("Time").fill("1000")
    demo.shows(passes=3)


def test_python_files_that_are_missing_are_named_with_what_to_do(visit: Visits) -> None:
    visit.allow(r"assets/python|ERR_FAILED")
    page = visit(before=refuse_python)
    demo = Figure(page)
    demo.show_interest()
    expect(demo.root).to_have_attribute("data-state", "failed")
    expect(demo.status).to_contain_text("entry.js")
    demo.slider("Answer tokens").fill("3")
    demo.press("Run")
    expect(demo.status).to_contain_text("entry.js")
    demo.shows(passes=0)
    demo.press("Start values")
    demo.run_to_the_end()
    demo.shows(passes=ANSWER_TOKENS)


def test_a_page_that_may_not_make_workers_plays_the_recorded_run(visit: Visits) -> None:
    no_worker = "window.Worker = class { constructor() { throw new Error('refused'); } }"
    demo = Figure(visit(init_script=no_worker))
    demo.run_to_the_end()
    demo.shows(passes=ANSWER_TOKENS)
    expect(demo.root).to_have_attribute("data-state", "failed")
    expect(demo.status).to_contain_text("Python")
