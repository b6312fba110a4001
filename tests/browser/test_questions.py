"""Can a question be found, opened by its link and passed on, on a host and from a folder alike?"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.test_whole_site import violations
from tests.tools.watched import Visits

FAQ, NOTES = "faq.html", "notes/prefill-and-decode.html"
LAPTOP, PHONE = {"width": 1280, "height": 720}, {"width": 360, "height": 740}
QUESTION = "slow-on-a-mac"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
# What people type → the places one of which has to be among the first results.
ASKED = {
    "slow first word": ["faq.html#long-wait"],
    "context memory": ["faq.html#big-context-crawls"],
    "why is the first token slow": ["faq.html#long-wait"],
    "chat gets slower": ["faq.html#slows-down"],
    "stream stalls": ["faq.html#frozen-stream"],
    "vllm gpu memory full": ["faq.html#vllm-fills-the-gpu"],
    "ollama num_ctx": ["faq.html#big-context-crawls"],
    "mac slow prompt": ["faq.html#slow-on-a-mac"],
    "prompt eval time": ["faq.html#prompt-eval-and-eval"],
    "what is TTFT": ["glossary.html#ttft"],
    "MoE faster": ["glossary.html#moe"],
    "why does my model slow down in long chats": ["faq.html#slows-down"],
    "prompt caching": ["glossary.html#prefix-caching"],
    "goodput": ["glossary.html#goodput", "notes/prefill-and-decode.html#times"],
    "paged attention paper": ["references.html#kwon2023"],
}
DEMOS_ASKED = {
    "slow first word": ["demos.html#latency", "demos.html#two-phases", "demos.html#doctor"],
    "context memory": ["demos.html#kv-memory"],
    "how many users fit": ["demos.html#batching", "demos.html#calculator"],
    "how many users fit on one GPU": ["demos.html#calculator", "demos.html#batching"],
    "concurrent users": ["demos.html#batching"],
    "roofline": ["demos.html#one-pass"],
    "memory or compute bound": ["demos.html#one-pass"],
    "speculative decoding": ["demos.html#speculation", "demos.html#two-phases"],
    "keys and values kept": ["demos.html#kv-cache"],
    "formula for my model": ["demos.html#formulas"],
}
FIRST_RESULTS = 5
MOST_START_MS = 60_000  # Python has to start first
# Is one of the wanted places among the first results that are shown? Those under a page's "more" are not.
SHOWN_FIRST = """([wanted, first]) => {
    const links = [...document.querySelectorAll(".md-search-result__link")];
    const shown = links.filter(each => each.checkVisibility() && each.hash).slice(0, first);
    return wanted.some(place => shown.some(each => (each.pathname + each.hash).endsWith(place)));
}"""


def test_a_link_to_a_related_question_opens_that_too(visit: Visits) -> None:
    page = visit(FAQ, fragment="long-wait", viewport=LAPTOP)
    page.get_by_role("link", name="why TTFT is flat").click()
    expect(page.locator("#flat-ttft")).to_be_in_viewport()
    expect(page.locator(".qa:has(#flat-ttft) details")).to_have_attribute("open", "")


def test_the_keyboard_copies_a_link_and_hears_that_it_did(visit: Visits) -> None:
    page = visit(FAQ, permissions=["clipboard-read", "clipboard-write"])
    button = page.get_by_role("button", name="Copy link: Is prompt processing slow on a Mac")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Link copied.")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == visit.site.url(FAQ, fragment=QUESTION)


def test_search_finds_questions_terms_and_works_by_everyday_words(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    page.get_by_role("textbox", name="Search").click()
    for words, wanted in ASKED.items():
        page.keyboard.press("Control+a")
        page.keyboard.type(words)
        page.wait_for_function(SHOWN_FIRST, arg=[wanted, FIRST_RESULTS])


def test_search_finds_demos_by_everyday_words(visit: Visits) -> None:
    page = visit("index.html", viewport=LAPTOP)
    page.get_by_role("textbox", name="Search").click()
    for words, wanted in DEMOS_ASKED.items():
        page.keyboard.press("Control+a")
        page.keyboard.type(words)
        page.wait_for_function(SHOWN_FIRST, arg=[wanted, FIRST_RESULTS])


def test_a_link_with_a_setting_opens_the_demo_so_set(visit: Visits) -> None:
    page = visit(FAQ, fragment="slows-down", viewport=LAPTOP)
    page.get_by_role("link", name="Drag the context").click()
    demo = page.locator("figure#kv-memory")
    expect(demo).to_be_in_viewport(timeout=MOST_START_MS)
    shown = demo.locator("[data-readout=context_tokens]")
    expect(shown).to_have_attribute("data-value", "128000", timeout=MOST_START_MS)


def test_an_id_that_has_moved_leads_to_where_it_went(visit: Visits) -> None:
    moved = '<script type="application/json" id="moved-places">{"old-id": "faq.html#long-wait"}</script>'

    def with_move(route: Route) -> None:
        answer = route.fetch()
        text = answer.text().replace("</head>", f"{moved}</head>")
        text = text.replace("</body>", '<script src="assets/moved.js"></script></body>')
        route.fulfill(response=answer, body=text)

    def before(page: Page) -> None:
        page.route("**/faq.html", with_move)

    page = visit(FAQ, fragment="old-id", before=before)
    expect(page).to_have_url(re.compile("#long-wait$"))
    expect(page.locator("#long-wait")).to_be_in_viewport()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_open_answers_please_axe_and_fit_a_phone(visit: Visits, scheme: str) -> None:
    page = visit(FAQ, viewport=PHONE, color_scheme=scheme)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.evaluate("dispatchEvent(new Event('resize'))")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_formulas_scroll_inside_themselves_on_a_phone(visit: Visits) -> None:
    page = visit(NOTES, viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.evaluate("[...document.querySelectorAll('.formula-display')].some(e => e.scrollWidth > e.clientWidth)")
