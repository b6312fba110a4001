"""Does the first demo count passes rightly in the browser, and do its buttons do what they say?"""

from __future__ import annotations

import json
import re
from itertools import pairwise
from math import ceil

from playwright.sync_api import expect

from tests.browser.figures import NEXT_FRAMES, Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

ANSWER_TOKENS = 8  # the start value of the control


def test_a_run_makes_one_pass_per_answer_token_and_leaves_one_row_less(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    prompt_tokens = int(demo.value("prompt_tokens"))
    demo.run_to_the_end()
    # One prefill pass yields the first token, each decode pass one more; the last token is never fed back.
    demo.shows(
        passes=1 + (ANSWER_TOKENS - 1),
        prefill_passes=1,
        decode_passes=ANSWER_TOKENS - 1,
        output_tokens=ANSWER_TOKENS,
        kv_rows=prompt_tokens + ANSWER_TOKENS - 1,
    )


def test_pause_holds_the_moment_and_run_goes_on_from_it(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.press("Run")
    demo.is_under_way()
    demo.press("Pause")
    demo.plays(False)
    held_s = demo.time_s
    assert held_s > 0
    assert demo.stands_still()
    demo.press("Run")
    demo.plays(True)
    assert demo.time_s >= held_s


def test_each_step_finishes_one_pass_and_reset_goes_back(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    for passes in range(1, ANSWER_TOKENS + 1):
        demo.press("Step")
        demo.shows(passes=passes)
        expect(demo.status).to_contain_text(f"Pass {passes}")
    demo.press("Step")
    demo.shows(passes=ANSWER_TOKENS)
    demo.press("Reset")
    demo.shows(passes=0, kv_rows=0)
    assert demo.time_s == 0


def test_the_time_slider_sets_the_moment_and_says_it_in_words(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    time = demo.slider("Time")
    time.fill("1000")
    demo.shows(passes=ANSWER_TOKENS)
    last = ANSWER_TOKENS + 1  # the beginning and the end of each pass
    expect(time).to_have_attribute("aria-valuetext", re.compile(rf"^Moment {last} of {last}\. Pass"))
    time.fill("0")
    demo.shows(passes=0)


def test_one_answer_token_needs_no_decode_pass_and_none_only_prefill(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    prompt_tokens = int(demo.value("prompt_tokens"))
    for wanted in (1, 0):
        demo.slider("Answer tokens").fill(str(wanted))
        demo.shows(passes=0)
        demo.slider("Time").fill("1000")
        demo.shows(passes=1, decode_passes=0, output_tokens=wanted, kv_rows=prompt_tokens)


def test_chunks_split_the_prefill_and_nothing_else(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.press("A long document")
    demo.shows(prompt_tokens=re.compile(r"^\d{4}$"))
    prompt_tokens = int(demo.value("prompt_tokens"))
    answer_tokens = int(demo.slider("Answer tokens").input_value())
    demo.choice("Split long prompts").select_option("512")
    expect(demo.slider("Time")).to_have_attribute("aria-valuetext", re.compile("^Moment 1 of"))
    demo.slider("Time").fill("1000")
    demo.shows(
        prefill_passes=ceil(prompt_tokens / 512),
        passes=ceil(prompt_tokens / 512) + answer_tokens - 1,
        kv_rows=prompt_tokens + answer_tokens - 1,
    )


def test_a_change_stops_the_run_and_shows_the_new_one_from_its_beginning(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.press("Run")
    demo.is_under_way()
    total_s = demo.value("total_s")
    demo.slider("Answer tokens").fill("20")
    expect(demo.readout("total_s")).not_to_have_attribute("data-value", total_s)
    demo.plays(False)
    demo.shows(passes=0)
    assert demo.time_s == 0


def test_focus_and_selection_survive_the_frames_of_a_run(kept: KeptPages) -> None:
    page = kept()
    demo = Figure(page).wait_for_python()
    demo.press("Run")
    demo.prompt.evaluate("text => { text.focus(); text.setSelectionRange(4, 9) }")
    demo.is_under_way()
    chosen = demo.prompt.evaluate(
        "text => document.activeElement === text && text.value.slice(text.selectionStart, text.selectionEnd)"
    )
    assert chosen == "is th"  # characters 4 to 9 of "Why is the sky blue?"


def test_a_setting_to_try_and_the_start_values_set_the_controls(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.press("Guess 4 ahead")
    expect(demo.slider("Guess ahead")).to_have_value("4")
    expect(demo.slider("Answer tokens")).to_have_value("24")
    demo.press("Start values")
    expect(demo.slider("Guess ahead")).to_have_value("0")
    expect(demo.slider("Answer tokens")).to_have_value(str(ANSWER_TOKENS))


def test_editing_the_prompt_lets_go_of_the_example(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.prompt.fill("Hello")
    expect(demo.choice("Example")).to_have_value("own")
    demo.choice("Example").select_option("sky")
    expect(demo.prompt).to_have_value("Why is the sky blue?")


def test_the_math_panel_follows_the_controls(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.root.get_by_text("Show the math").click()
    math = demo.root.locator("[data-part=math]")
    expect(math).to_contain_text(str(ANSWER_TOKENS - 1))
    demo.slider("Answer tokens").fill("33")
    expect(math).to_contain_text("33")


def test_two_figures_of_the_same_demo_go_their_own_ways(visit: Visits) -> None:
    twin = """document.addEventListener("DOMContentLoaded", () => {
        const figure = document.querySelector("figure.demo");
        if (!figure) return;  // a frame of the search
        const html = figure.outerHTML.replaceAll("two-phases-title", "twin-title");
        figure.insertAdjacentHTML("afterend", html.replace('id="two-phases"', 'id="twin"'));
    })"""
    page = visit(init_script=twin)
    one, other = Figure(page).wait_for_python(), Figure(page, "twin").wait_for_python()
    one.slider("Answer tokens").fill("3")
    other.slider("Answer tokens").fill("5")
    one.slider("Time").fill("1000")
    other.slider("Time").fill("1000")
    one.shows(passes=3)
    other.shows(passes=5)


def test_exactly_one_button_carries_each_transport_word(kept: KeptPages) -> None:
    demo = Figure(kept())
    for word in ("Run", "Pause", "Step", "Reset"):
        expect(demo.root.get_by_role("button", name=re.compile(word, re.IGNORECASE))).to_have_count(1)


def test_the_status_line_is_the_only_one_and_does_not_follow_every_frame(kept: KeptPages) -> None:
    page = kept()
    demo = Figure(page).wait_for_python()
    expect(demo.root.get_by_role("status")).to_have_count(1)
    demo.status.evaluate(
        """line => {
            window.changes = [];
            const note = () => window.changes.push(performance.now());
            new MutationObserver(note).observe(line, {childList: true, characterData: true, subtree: true});
        }"""
    )
    demo.slider("Answer tokens").fill("60")
    demo.shows(passes=0)
    page.evaluate(NEXT_FRAMES)
    page.evaluate("window.changes.length = 0")
    demo.run_to_the_end()
    changes = json.loads(page.evaluate("JSON.stringify(window.changes)"))
    # The last change is the end's and need not wait; before it two seconds each.
    gaps_ms = [later - earlier for earlier, later in pairwise(changes[:-1])]
    assert all(gap_ms >= 2000 for gap_ms in gaps_ms)
    demo.shows(passes=60)
