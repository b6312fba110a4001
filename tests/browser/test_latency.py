"""Can a reader send a request and feel the wait, and is the pace of the stream the simulated one?"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.kit.number import raw
from demos.latency.traces import traces
from tests.browser.figures import Figure
from tests.browser.kept import KeptPages
from tests.tools.watched import Visits

PAGE = "embed/latency.html"


class Latency(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "latency")  # type: ignore[arg-type]

    def number(self, name: str) -> Locator:
        return self.root.get_by_role("spinbutton", name=name)

    @property
    def example(self) -> Locator:
        return self.choice("Example")

    def send(self) -> None:
        self.press("Send")
        self.plays(True)
        self.plays(False)


def test_send_plays_the_wait_and_the_stream_and_the_page_notes_its_own_clock(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.shows(measured_ttft_s="none", measured_total_s="none")
    demo.send()
    expect(demo.frame).to_contain_text("done after")
    expect(demo.readout("measured_total_s")).not_to_have_attribute("data-value", "none")
    # The page can only be later than the simulated moment, and the first token comes before the last.
    first_s, whole_s = float(demo.value("measured_ttft_s")), float(demo.value("measured_total_s"))
    assert float(demo.value("ttft_s")) <= first_s < whole_s
    assert whole_s >= float(demo.value("total_s"))


def test_the_numbers_are_those_of_estimate(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.choice("Device").select_option("h100-sxm")
    demo.number("Prompt").fill("2000")
    demo.number("Answer").fill("300")
    model, device = pysim.load_model("llama-3.1-8b"), pysim.load_device("h100-sxm")
    whole = pysim.estimate(pysim.Deployment(model, device), prompt_tokens=2000, output_tokens=300)
    expected = {name: raw(float(getattr(whole, name))) for name in ("ttft_s", "prefill_tokens_per_s", "total_s")}
    demo.shows(**expected)
    expect(demo.example).to_have_value("own")


def test_two_devices_start_by_one_send(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.choice("Compare with").select_option("h100-sxm")
    expect(demo.root.locator(".chat")).to_have_count(2)
    demo.send()
    expect(demo.root.locator(".chat-line")).to_contain_text(["done after", "done after"])


def test_a_real_run_is_replayed_as_recorded_beside_its_prediction(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.example.select_option("real-chat")
    trace = traces()["chat"]
    demo.shows(ttft_s=raw(trace.times_s[0]), total_s=raw(trace.times_s[-1]))
    expect(demo.root.locator(".chat-title")).to_have_text(
        ["measured, replayed as recorded", "the simulator's prediction"]
    )
    demo.send()
    expect(demo.root.locator(".bubble.answer").first).to_contain_text("Paris")


def test_the_worked_example_reads_about_19_times_faster_than_it_writes(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.press("Reads 19 times faster than it writes")
    # 635.621 tokens/s read ÷ 34.371 written
    demo.shows(speed_ratio=raw(635.621 / 34.371))


def test_a_reader_measures_the_own_pace(kept: KeptPages) -> None:
    demo = Latency(kept)
    demo.wait_for_python()
    demo.press("Measure it with a short paragraph")
    expect(demo.root.get_by_text("A lighthouse keeper once wrote")).to_be_visible()
    demo.press("I have read it")
    # Read in no time, the pace is the highest that the control allows.
    expect(demo.slider("You read")).to_have_value("1000")
    expect(demo.root.locator(".pace-mark.reader")).to_contain_text("you read")


@pytest.mark.parametrize("width", [360, 1280])
def test_nothing_is_wider_than_the_page(kept: KeptPages, width: int) -> None:
    demo = Latency(kept)
    demo.page.set_viewport_size({"width": width, "height": 800})
    assert demo.page.evaluate("document.documentElement.scrollWidth") <= width
