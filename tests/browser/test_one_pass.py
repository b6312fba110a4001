"""Can a reader change the tokens of a pass and see which job waits, and does the page show what pysim says?"""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.kit.number import raw
from demos.one_pass.controls import PASSES, PRESETS
from tests.browser.edges import outside
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

PAGE = "embed/one-pass.html"
CONTEXT = 1000  # the start value of the control


class OnePass(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "one-pass")  # type: ignore[arg-type]

    @property
    def tokens(self) -> Locator:
        return self.root.locator("[name=tokens_in_pass]")

    @property
    def sideways(self) -> Locator:
        """The slider that moves by ratios beside the number."""
        return self.slider("Tokens in this pass")

    def agrees_with_pysim(self, tokens: int, *, model: str, device: str, weights: str, context: int = CONTEXT) -> None:
        where = pysim.Deployment(pysim.load_model(model), pysim.load_device(device), weight_format=weights)
        cost = where.pass_cost(tokens, context, speed="datasheet")
        ridge = where.ridge_tokens(context)
        assert ridge is not None
        self.shows(
            tokens_in_pass=tokens,
            memory_s=raw(float(cost.memory_s)),
            compute_s=raw(float(cost.compute_s)),
            pass_s=raw(float(cost.time_s)),
            bound=str(cost.bound),
            arithmetic_intensity_flop_per_byte=raw(float(cost.arithmetic_intensity_flop_per_byte)),
            ridge_tokens=round(ridge),
            tokens_per_s=raw(tokens / float(cost.time_s)),
        )


def test_more_tokens_change_who_waits(kept: KeptPages) -> None:
    demo = OnePass(kept)
    demo.wait_for_python()
    expect(demo.status).to_contain_text("1 token in the pass")
    expect(demo.status).to_contain_text("the math waits")
    for tokens in (8, 171, 8192):
        demo.tokens.fill(str(tokens))
        demo.agrees_with_pysim(tokens, model="llama-3.1-8b", device="rtx-4090", weights="f16")
    expect(demo.status).to_contain_text("the reading waits")
    expect(demo.frame.locator(".work-box.store.waits")).to_have_count(1)


def test_the_slider_moves_by_ratios_over_the_same_axis(kept: KeptPages) -> None:
    demo = OnePass(kept)
    demo.wait_for_python()
    demo.sideways.fill("500")  # the middle of 1 to 8,192 by ratios is √8192 = 90.5
    expect(demo.tokens).to_have_value(re.compile("9[01]"))
    demo.shows(tokens_in_pass=re.compile("9[01]"))
    demo.tokens.fill("8192")
    expect(demo.sideways).to_have_value("1000")


def test_every_kind_of_pass_is_marked_where_it_stands_on_the_slider(kept: KeptPages) -> None:
    demo = OnePass(kept)
    marks = demo.root.locator(".control-marks").first.locator(".mark")
    expect(marks).to_have_text([name for _, name, _ in PASSES])
    for index, (tokens, _, _) in enumerate(PASSES):
        place = float((marks.nth(index).get_attribute("style") or "").removeprefix("--at:").removesuffix("%"))
        assert place == pytest.approx(100 * math.log(tokens) / math.log(8192), abs=0.01)


def test_model_device_and_weights_change_the_numbers(kept: KeptPages) -> None:
    demo = OnePass(kept)
    demo.wait_for_python()
    demo.choice("Weights").select_option("q4_k_m")
    demo.agrees_with_pysim(1, model="llama-3.1-8b", device="rtx-4090", weights="q4_k_m")
    demo.choice("Device").select_option("h100-sxm")
    demo.agrees_with_pysim(1, model="llama-3.1-8b", device="h100-sxm", weights="q4_k_m")
    demo.choice("Model").select_option("llama-3.2-1b")
    demo.agrees_with_pysim(1, model="llama-3.2-1b", device="h100-sxm", weights="q4_k_m")
    demo.root.locator("[name=context_tokens]").fill("100000")
    demo.agrees_with_pysim(1, model="llama-3.2-1b", device="h100-sxm", weights="q4_k_m", context=100_000)


def test_the_kitchen_and_the_chip_show_the_same_numbers(kept: KeptPages) -> None:
    demo = OnePass(kept)
    demo.wait_for_python()
    expect(demo.frame).to_contain_text("Kitchen")
    before = demo.root.locator("[data-readout]").evaluate_all("all => all.map(one => one.dataset.value)")
    demo.choice("Picture").select_option("chip")
    expect(demo.frame).to_contain_text("Math units")
    expect(demo.frame).not_to_contain_text("Kitchen")
    assert demo.root.locator("[data-readout]").evaluate_all("all => all.map(one => one.dataset.value)") == before


def test_each_setting_to_try_sets_the_tokens(kept: KeptPages) -> None:
    demo = OnePass(kept)
    demo.wait_for_python()
    for preset in reversed(PRESETS):
        demo.press(preset.label)
        demo.shows(tokens_in_pass=preset.values["tokens_in_pass"])


def test_a_still_picture_has_no_buttons_for_time(kept: KeptPages) -> None:
    demo = OnePass(kept)
    for name in ("Run", "Pause", "Step", "Reset"):
        expect(demo.button(name)).to_have_count(0)


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_leaves_the_card(kept: KeptPages, width: int) -> None:
    demo = OnePass(kept)
    demo.page.set_viewport_size({"width": width, "height": 720})
    demo.wait_for_python()
    for tokens in ("1", "48", "171", "400", "8192"):
        demo.tokens.fill(tokens)
        demo.shows(tokens_in_pass=tokens)
        assert outside(demo.root) == []
