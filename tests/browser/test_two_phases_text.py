"""Does any text that a reader may type stay a text?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.figures import Figure
from tests.browser.kept import KeptPages

HOSTILE = """</script></textarea><img src=x onerror="window.hurt = 1"><b>bold</b> & "quoted" 'too'"""
UNUSUAL = [
    pytest.param("\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd", id="right-to-left"),
    pytest.param("\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f3\ufe0f\u200d\U0001f308", id="emoji-sequences"),
    pytest.param("a\x00b\x07c\x1b[31m\u2028\u202e", id="control-characters"),
    pytest.param("e\u0301 \u0000 \ufffe", id="marks-and-non-characters"),
]


def test_an_empty_prompt_is_one_start_token(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.prompt.fill("")
    demo.shows(prompt_tokens=1)


def test_hostile_text_comes_out_as_text(kept: KeptPages) -> None:
    page = kept()
    demo = Figure(page).wait_for_python()
    demo.prompt.fill(HOSTILE)
    expect(demo.frame).to_contain_text("onerror")
    demo.slider("Time").fill("1000")
    demo.shows(passes=8)
    expect(demo.root.locator("img, script, b.bold")).to_have_count(0)
    assert page.evaluate("window.hurt") is None


@pytest.mark.parametrize("text", UNUSUAL)
def test_unusual_text_is_shown_and_counted(kept: KeptPages, text: str) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.prompt.fill(text)
    expect(demo.choice("Example")).to_have_value("own")
    demo.shows(prompt_tokens=re.compile(r"^[1-9]"))
    demo.press("Step")
    demo.shows(passes=1)
    expect(demo.root.locator(".control-problem")).to_have_count(0)


def test_a_million_characters_are_refused_in_words_and_the_picture_stays(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    prompt_tokens = demo.value("prompt_tokens")
    expect(demo.root.locator(".control-count")).to_contain_text("of 20,000 characters")
    demo.prompt.fill("x" * 1_000_000)
    expect(demo.prompt).to_have_attribute("aria-invalid", "true")
    expect(demo.root.locator(".control-problem")).to_contain_text("20,000 characters")
    expect(demo.root.locator(".control-count")).to_contain_text("980,000 too many")
    expect(demo.status).to_contain_text("1,000,000 characters")
    demo.shows(prompt_tokens=prompt_tokens)
    described = demo.prompt.get_attribute("aria-describedby") or ""
    expect(demo.page.locator(f"[id='{described}']")).to_contain_text("20,000 characters")
    demo.prompt.fill("Hello")
    expect(demo.prompt).not_to_have_attribute("aria-invalid", "true")
    expect(demo.root.locator(".control-problem")).to_have_count(0)


def test_exactly_the_limit_is_taken(kept: KeptPages) -> None:
    demo = Figure(kept()).wait_for_python()
    demo.prompt.fill("a b " * 5_000)
    expect(demo.root.locator(".control-count")).to_have_text("20,000 of 20,000 characters")
    demo.shows(prompt_tokens=re.compile(r"^\d{4,5}$"))
    expect(demo.root.locator(".control-problem")).to_have_count(0)
