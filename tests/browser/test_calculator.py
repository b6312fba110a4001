"""Can a reader find out what fits where, with a model from the list or with a config.json of their own?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import pysim
from demos.calculator.controls import PRESETS
from demos.kit.number import raw
from tests.browser.figures import START_MS, Figure, PythonGate
from tests.browser.kept import KeptPages
from tests.pysim.gguf.real_shapes import FILES
from tests.pysim.sample_configs import CONFIGS
from tests.pysim.sample_memory import FREE, TOKEN, WEIGHTS
from tests.tools.watched import Visits

PAGE = "tools/calculator.html"
LLAMA_2_WEIGHTS = 6_738_415_616 * 2
HOSTILE = json.dumps({**CONFIGS["llama-2-7b"], "_name_or_path": "<img src=x onerror=\"document.title='taken'\">"})
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
BOX = "Your own config.json or .gguf"


class Calculator(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "calculator")  # type: ignore[arg-type]

    def number(self, name: str) -> Locator:
        return self.root.get_by_role("spinbutton", name=name)

    @property
    def config(self) -> Locator:
        return self.root.get_by_role("textbox", name=BOX)


def test_the_numbers_are_what_pysim_says(kept: KeptPages) -> None:
    demo = Calculator(kept)
    demo.wait_for_python()
    demo.number("Context of each").fill("20000")
    demo.shows(
        weights_bytes=WEIGHTS,
        kv_cache_needed_bytes=20_000 * TOKEN,
        free_bytes=raw(FREE - 20_000 * TOKEN),
        largest_context_tokens=64_315,
        llamacpp_reserved_bytes=20_224 * TOKEN,  # 79 × 256
        ollama_reserved_bytes=32_768 * TOKEN,
    )
    given = pysim.estimate(
        pysim.Deployment(pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090")),
        prompt_tokens=20_000,
        output_tokens=2,
    )
    for name in ("ttft_s", "tpot_s", "prefill_tokens_per_s", "decode_tokens_per_s"):
        demo.shows(**{name: raw(float(getattr(given, name)))})


def test_every_question_is_answered_by_its_button(kept: KeptPages) -> None:
    demo = Calculator(kept)
    demo.wait_for_python()
    for preset in PRESETS:
        demo.press(preset.label)
        expect(demo.choice("Model")).to_have_value(preset.values["model"])
        expect(demo.status).to_contain_text(pysim.load_model(preset.values["model"]).name)
    expect(demo.frame).to_contain_text("8 × NVIDIA H200")


def test_an_address_opens_the_setting_that_its_link_was_copied_from(visit: Visits) -> None:
    query = "calculator.model=llama-3.1-70b&calculator.devices=2&calculator.weights=q4_k_m"
    demo = Calculator(visit, query=query, init_script=NO_CLIPBOARD)
    demo.is_ready()
    demo.shows(fits="true")
    demo.press("Copy link to this setting")
    link = demo.root.get_by_label("Link to this setting").input_value()
    query, _, fragment = link.partition("?")[2].partition("#")
    assert set(query.split("&")) == {
        "calculator.model=llama-3.1-70b",
        "calculator.devices=2",
        "calculator.weights=q4_k_m",
    }
    assert fragment == "calculator"


def test_a_pasted_config_is_calculated_and_stays_out_of_the_address(visit: Visits) -> None:
    demo = Calculator(visit, init_script=NO_CLIPBOARD)
    demo.wait_for_python()
    demo.config.fill(json.dumps(CONFIGS["llama-2-7b"], indent=2))
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    expect(demo.choice("Model")).to_have_value("pasted")
    demo.choice("Weights").select_option("q4_k_m")
    demo.shows(fits="true")
    demo.press("Copy link to this setting")
    link = demo.root.get_by_label("Link to this setting").input_value()
    assert "model" not in link
    assert "config" not in link
    assert "hidden_size" not in link + demo.page.url
    expect(demo.status).to_contain_text("stays private")


def test_a_wrong_config_names_the_field_and_can_be_mended(kept: KeptPages) -> None:
    demo = Calculator(kept)
    demo.wait_for_python()
    config = {**CONFIGS["llama-2-7b"], "hidden_size": "many"}
    demo.config.fill(json.dumps(config))
    expect(demo.root.locator(".control-problem")).to_contain_text("hidden_size must be a whole number")
    expect(demo.config).to_have_attribute("aria-invalid", "true")
    expect(demo.config).to_have_value(json.dumps(config))
    demo.choice("Weights").select_option("q8_0")
    expect(demo.root.locator(".control-problem")).to_contain_text("hidden_size")
    demo.config.fill(json.dumps(CONFIGS["llama-2-7b"]))
    expect(demo.root.locator(".control-problem")).to_have_count(0)
    expect(demo.frame).to_contain_text("llama in the memory of")


def test_a_hostile_config_is_text_and_nothing_else(kept: KeptPages) -> None:
    demo = Calculator(kept)
    demo.wait_for_python()
    demo.config.fill(HOSTILE)
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    expect(demo.frame).to_contain_text("<img src=x onerror=")
    assert demo.frame.locator("img").count() == 0
    assert "taken" not in demo.page.title()


def test_an_address_cannot_bring_a_config(visit: Visits) -> None:
    demo = Calculator(visit, query="calculator.config=%7B%22model_type%22%3A1%7D&calculator.devices=2")
    demo.is_ready()
    expect(demo.config).to_have_value("")
    expect(demo.root.locator(".control-problem")).to_have_count(0)
    expect(demo.frame).to_contain_text("2 × NVIDIA GeForce RTX 4090")


def test_what_was_pasted_comes_back_after_a_look_at_another_model(kept: KeptPages) -> None:
    demo = Calculator(kept)
    demo.wait_for_python()
    demo.config.fill(json.dumps(CONFIGS["llama-2-7b"]))
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    demo.press(PRESETS[0].label)
    expect(demo.config).to_have_value("")
    demo.press("Start values")
    demo.shows(weights_bytes=WEIGHTS)
    demo.choice("Model").select_option("pasted")
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    expect(demo.config).to_have_value(json.dumps(CONFIGS["llama-2-7b"]))


def test_what_is_pasted_before_python_is_there_is_answered_once_it_is(visit: Visits) -> None:
    gate = PythonGate()
    demo = Calculator(visit, before=gate.guard)
    demo.config.fill(json.dumps(CONFIGS["llama-2-7b"]))
    gate.open()
    demo.is_ready()
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    expect(demo.config).to_have_value(json.dumps(CONFIGS["llama-2-7b"]))


def test_a_long_text_goes_to_python_once_and_not_with_every_other_change(visit: Visits) -> None:
    demo = Calculator(visit)
    demo.wait_for_python()
    demo.page.evaluate("""() => {
        const ask = TwoSpeeds.python.ask.bind(TwoSpeeds.python);
        window.sent = [];
        TwoSpeeds.python.ask = (call, args) => {
            if (call === "show") window.sent.push(args[2]);
            return ask(call, args);
        };
    }""")
    demo.config.fill(json.dumps(CONFIGS["llama-2-7b"]) + " " * 50_000)
    demo.shows(weights_bytes=LLAMA_2_WEIGHTS)
    demo.choice("Weights").select_option("q4_k_m")
    demo.choice("Cache").select_option("q8_0")
    demo.shows(fits="true")
    # 4,096 tokens × 524,288 B in Q8_0: 34 bytes for 32 numbers of 2
    demo.shows(kv_cache_needed_bytes=4_096 * 524_288 * 34 // 64)
    long = [text for text in demo.page.evaluate("window.sent") if len(text) > 50_000]
    assert len(long) == 1


def test_a_keyboard_alone_sets_it(visit: Visits) -> None:
    demo = Calculator(visit)
    demo.choice("Model").focus()
    demo.is_ready()
    demo.page.keyboard.press("Tab")
    expect(demo.choice("Device")).to_be_focused()
    demo.page.keyboard.press("Tab")
    demo.page.keyboard.press("ArrowRight")
    expect(demo.frame).to_contain_text("2 × NVIDIA GeForce RTX 4090")
    # A Tab leaves the box to paste into: it is no trap.
    demo.config.focus()
    demo.page.keyboard.press("Tab")
    expect(demo.config).not_to_be_focused()


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("devices", [1, 8])
def test_nothing_is_wider_than_the_page(visit: Visits, width: int, devices: int) -> None:
    query = f"calculator.devices={devices}&calculator.model=llama-3.1-405b&calculator.conversations=256"
    demo = Calculator(visit, query=query, viewport={"width": width, "height": 800})
    demo.is_ready()
    demo.shows(fits="false")
    assert demo.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_gguf_file_is_read_in_the_browser_and_becomes_the_model(visit: Visits, tmp_path: Path) -> None:
    file = tmp_path / "own-gpt-oss.gguf"
    file.write_bytes(FILES["gpt-oss-20b"]())
    demo = Calculator(visit)
    demo.root.locator("input[data-file-for=config]").set_input_files(file)
    expect(demo.status).to_have_text("The header of own-gpt-oss.gguf is read. Nothing was uploaded.", timeout=START_MS)
    expect(demo.choice("Model")).to_have_value("pasted")
    # 24 layers × 2 × 8 KV heads × 64 numbers × 2 B; the weights are those of its tensors.
    demo.shows(kv_bytes_per_token=49_152, weights_bytes=round(pysim.weights_bytes(pysim.load_model(file))))


def test_a_file_that_is_no_gguf_is_said_and_changes_nothing(visit: Visits, tmp_path: Path) -> None:
    page, cut = tmp_path / "page.gguf", tmp_path / "cut.gguf"
    page.write_text("<!doctype html><title>404</title>", encoding="utf-8")
    cut.write_bytes(FILES["gpt-oss-20b"]()[:900])
    demo = Calculator(visit)
    for file, words in ((page, "an HTML page"), (cut, "ends within its header")):
        demo.root.locator("input[data-file-for=config]").set_input_files(file)
        expect(demo.status).to_contain_text(words, timeout=START_MS)
        expect(demo.choice("Model")).not_to_have_value("pasted")
