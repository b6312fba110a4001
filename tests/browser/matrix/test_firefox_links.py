"""Firefox: do links open answers, set demos that stand alone, and do pictures become files?"""

from __future__ import annotations

from tests.browser.faq import FAQ, QUESTION
from tests.browser.figures import START_MS
from tests.tools.firefox_page import FirefoxVisits
from tests.tools.watched import Site

LESSON = "lessons/prefill-and-decode.html"
SETTING = "kv-memory.context_tokens=128000"
# What the lesson sets for its own copy of the demo is said, so that it shows what this page shows.
OWN = "kv-memory.weights=config&kv-memory.device=rtx-5090"


def test_in_firefox_a_link_opens_its_answer(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit(FAQ, fragment=QUESTION)
    page.wait_until(f"document.querySelector('.qa:has(#{QUESTION}) details').open")
    page.wait_until(f"Math.abs(document.getElementById('{QUESTION}').getBoundingClientRect().top) < innerHeight")


def test_in_firefox_the_address_sets_a_demo_that_stands_alone(firefox_visit: FirefoxVisits, site: Site) -> None:
    page = firefox_visit("embed/kv-memory.html", query=SETTING)
    page.wait_until(
        "document.querySelector('[data-readout=context_tokens]').dataset.value === '128000'", timeout_s=START_MS / 1000
    )
    page.wait_until(f"document.querySelector('a.demo-home').href.endsWith('{LESSON}?{SETTING}&{OWN}#kv-memory')")
    page.click("link", "Prefill & Decode · Two Speeds")
    page.wait_until("document.querySelector('figure#kv-memory')")
    page.wait_until(
        "document.querySelector('#kv-memory [data-readout=context_tokens]').dataset.value === '128000'",
        timeout_s=START_MS / 1000,
    )
