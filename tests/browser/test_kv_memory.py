"""Can a reader drag the context and watch the cache grow, and do the ways to help show their effect?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.kit.number import raw
from demos.kv_memory import PRESETS
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

PAGE = "embed/kv-memory.html"
PER_TOKEN = 131_072  # Llama 3.1 8B: 32 layers × 2 × 8 heads × 128 × 2 bytes
WEIGHTS = 16_060_522_496  # 8,030,261,248 parameters × 2 bytes


def free(device: str, tokens: int) -> float:
    """Bytes of the usable memory beside weights, cache and what an engine takes."""
    on = pysim.Deployment(pysim.load_model("llama-3.1-8b"), pysim.load_device(device))
    room = pysim.occupancy(on, tokens).per_device[0]
    assert room.memory_bytes is not None
    return room.memory_bytes - WEIGHTS - tokens * PER_TOKEN - room.working.total_bytes


class KvMemory(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "kv-memory")  # type: ignore[arg-type]

    def number(self, name: str) -> Locator:
        return self.root.get_by_role("spinbutton", name=name)


def test_dragging_the_slider_grows_the_cache_next_to_the_weights(kept: KeptPages) -> None:
    demo = KvMemory(kept)
    demo.wait_for_python()
    demo.shows(weights_bytes=WEIGHTS, kv_bytes_per_token=PER_TOKEN, kv_cache_bytes=8_192 * PER_TOKEN)
    demo.slider("Context length").fill("1000")  # the right end of the scale
    demo.shows(context_tokens=131_072, kv_cache_bytes=131_072 * PER_TOKEN)
    expect(demo.number("Context length")).to_have_value("131072")


def test_each_number_is_what_pysim_says(kept: KeptPages) -> None:
    demo = KvMemory(kept)
    demo.wait_for_python()
    demo.number("Context length").fill("128000")
    model, device = pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-5090")
    now_s = float(pysim.pass_cost(pysim.Deployment(model, device), 1, 128_000, speed="typical").time_s)
    empty_s = float(pysim.pass_cost(pysim.Deployment(model, device), 1, 0, speed="typical").time_s)
    free_bytes = free("rtx-5090", 128_000)
    demo.shows(tpot_s=raw(now_s), tpot_empty_s=raw(empty_s), free_bytes=raw(free_bytes), fits="true")


def test_a_reserve_takes_its_maximum_at_once_and_what_does_not_fit_says_so(kept: KeptPages) -> None:
    demo = KvMemory(kept)
    demo.wait_for_python()
    demo.choice("Device").select_option("rtx-4090")
    demo.root.get_by_role("checkbox", name="Reserve the maximum up front").check()
    free_bytes = free("rtx-4090", 131_072)
    demo.shows(reserved_bytes=131_072 * PER_TOKEN, free_bytes=raw(free_bytes), fits="false")
    expect(demo.status).to_contain_text("It does not fit")


def test_every_button_sets_what_it_promises(kept: KeptPages) -> None:
    demo = KvMemory(kept)
    demo.wait_for_python()
    for preset in PRESETS:
        demo.press("Start values")
        demo.press(preset.label)
        if "context_tokens" in preset.values:
            demo.shows(context_tokens=preset.values["context_tokens"])
        if preset.values.get("reserve") == "true":
            demo.shows(reserved_bytes=int(preset.values["max_tokens"]) * PER_TOKEN)
        if "kv" in preset.values:
            # Q8_0 stores 34 bytes for 32 numbers.
            demo.shows(kv_bytes_per_token=PER_TOKEN // 2 * 34 // 32)


def test_an_address_opens_the_demo_so_set(visit: Visits) -> None:
    demo = KvMemory(visit, query="kv-memory.context_tokens=128000", fragment="kv-memory")
    demo.is_ready()
    demo.shows(context_tokens=128_000, kv_cache_bytes=128_000 * PER_TOKEN)


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_page(kept: KeptPages, width: int) -> None:
    demo = KvMemory(kept)
    demo.page.set_viewport_size({"width": width, "height": 800})
    wide = demo.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
