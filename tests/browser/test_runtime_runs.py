"""Do recorded settings play without Python, and does the page's own clock tell how long a run took?"""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.figures import Figure, refuse_python
from tests.tools.watched import Visits

PAGE = "lessons/prefill-and-decode.html"
LONGEST_FRAME_S = 0.25


def test_a_recorded_setting_plays_without_python_and_so_do_the_start_values_after_it(visit: Visits) -> None:
    visit.allow(r"assets/python|ERR_FAILED")
    demo = Figure(visit(PAGE, before=refuse_python), "kv-cache")
    prompt_tokens, answer_tokens = 400, 24  # start values of the controls
    demo.press("The same, cache on")
    expect(demo.root.get_by_role("checkbox", name="KV cache")).to_be_checked()
    expect(demo.root).to_have_attribute("data-state", "failed")
    demo.slider("Time").fill("1000")
    # Each token goes in once, but for the last one of the answer.
    demo.shows(tokens_computed=prompt_tokens + answer_tokens - 1)
    demo.press("Start values")
    demo.shows(tokens_computed=0)
    demo.slider("Time").fill("1000")
    # Without the cache pass k computes the prompt and k tokens of the answer again.
    demo.shows(tokens_computed=sum(prompt_tokens + k for k in range(answer_tokens)))


def test_a_recorded_setting_goes_over_to_python(visit: Visits) -> None:
    demo = Figure(visit(PAGE), "kv-cache")
    demo.press("The same, cache on", "Step")
    demo.shows(tokens_computed=400)
    demo.is_ready()
    demo.shows(tokens_computed=400)
    demo.press("Step")
    demo.shows(tokens_computed=401)


def test_the_pages_own_clock_measures_a_run_that_was_played_from_its_start(visit: Visits) -> None:
    demo = Figure(visit(PAGE), "latency")
    demo.shows(measured_ttft_s="none", measured_total_s="none")
    demo.choice("Speed").select_option("0.25")
    demo.press("Send")
    expect(demo.readout("measured_total_s")).not_to_have_attribute("data-value", "none")
    rate = float(demo.root.get_attribute("data-rate") or "nan")
    for name in ("ttft_s", "total_s"):
        played_s = float(demo.value(name)) / rate / 0.25
        # A frame may come late, and later than the run is moved by it; it never comes early.
        assert float(demo.value(f"measured_{name}")) >= played_s - 1e-6
    assert float(demo.value("measured_ttft_s")) == pytest.approx(
        float(demo.value("ttft_s")) / rate / 0.25, abs=10 * LONGEST_FRAME_S
    )
    demo.press("Reset")
    demo.shows(measured_ttft_s="none", measured_total_s="none")


def test_a_run_moved_by_hand_is_not_measured(visit: Visits) -> None:
    demo = Figure(visit(PAGE), "latency")
    demo.slider("Time").fill("500")
    demo.press("Send")
    expect(demo.root).to_have_attribute("data-time-s", demo.root.get_attribute("data-end-s") or "")
    demo.shows(measured_ttft_s="none", measured_total_s="none")
