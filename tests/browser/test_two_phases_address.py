"""Does an address set a demo, and does a bad one do no harm?"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.figures import Figure
from tests.browser.links import NO_CLIPBOARD, opened, shown_link
from tests.tools.watched import Visits

# The page sets the weights itself; a link says so, for whoever opens it elsewhere.
SETS = "two-phases.weights=q4_k_m"


def test_a_prompt_in_the_address_is_free_text_even_if_it_looks_like_markup(visit: Visits) -> None:
    demo = opened(visit, "two-phases.prompt=%3Cimg%20src%3Dx%20onerror%3Dhurt()%3E%20caf%C3%A9%20100%25")
    expect(demo.prompt).to_have_value("<img src=x onerror=hurt()> café 100%")
    expect(demo.choice("Example")).to_have_value("own")
    expect(demo.root.locator("img")).to_have_count(0)


@pytest.mark.parametrize(
    ("query", "control", "words"),
    [
        ("two-phases.output_tokens=9999", "Answer tokens", "out of range"),
        ("two-phases.output_tokens=-1", "Answer tokens", "out of range"),
        ("two-phases.output_tokens=eight", "Answer tokens", "not a whole number"),
        ("two-phases.output_tokens=4&two-phases.output_tokens=5", "Answer tokens", "given 2 times"),
        (f"two-phases.output_tokens={'9' * 10_000}", "Answer tokens", "Allowed: 0 to 512"),
    ],
    ids=["too-large", "negative", "a-word", "repeated", "ten-thousand-characters"],
)
def test_a_refused_value_is_named_at_its_control_and_the_start_value_stays(
    visit: Visits, query: str, control: str, words: str
) -> None:
    demo = opened(visit, query)
    expect(demo.status).to_contain_text(words)
    expect(demo.root.locator(".control-problem")).to_contain_text(words)
    expect(demo.slider(control)).to_have_attribute("aria-invalid", "true")
    expect(demo.slider(control)).to_have_value("8")
    demo.slider("Time").fill("1000")
    demo.shows(output_tokens=8)
    demo.slider(control).fill("9")
    expect(demo.root.locator(".control-problem")).to_have_count(0)


def test_an_unknown_name_is_answered_with_the_nearest_one(visit: Visits) -> None:
    demo = opened(visit, "two-phases.output_token=4&two-phases.__proto__=5")
    expect(demo.status).to_contain_text('no setting "output_token" here; did you mean "output_tokens"?')
    expect(demo.status).to_contain_text('no setting "__proto__" here')


def test_an_unknown_choice_is_answered_with_the_nearest_one(visit: Visits) -> None:
    demo = opened(visit, "two-phases.model=llama-3.1-8")
    expect(demo.status).to_contain_text('did you mean "llama-3.1-8b"')
    expect(demo.choice("Model")).to_have_value("llama-3.1-8b")


def test_names_of_no_demo_here_are_left_alone(visit: Visits) -> None:
    page = visit(query="other.output_tokens=4&utm=x&two-phases=9")
    demo = Figure(page)
    expect(demo.root).to_have_attribute("data-state", "static")
    demo.wait_for_python()
    expect(demo.slider("Answer tokens")).to_have_value("8")
    assert urlsplit(page.url).query == "other.output_tokens=4&utm=x&two-phases=9"


def test_a_link_to_the_start_values_carries_none(visit: Visits) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    demo = Figure(page).wait_for_python()
    demo.press("Copy link to this setting")
    expect(demo.status).to_have_text("The link is copied.")
    assert page.evaluate("navigator.clipboard.readText()") == visit.site.url(query=SETS, fragment="two-phases")


def test_an_examples_text_travels_as_its_name_and_a_long_own_one_not_at_all(visit: Visits) -> None:
    page = visit(init_script=NO_CLIPBOARD)
    demo = Figure(page).wait_for_python()
    demo.choice("Example").select_option("document")
    demo.shows(prompt_tokens=re.compile(r"^\d{4}$"))
    assert parse_qs(urlsplit(shown_link(page, demo)).query) == {"two-phases.example": ["document"]} | parse_qs(SETS)
    expect(demo.status).to_contain_text("name of the example")
    demo.prompt.fill("long " * 500)
    demo.slider("Answer tokens").fill("9")
    assert parse_qs(urlsplit(shown_link(page, demo)).query) == {"two-phases.output_tokens": ["9"]} | parse_qs(SETS)
    expect(demo.status).to_contain_text("longer than the 2,000 characters")


def test_from_a_folder_the_published_address_is_copied_where_it_is_known(file_visit: Visits) -> None:
    canonical = """document.addEventListener("DOMContentLoaded", () => {
        document.querySelector("link[rel=canonical]")?.remove();
        const link = Object.assign(document.createElement("link"), {rel: "canonical", href: "https://example.org/course/"});
        document.head.append(link);
    })"""
    page = file_visit(init_script=f"{NO_CLIPBOARD};{canonical}")
    demo = Figure(page).wait_for_python()
    demo.slider("Answer tokens").fill("2")
    demo.shows(passes=0)
    assert shown_link(page, demo) == f"https://example.org/course/?two-phases.output_tokens=2&{SETS}#two-phases"
