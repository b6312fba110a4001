"""Can a reader play an answer without the KV cache and with it, and does the page show what pysim says?"""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.kit.number import raw
from demos.kv_cache import PRESETS
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

PAGE = "embed/kv-cache.html"
PROMPT, ANSWER = 6, 16  # a short text, to count by hand; the demo starts with a longer one
KV_BYTES = 131_072  # of one row of Llama 3.1 8B: 32 layers × 2 × 8 heads × 128 × 2 bytes


class KvCache(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "kv-cache")  # type: ignore[arg-type]

    @property
    def cache(self) -> Locator:
        return self.root.get_by_role("checkbox", name="KV cache")

    def number(self, name: str) -> Locator:
        return self.root.get_by_role("spinbutton", name=name)

    def shorten(self) -> None:
        self.number("Prompt").fill(str(PROMPT))
        self.number("Answer").fill(str(ANSWER))
        expect(self.root.locator(".kv-row")).to_have_count(PROMPT + ANSWER)

    def rows(self, state: str) -> Locator:
        return self.root.locator(f".kv-row.{state}")

    def play_to_the_end(self) -> None:
        self.choice("Speed").select_option("4")
        self.press("Play")
        self.plays(True)
        self.plays(False)

    def go_to_the_end(self) -> None:
        self.slider("Time").fill("1000")


def test_play_without_the_cache_and_then_with_it(kept: KeptPages) -> None:
    demo = KvCache(kept)
    demo.wait_for_python()
    demo.shorten()
    expect(demo.cache).not_to_be_checked()
    demo.play_to_the_end()
    # 16 × 6 + 16 × 15 / 2 = 216 against 6 + 16 - 1 = 21
    demo.shows(tokens_computed=216, tokens_computed_without_cache=216, kv_rows=0, kv_cache_bytes=0)
    expect(demo.rows("spent")).to_have_count(PROMPT + ANSWER - 1)
    demo.cache.check()
    demo.shows(tokens_computed=0, kv_rows=0)
    demo.play_to_the_end()
    demo.shows(tokens_computed=21, tokens_computed_without_cache=216, kv_rows=21, kv_cache_bytes=21 * KV_BYTES)
    expect(demo.rows("kept")).to_have_count(PROMPT + ANSWER - 1)
    expect(demo.frame).to_contain_text("the same tokens")
    expect(demo.status).to_contain_text("the cache keeps 21 rows")


def test_a_cold_page_plays_before_python_is_there(visit: Visits) -> None:
    demo = KvCache(visit)
    demo.press("Play")
    demo.plays(True)
    expect(demo.rows("again").first).to_be_attached()


def test_each_step_is_one_pass_and_shows_what_becomes_of_its_rows(kept: KeptPages) -> None:
    demo = KvCache(kept)
    demo.wait_for_python()
    demo.shorten()
    demo.press("Step")
    expect(demo.rows("spent")).to_have_count(PROMPT)
    demo.press("Step")
    # 6, then 6 + 1
    demo.shows(tokens_computed=13)
    expect(demo.rows("spent")).to_have_count(PROMPT + 1)
    demo.cache.check()
    demo.shows(tokens_computed=0)
    demo.press("Step")
    demo.shows(kv_rows=PROMPT)
    demo.press("Step")
    demo.shows(kv_rows=PROMPT + 1, tokens_computed=7, tokens_computed_without_cache=13)
    expect(demo.rows("kept")).to_have_count(PROMPT + 1)


def test_every_readout_is_what_pysim_says(kept: KeptPages) -> None:
    demo = KvCache(kept)
    demo.wait_for_python()
    demo.number("Prompt").fill("300")
    demo.number("Answer").fill("20")
    demo.choice("Model").select_option("llama-2-7b")
    demo.choice("Device").select_option("apple-m3-max-40c")
    demo.cache.check()
    model, device = pysim.load_model("llama-2-7b"), pysim.load_device("apple-m3-max-40c")
    again_s = math.fsum(
        pysim.pass_cost(pysim.Deployment(model, device), 300 + k, 0, speed="typical").time_s for k in range(20)
    )
    last_s = float(pysim.pass_cost(pysim.Deployment(model, device), 1, 318, speed="typical").time_s)
    kept_s = math.fsum(
        [pysim.pass_cost(pysim.Deployment(model, device), 300, 0, speed="typical").time_s]
        + [pysim.pass_cost(pysim.Deployment(model, device), 1, 300 + k, speed="typical").time_s for k in range(19)]
    )
    demo.shows(pass_s=raw(float(pysim.pass_cost(pysim.Deployment(model, device), 300, 0, speed="typical").time_s)))
    demo.go_to_the_end()
    demo.shows(
        tokens_computed=319,
        tokens_computed_without_cache=20 * 300 + 20 * 19 // 2,
        kv_rows=319,
        kv_cache_bytes=319 * 32 * 2 * 32 * 128 * 2,  # every head has keys and values of its own
        pass_s=raw(last_s),
    )
    assert float(demo.value("time_s")) == pytest.approx(kept_s, rel=1e-8)
    assert float(demo.value("time_without_cache_s")) == pytest.approx(again_s, rel=1e-8)


def test_every_setting_to_try_sets_its_controls(kept: KeptPages) -> None:
    demo = KvCache(kept)
    demo.wait_for_python()
    for preset in PRESETS:
        demo.press("Start values", preset.label)
        for name, value in preset.values.items():
            control = demo.root.locator(f'[name="{name}"]')
            if name == "cache":
                expect(control).to_be_checked(checked=value == "true")
            else:
                expect(control).to_have_value(value)


def test_the_longest_answer_is_counted_to_its_end(visit: Visits) -> None:
    demo = KvCache(visit, query="kv-cache.prompt_tokens=2048&kv-cache.output_tokens=512", fragment="kv-cache")
    demo.is_ready()
    demo.go_to_the_end()
    # 512 × 2048 + 512 × 511 / 2 = 1,048,576 + 130,816
    demo.shows(tokens_computed=1_179_392)
    expect(demo.frame).to_contain_text("the same tokens")


def test_on_a_phone_nothing_is_wider_than_the_screen(kept: KeptPages) -> None:
    demo = KvCache(kept)
    demo.page.set_viewport_size({"width": 360, "height": 740})
    demo.wait_for_python()
    demo.go_to_the_end()
    # 24 × 400 + 24 × 23 / 2
    demo.shows(tokens_computed=9876)
    assert demo.page.evaluate("document.documentElement.scrollWidth") <= 360
