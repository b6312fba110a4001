"""Firefox: do the doctor and the calculator read what is pasted?"""

from __future__ import annotations

import json

from tests.browser.figures import START_MS
from tests.demos.pasted import OLLAMA
from tests.pysim.sample_configs import CONFIGS
from tests.tools.firefox_page import FirefoxPage, FirefoxVisits

START_S = START_MS / 1000


def paste(page: FirefoxPage, name: str, text: str) -> None:
    page.evaluate(
        f"""(box => {{
            box.focus();
            box.value = {json.dumps(text)};
            box.dispatchEvent(new Event("change", {{bubbles: true}}));
            return true;
        }})(document.querySelector("figure.demo [name={name}]"))"""
    )


def readout(name: str) -> str:
    return f"document.querySelector('output[data-readout={name}]').dataset.value"


def test_a_pasted_text_is_diagnosed(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit("tools/doctor.html")
    paste(page, "text", OLLAMA)
    page.wait_until(f"{readout('slow_part')} === 'prefill'", timeout_s=START_S)
    page.wait_until(f"{readout('prefill_tokens_per_s')} === '160'")  # 6,400 ÷ 40 s


def test_a_pasted_config_is_calculated(firefox_visit: FirefoxVisits) -> None:
    page = firefox_visit("tools/calculator.html")
    paste(page, "config", json.dumps(CONFIGS["llama-2-7b"]))
    # 6,738,415,616 parameters × 2 B
    page.wait_until(f"{readout('weights_bytes')} === '{6_738_415_616 * 2}'", timeout_s=START_S)
