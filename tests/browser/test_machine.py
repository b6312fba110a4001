"""Does the lesson become one about the reader's own machine, and does this browser alone remember it?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from demos.kit.declare.machines import COMMON, Machine
from demos.kit.facts.expression import asked
from demos.kit.facts.vocabulary import FACTS
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
START_MS = 60_000
KEPT = "two-speeds.machine"
REFUSED = "Storage.prototype.setItem = () => { throw new DOMException('no', 'QuotaExceededError'); };"


def choose(page: Page, name: str) -> None:
    page.get_by_role("radio", name=name).check()
    expect(page.locator(".machine-status")).to_contain_text("about your machine", timeout=START_MS)


def shows(page: Page, machine: Machine) -> None:
    """Every number of the page that is of the reader's machine is what pysim says of it."""
    given = page.evaluate("[...document.querySelectorAll('[data-asks]')].map(e => [e.dataset.asks, e.textContent])")
    assert len(given) > 20
    assert given == [[expression, asked(expression, FACTS, machine).text] for expression, _ in given]


def test_without_a_choice_the_page_is_about_the_common_case(visit: Visits) -> None:
    page = visit(LESSON)
    expect(page.get_by_role("radio", name="A gaming PC")).to_be_checked()
    shows(page, COMMON["pc"])
    assert page.evaluate("TwoSpeeds.python.state") == "idle"


def test_numbers_questions_and_demos_follow_a_choice_and_a_reload_remembers_it(visit: Visits) -> None:
    page = visit(LESSON)
    choose(page, "A Mac")
    shows(page, COMMON["mac"])
    # 340 ms with a hundred tokens, 22.2 ms with one: 15 times as long.
    question = page.locator(".predict", has_text="The next one carries 100")
    expect(question.locator(".predict-right")).to_contain_text("6 to 30 times as long")
    expect(question.locator(".predict-answer strong")).to_contain_text("6 to 30 times as long")
    for figure in page.locator("figure.demo").all():
        expect(figure.locator("[name=device]")).to_have_value("apple-m4-pro-20c")
    page.reload()
    expect(page.get_by_role("radio", name="A Mac")).to_be_checked()
    expect(page.locator("html:not([data-machine-asking])")).to_have_count(1, timeout=START_MS)
    shows(page, COMMON["mac"])
    assert "machine" not in page.url
    page.get_by_role("button", name="Forget my choice").click()
    expect(page.locator(".machine-status")).to_have_text("Forgotten.", timeout=START_MS)
    shows(page, COMMON["pc"])
    assert page.evaluate(f"localStorage.getItem('{KEPT}')") is None


def test_another_machine_is_chosen_exactly_and_one_that_does_not_fit_is_refused_in_a_line(visit: Visits) -> None:
    page = visit(LESSON)
    page.get_by_role("radio", name="Another one").check()
    page.locator("[name=machine-device]").select_option("rtx-3060-12gb")
    expect(page.locator(".machine-status")).to_contain_text("about your machine", timeout=START_MS)
    own = Machine(name="", model="llama-3.1-8b", device="rtx-3060-12gb", weights="q4_k_m")
    shows(page, own)
    page.locator("[name=machine-model]").select_option("llama-3.1-70b")
    expect(page.locator(".machine-status")).to_contain_text(
        "Llama 3.1 70B in 4-bit (Q4_K_M) does not fit", timeout=START_MS
    )
    shows(page, own)


def test_where_storage_is_refused_the_choice_holds_for_the_visit(visit: Visits) -> None:
    page = visit(LESSON, init_script=REFUSED)
    choose(page, "A server")
    shows(page, COMMON["server"])


def test_an_address_wins_over_the_machine(visit: Visits) -> None:
    page = visit(LESSON, query="one-pass.device=h100-sxm")
    choose(page, "A Mac")
    expect(page.locator("figure#two-phases [name=device]")).to_have_value("apple-m4-pro-20c")
    expect(page.locator("figure#one-pass [name=device]")).to_have_value("h100-sxm")


@pytest.mark.parametrize("kept", ['"x"', "{", '{"device": "<b>", "model": "none", "weights": "q9"}'])
def test_what_is_kept_and_makes_no_sense_leaves_the_page_as_it_was_built(visit: Visits, kept: str) -> None:
    page = visit(LESSON, init_script=f"localStorage.setItem('{KEPT}', {kept!r});")
    if "device" in kept:
        expect(page.locator(".machine-status")).to_contain_text('there is no model "none" here', timeout=START_MS)
    shows(page, COMMON["pc"])


def test_from_a_folder_the_choice_works_as_well(file_visit: Visits) -> None:
    page = file_visit(LESSON)
    choose(page, "A Mac")
    shows(page, COMMON["mac"])
