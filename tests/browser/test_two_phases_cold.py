"""Does the first demo answer before Python has started, and go over to Python unnoticed?"""

from __future__ import annotations

import re
from itertools import pairwise

from playwright.sync_api import expect

from tests.browser.figures import Figure, PythonGate, refuse_python
from tests.tools.watched import Visits

ANSWER_TOKENS = 8
# Notes every moment that the demo shows, in order.
NOTE_MOMENTS = """() => {
    const figure = document.querySelector("figure.demo");
    window.moments = [];
    const note = () => window.moments.push([Number(figure.dataset.timeS), figure.dataset.state]);
    new MutationObserver(note).observe(figure, {attributeFilter: ["data-time-s"]});
}"""


def test_a_cold_run_goes_over_to_python_without_a_jump(visit: Visits) -> None:
    gate = PythonGate()
    page = visit(before=gate.guard)
    demo = Figure(page)
    page.evaluate(NOTE_MOMENTS)
    demo.press("Run")
    demo.is_under_way()
    gate.open()
    demo.is_ready()
    demo.plays(False)
    demo.shows(passes=ANSWER_TOKENS)
    moments = page.evaluate("window.moments")
    times_s = [time_s for time_s, _ in moments]
    end_s = float(demo.root.get_attribute("data-end-s") or "nan")
    assert times_s == sorted(times_s)
    assert times_s[-1] == end_s
    # No gap is longer than a run of ten seconds makes it when a stalled screen is given a quarter of a second.
    assert max(later - earlier for earlier, later in pairwise(times_s)) <= end_s / 10 * 0.2501


def test_a_run_of_another_setting_waits_for_python_and_never_plays_the_recorded_one(visit: Visits) -> None:
    gate = PythonGate()
    demo = Figure(visit(before=gate.guard))
    demo.slider("Answer tokens").fill("3")
    demo.choice("Speed").select_option("4")
    demo.press("Run")
    expect(demo.status).to_have_text(re.compile(r"run will start when Python is ready.*Starting Python: \d+ %"))
    demo.plays(False)
    assert demo.stands_still()
    demo.shows(passes=0)
    gate.open()
    demo.is_ready()
    demo.plays(True)
    demo.plays(False)
    demo.shows(passes=3, output_tokens=3)


def test_going_back_to_the_start_values_makes_the_recording_playable_again(visit: Visits) -> None:
    visit.allow(r"assets/python|ERR_FAILED")
    demo = Figure(visit(before=refuse_python))
    demo.slider("Answer tokens").fill("3")
    expect(demo.root).to_have_attribute("data-state", "failed")
    demo.press("Step")
    demo.shows(passes=0)
    demo.press("Start values", "Step")
    demo.shows(passes=1)
    expect(demo.status).to_contain_text("Pass 1")


def test_the_numbers_asked_for_early_are_copied_when_python_is_there(visit: Visits) -> None:
    gate = PythonGate()
    page = visit(before=gate.guard, permissions=["clipboard-read", "clipboard-write"])
    demo = Figure(page)
    demo.press("Copy as CSV")
    expect(demo.status).to_have_text(re.compile(r"copied when Python is ready.*%"))
    gate.open()
    demo.is_ready()
    expect(demo.status).to_contain_text("copied as CSV")
    lines = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert len(lines) == ANSWER_TOKENS + 1  # a head, then one row per pass


def scrolled_to(visits: Visits, *, paid: bool) -> Figure:
    """The lesson's demo, brought into view on a line that is paid by the byte or not, after ten seconds."""
    line = "{saveData: %s, effectiveType: '4g'}" % ("true" if paid else "false")
    page = visits(
        "lessons/prefill-and-decode.html",
        viewport={"width": 900, "height": 500},
        init_script=f"Object.defineProperty(navigator, 'connection', {{value: {line}}})",
        before=lambda page: page.clock.install(),
    )
    demo = Figure(page)
    demo.root.evaluate("figure => figure.scrollIntoView()")
    expect(demo.root).to_be_in_viewport()
    demo.root.evaluate(
        """figure => new Promise(seen => {
            const eye = new IntersectionObserver(([entry]) => entry.isIntersecting && (eye.disconnect(), seen()));
            eye.observe(figure);
        })"""
    )
    page.clock.run_for(10_000)
    return demo


def test_a_demo_scrolled_to_on_a_paid_line_asks_for_nothing(visit: Visits) -> None:
    expect(scrolled_to(visit, paid=True).root).to_have_attribute("data-state", "static")


def test_a_demo_scrolled_to_on_a_free_line_starts_when_the_browser_is_idle(visit: Visits) -> None:
    expect(scrolled_to(visit, paid=False).root).not_to_have_attribute("data-state", "static")
