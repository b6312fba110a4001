"""Firefox: does the first demo run, served and from a folder?"""

from __future__ import annotations

from tests.browser.figures import START_MS
from tests.tools.firefox_page import FirefoxPage, FirefoxVisits

START_S = START_MS / 1000
PASSES = "document.querySelector('output[data-readout=passes]').dataset.value"
STATE = "document.querySelector('figure.demo').dataset.state"


def set_slider(page: FirefoxPage, name: str, value: int) -> None:
    page.evaluate(
        f"""(slider => {{
            slider.value = {value};
            slider.dispatchEvent(new Event("input", {{bubbles: true}}));
            return true;
        }})(document.querySelector("figure.demo [name={name}]"))"""
    )


def test_a_cold_run_plays_to_its_end_and_python_takes_over(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit()
    page.click("button", "Run")
    page.wait_until(f"{PASSES} === '8'")
    page.wait_until(f"{STATE} === 'ready'", timeout_s=START_S)
    set_slider(page, "output_tokens", 3)
    page.wait_until(f"{PASSES} === '0'")
    for passes in (1, 2, 3):
        page.click("button", "Step")
        page.wait_until(f"{PASSES} === '{passes}'")


def test_an_address_sets_the_demo(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit(query="two-phases.output_tokens=4&two-phases.model=llama-3.2-1b", fragment="two-phases")
    page.wait_until(f"{STATE} === 'ready'", timeout_s=START_S)
    page.wait_until("document.querySelector('figure.demo [name=output_tokens]').value === '4'")
    page.wait_until("document.querySelector('figure.demo [name=model]').value === 'llama-3.2-1b'")
