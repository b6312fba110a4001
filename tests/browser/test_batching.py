"""Can a reader add conversations to a pass, and does the page show what pysim says of all and of each?"""

from __future__ import annotations

import math
import re

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.batching.controls import PRESETS
from demos.batching.simulation import ALONE_TOKENS
from demos.kit.number import raw
from pysim.deployment import Deployment
from pysim.requests.batch_limits import batch_limits
from tests.browser.edges import outside
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

PAGE = "embed/batching.html"


class Batching(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "batching")  # type: ignore[arg-type]

    @property
    def conversations(self) -> Locator:
        return self.slider("Conversations")

    @property
    def context(self) -> Locator:
        return self.root.locator("[name=context_tokens]")

    def agrees_with_pysim(
        self, conversations: int, context: int = 100, *, model: str = "llama-3.1-8b", device: str = "rtx-4090",
        weights: str = "f16", kv: str = "f16",
    ) -> None:  # fmt: skip
        of, on = pysim.load_model(model), pysim.load_device(device)
        # A context counts the token that the pass makes.
        cost = pysim.pass_cost(
            pysim.Deployment(of, on, weight_format=weights, kv_format=kv),
            1,
            context - 1,
            conversations,
            speed="typical",
        )
        limits = batch_limits(Deployment(of, on, weight_format=weights, kv_format=kv), context)
        pass_s = float(cost.time_s)
        self.shows(
            total_tokens_per_s=raw(conversations / pass_s),
            per_conversation_tokens_per_s=raw(1 / pass_s),
            pass_s=raw(pass_s),
            kv_cache_bytes=raw(float(pysim.kv_cache_bytes(of, context, kv, conversations))),
            fits="true" if conversations <= limits.held else "false",
            ridge_batch="none" if limits.ridge is None else round(limits.ridge),
        )


def test_more_conversations_share_the_pass_until_the_ridge(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    for conversations in (1, 16, 191, 512):
        demo.conversations.fill(str(conversations))
        demo.agrees_with_pysim(conversations)
    expect(demo.frame).to_contain_text("The ridge ends the rise: from 191 conversations on")


def test_every_control_changes_the_numbers(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    demo.conversations.fill("64")
    demo.choice("Cache").select_option("q8_0")
    demo.agrees_with_pysim(64, kv="q8_0")
    demo.choice("Weights").select_option("fp8")
    demo.agrees_with_pysim(64, kv="q8_0", weights="fp8")
    demo.choice("Device").select_option("h100-sxm")
    demo.agrees_with_pysim(64, kv="q8_0", weights="fp8", device="h100-sxm")
    demo.choice("Model").select_option("gpt-oss-20b")
    demo.agrees_with_pysim(64, kv="q8_0", weights="fp8", device="h100-sxm", model="gpt-oss-20b")


def test_long_conversations_never_reach_the_ridge_and_the_demo_says_why(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    demo.context.fill("717")
    demo.agrees_with_pysim(1, 717)
    expect(demo.readout("ridge_batch")).to_have_attribute("data-value", "none")
    demo.choice("Device").select_option("h100-sxm")
    demo.context.fill("1000")
    demo.agrees_with_pysim(1, 1000, device="h100-sxm")
    expect(demo.frame).to_contain_text("The caches end the rise: from 115 on")


def test_memory_that_is_full_is_said_and_times_go_on(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    demo.context.fill("500")
    for conversations, fits in ((128, "true"), (129, "false")):
        demo.conversations.fill(str(conversations))
        demo.agrees_with_pysim(conversations, 500)
        demo.shows(fits=fits)
    expect(demo.frame).to_contain_text("129 do not fit: times are as if they did")
    expect(demo.frame).to_contain_text("it holds 128 conversations; the ridge would be at 543")


def test_a_run_writes_one_token_a_pass_into_every_conversation(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    demo.conversations.fill("64")
    demo.agrees_with_pysim(64)
    for passes in (1, 2, 3):
        demo.press("Step")
        expect(demo.frame).to_contain_text(f"{64 * passes} tokens in all")
        expect(demo.status).to_contain_text(f"After {passes} pass")
    demo.press("Reset")
    expect(demo.frame).to_contain_text("0 tokens in all")
    demo.choice("Speed").select_option("4")
    demo.press("Run")
    demo.plays(True)
    demo.plays(False)
    # While one alone writes 30 tokens, as many passes of the slower 64 begin.
    on = Deployment(pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090"))
    alone, together = (on.pass_cost(1, 99, number, speed="typical").time_s for number in (1, 64))
    passes = math.ceil(ALONE_TOKENS * alone / together)
    expect(demo.status).to_contain_text(f"{64 * passes:,} in all; one alone would have {ALONE_TOKENS}")


def test_the_first_run_of_a_cold_page_is_one_conversation_alone(visit: Visits) -> None:
    demo = Batching(visit)
    demo.press("Run")
    demo.plays(True)
    expect(demo.frame.locator(".stream.alone")).to_contain_text(re.compile(r"[1-9]\d? tokens?"))


def test_each_setting_to_try_sets_its_controls(kept: KeptPages) -> None:
    demo = Batching(kept)
    demo.wait_for_python()
    for preset in PRESETS:
        demo.press(preset.label)
        for name, value in preset.values.items():
            expect(demo.root.locator(f"[name={name}]")).to_have_value(value)
        given = dict(preset.values)
        demo.agrees_with_pysim(
            int(given["conversations"]), int(given.get("context_tokens", "100")), device=given.get("device", "rtx-4090")
        )
        demo.press("Start values")
        demo.agrees_with_pysim(1)


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_leaves_the_card(kept: KeptPages, width: int) -> None:
    demo = Batching(kept)
    demo.page.set_viewport_size({"width": width, "height": 720})
    demo.wait_for_python()
    for preset in PRESETS:
        demo.press(preset.label)
        expect(demo.conversations).to_have_value(preset.values["conversations"])
        demo.slider("Time").fill("700")
        expect(demo.frame).not_to_contain_text("after 0 s")
        assert outside(demo.root, ".stream-line") == []
