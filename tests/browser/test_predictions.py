"""Can a reader guess before a demo, run it and learn how good the guess was, without anything jumping?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

LESSON = "lessons/prefill-and-decode.html"
PHONE = {"width": 360, "height": 740}
DESKTOP = {"width": 1280, "height": 800}
DEMOS = ["two-phases", "one-pass", "batching", "kv-cache", "kv-memory", "latency"]


class Question:
    """The question before a demo, by the names of its parts."""

    def __init__(self, page: Page, demo: str = "two-phases") -> None:
        self.page, self.demo = page, Figure(page, demo)
        self.root = page.locator(f"xpath=//figure[@id='{demo}']/preceding-sibling::div[@class='predict'][1]")
        self.status = self.root.get_by_role("status")
        self.answer = self.root.locator(".predict-answer")

    def choice(self, name: str) -> Locator:
        return self.root.get_by_role("radio", name=name)

    @property
    def right(self) -> Locator:
        return self.root.locator(".predict-right input")

    def show(self) -> None:
        self.root.get_by_text("Show the answer").click()

    def height(self) -> float:
        box = self.root.bounding_box()
        assert box is not None
        return box["height"]


@pytest.mark.parametrize("demo", DEMOS)
def test_every_demo_has_a_question_before_it_with_one_right_choice(kept: KeptPages, demo: str) -> None:
    question = Question(kept(LESSON), demo)
    expect(question.root).to_have_count(1)
    expect(question.right).to_have_count(1)
    expect(question.answer).to_be_hidden()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_guess_by_keyboard_and_a_run_bring_the_answer_and_nothing_moves(
    visit: Visits, viewport: dict[str, int]
) -> None:
    page = visit(LESSON, viewport=viewport, reduced_motion="reduce")
    question = Question(page)
    before = question.height()
    question.choice("Twice").focus()
    page.keyboard.press("ArrowDown")
    expect(question.choice("8 times")).to_be_checked()
    expect(question.status).to_have_text("Noted. Now press Run below.")
    expect(question.answer).to_be_hidden()
    question.demo.press("Run")
    expect(question.answer).to_be_visible()
    expect(question.answer).to_contain_text("An answer of 8 tokens takes 8 passes.", use_inner_text=True)
    expect(question.status).to_have_text("Your guess was right.")
    assert question.height() == before


def test_a_wrong_guess_is_told_kindly_and_the_right_choice_is_marked(visit: Visits) -> None:
    question = Question(visit(LESSON, reduced_motion="reduce"))
    question.choice("14 times").check()
    question.demo.press("Run")
    expect(question.status).to_have_text("Not this one. The answer:")
    marked = question.root.locator(".predict-right > span")
    assert "✓" in marked.evaluate("span => getComputedStyle(span, '::after').content")


def test_a_run_without_a_guess_gives_nothing_away(visit: Visits) -> None:
    page = visit(LESSON, reduced_motion="reduce")
    question = Question(page)
    question.demo.press("Run")
    expect(question.demo.readout("passes")).to_have_attribute("data-value", "8")
    expect(question.answer).to_be_hidden()


def test_half_a_run_is_no_run(visit: Visits) -> None:
    question = Question(visit(LESSON, reduced_motion="reduce"))
    question.choice("8 times").check()
    question.demo.press("Step", "Step")
    expect(question.demo.readout("passes")).to_have_attribute("data-value", "2")
    expect(question.answer).to_be_hidden()


@pytest.mark.parametrize("demo", ["one-pass", "kv-memory"])
def test_a_still_demo_answers_when_something_in_it_was_changed(visit: Visits, demo: str) -> None:
    question = Question(visit(LESSON), demo)
    question.right.check()
    expect(question.status).to_have_text("Noted. Now try it below.")
    question.demo.root.locator(".demo-preset").first.click()
    expect(question.answer).to_be_visible()


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_answer_shows_without_scripts_in_the_place_kept_for_it(visit: Visits, viewport: dict[str, int]) -> None:
    question = Question(visit(LESSON, viewport=viewport, java_script_enabled=False))
    before = question.height()
    expect(question.answer).to_be_hidden()
    question.show()
    expect(question.answer).to_be_visible()
    assert question.height() == before


def test_on_paper_the_answer_stands_below_its_question(visit: Visits) -> None:
    page = visit(LESSON)
    page.emulate_media(media="print")
    question = Question(page)
    expect(question.answer).to_be_visible()
    expect(question.root.get_by_text("Show the answer")).to_be_hidden()


def test_a_guess_is_forgotten_with_the_page(visit: Visits) -> None:
    page = visit(LESSON)
    Question(page).choice("8 times").check()
    page.reload()
    expect(Question(page).choice("8 times")).not_to_be_checked()
    stored = page.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    assert [key for key in stored if "guess" in key] == []
