"""Can a reader paste, drop or choose what a tool printed, and is it read here, once, and never lost?"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from demos.doctor.examples import EXAMPLES
from demos.kit.host import session
from tests.browser.figures import Figure, PythonGate
from tests.browser.kept import KeptPages
from tests.demos.pasted import OLLAMA
from tests.demos.reading import read
from tests.tools.watched import Visits

PAGE = "tools/doctor.html"
NO_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', {value: undefined})"
BOX = "What your tool printed"
HOSTILE = f"<img src=x onerror=\"document.title='taken'\">\n{OLLAMA}"
# A log of a megabyte, the figures at its end
LOG = "2026-11-30 12:00:01 INFO request 17 from 10.0.0.9 took a while, 3 of 12 done\n" * 12_900 + OLLAMA
DROP = """([box, text]) => {
    const files = new DataTransfer();
    files.items.add(new File([text], "log.txt", {type: "text/plain"}));
    for (const kind of ["dragover", "drop"]) {
        box.dispatchEvent(new DragEvent(kind, {dataTransfer: files, bubbles: true, cancelable: true}));
    }
}"""


class Doctor(Figure):
    def __init__(self, visit: Visits | KeptPages, **options: object) -> None:
        super().__init__(visit(PAGE, **options), "doctor")  # type: ignore[arg-type]

    @property
    def text(self) -> Locator:
        return self.root.get_by_role("textbox", name=BOX)

    def is_read(self) -> None:
        self.shows(slow_part="prefill", prefill_tokens_per_s=160, decode_tokens_per_s=15)
        expect(self.frame).to_contain_text("reading 160 tokens/s, which is 67% of the time")


def test_a_pasted_text_is_diagnosed(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.shows(slow_part="decode")
    demo.text.fill(OLLAMA)
    demo.is_read()
    expect(demo.choice("Try")).to_have_value("own")


def test_every_example_can_be_tried(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    for example in EXAMPLES:
        demo.choice("Try").select_option(example.key)
        expect(demo.text).to_have_value(example.text)
    demo.shows(slow_part="none")
    expect(demo.frame).to_contain_text("Where the text breaks off")


def test_a_link_to_an_example_opens_it_with_its_text(visit: Visits) -> None:
    demo = Doctor(visit, query="doctor.example=vllm-serve&doctor.device=h100-sxm")
    demo.is_ready()
    demo.shows(slow_part="queue")
    expect(demo.text).to_have_value(re.compile("Serving Benchmark Result"))
    expect(demo.frame).to_contain_text("your choice")


def test_what_is_wrong_in_the_recognition_can_be_corrected(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill(OLLAMA)
    demo.shows(decode_verdict="none")
    demo.choice("Model").select_option("llama-3.1-8b")
    demo.choice("Device").select_option("apple-m2-10c")
    demo.choice("Weights").select_option("q4_k_m")
    demo.shows(decode_verdict=re.compile("slower|typical|faster"))


def test_the_text_enters_no_address_and_comes_from_none(visit: Visits) -> None:
    demo = Doctor(visit, query="doctor.text=planted&doctor.example=mlx", init_script=NO_CLIPBOARD)
    demo.is_ready()
    expect(demo.text).not_to_have_value("planted")
    demo.text.fill(OLLAMA)
    demo.is_read()
    demo.press("Copy link to this setting")
    link = demo.root.get_by_label("Link to this setting").input_value()
    assert "eval" not in link + demo.page.url
    assert "example" not in link
    expect(demo.status).to_contain_text("stays private")


def test_a_pasted_text_is_never_markup(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill(HOSTILE)
    demo.is_read()
    assert demo.root.locator("img").count() == 0
    assert "taken" not in demo.page.title()


def test_an_own_text_comes_back_after_a_look_at_an_example(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill(OLLAMA)
    demo.is_read()
    demo.choice("Try").select_option("mlx")
    demo.shows(cases=1, prefill_tokens_per_s=re.compile("^421"))
    demo.choice("Try").select_option("own")
    expect(demo.text).to_have_value(OLLAMA)
    demo.is_read()


def test_what_is_typed_while_python_starts_is_kept_and_answered(visit: Visits) -> None:
    gate = PythonGate()
    demo = Doctor(visit, before=gate.guard)
    demo.text.fill(OLLAMA)
    demo.text.press("End")
    demo.text.press_sequentially("\n# mine")
    gate.open()
    demo.is_ready()
    demo.is_read()
    expect(demo.text).to_have_value(re.compile("# mine"))


def test_typing_on_while_an_answer_comes_loses_nothing(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill("")
    demo.text.press_sequentially(OLLAMA, delay=12)
    demo.is_read()
    expect(demo.text).to_have_value(OLLAMA)
    expect(demo.choice("Try")).to_have_value("own")


def test_a_file_can_be_dropped(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.page.evaluate(DROP, [demo.text.element_handle(), OLLAMA])
    demo.is_read()
    expect(demo.text).to_have_value(OLLAMA)


def test_a_file_can_be_chosen_with_its_line_ends_as_they_are(kept: KeptPages, tmp_path: Path) -> None:
    file = tmp_path / "log.txt"
    file.write_bytes(OLLAMA.replace("\n", "\r\n").encode())
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.root.get_by_label("printed: choose a file").set_input_files(file)
    demo.is_read()
    expect(demo.text).to_have_value(OLLAMA)


def test_of_a_file_that_is_too_long_the_end_is_read_and_said_so(kept: KeptPages, tmp_path: Path) -> None:
    file = tmp_path / "long.log"
    file.write_text("x" * 2_000_000 + "\n" + OLLAMA)
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.root.get_by_label("printed: choose a file").set_input_files(file)
    demo.is_read()
    expect(demo.status).to_contain_text("so this is its end")


def test_a_megabyte_is_read_and_goes_to_python_once(visit: Visits) -> None:
    demo = Doctor(visit)
    demo.wait_for_python()
    demo.page.evaluate("""() => {
        const ask = TwoSpeeds.python.ask.bind(TwoSpeeds.python);
        window.sent = [];
        TwoSpeeds.python.ask = (call, args) => {
            if (call === "show") window.sent.push(args[2].length);
            return ask(call, args);
        };
    }""")
    assert 990_000 < len(LOG) < 1_000_000
    demo.page.evaluate(DROP, [demo.text.element_handle(), LOG])
    demo.is_read()
    demo.choice("Device").select_option("rtx-3060")
    expect(demo.frame).to_contain_text("NVIDIA GeForce RTX 3060")
    sent: list[int] = demo.page.evaluate("window.sent")
    assert [length > 900_000 for length in sent] == [True, False]


def test_a_text_that_is_too_long_says_by_how_much_and_stays(visit: Visits) -> None:
    demo = Doctor(visit, permissions=["clipboard-read", "clipboard-write"])
    demo.wait_for_python()
    demo.page.evaluate("text => navigator.clipboard.writeText(text)", LOG + "y" * 20_000)
    demo.text.focus()
    demo.page.keyboard.press("ControlOrMeta+A")
    demo.page.keyboard.press("ControlOrMeta+V")
    expect(demo.root.locator(".control-problem")).to_contain_text("characters")
    expect(demo.root.locator(".control-count").first).to_contain_text("too many")
    assert len(demo.text.input_value()) == len(LOG) + 20_000


def test_several_runs_are_listed_and_each_can_be_seen(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill(f"{EXAMPLES[1].text}\n\n{OLLAMA}")
    demo.shows(cases=2)
    demo.root.get_by_role("spinbutton", name="Show number").fill("2")
    demo.is_read()


def test_without_python_the_first_example_is_diagnosed_already(visit: Visits) -> None:
    demo = Doctor(visit, java_script_enabled=False)
    demo.shows(slow_part="decode")
    expect(demo.frame).to_contain_text("What to change")
    assert not [request for request in visit.requests if "/assets/python/" in request]


@pytest.mark.parametrize("width", [360, 1280])
def test_no_diagnosis_is_wider_than_the_page(kept: KeptPages, width: int) -> None:
    demo = Doctor(kept)
    demo.page.set_viewport_size({"width": width, "height": 800})
    demo.wait_for_python()
    for example in reversed(EXAMPLES):
        demo.choice("Try").select_option(example.key)
        expect(demo.text).to_have_value(example.text)
        natively = json.loads(
            session.show(f"width-{example.key}", "doctor", json.dumps({"example": [example.key]}), 0.0)
        )
        demo.shows(**read(natively["frame"]).outputs)
        assert demo.page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_guess_answers_what_the_doctor_asks(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill("llama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf\n" + SERVER)
    expect(demo.frame).to_contain_text("Which device is it?")
    demo.frame.locator(".ask-guesses button").first.click()
    demo.shows(decode_verdict=re.compile("slower|typical|faster"))
    expect(demo.frame).not_to_contain_text("Which device is it?")


def test_a_guess_about_memory_becomes_a_line_of_the_text(kept: KeptPages) -> None:
    demo = Doctor(kept)
    demo.wait_for_python()
    demo.text.fill("RTX 3090\nllama-server -m Qwen3-32B-Q4_K_M.gguf -ngl 32\n" + SERVER)
    demo.frame.get_by_role("button", name="DDR5-5600, 2 channels").click()
    expect(demo.text).to_have_value(re.compile("Main memory: DDR5-5600, 2 channels"))
    expect(demo.frame).to_contain_text("90 GB/s")


def test_the_answer_is_copied_as_a_post_or_shown(visit: Visits) -> None:
    demo = Doctor(visit, init_script=NO_CLIPBOARD)
    demo.wait_for_python()
    demo.text.fill(OLLAMA)
    demo.is_read()
    demo.press("Copy as a post")
    shown = demo.root.get_by_label("The post").input_value()
    assert shown.startswith("**")
    assert "| writing | 15 tokens/s" in shown


SERVER = "prompt eval time = 500.00 ms / 500 tokens\n       eval time = 2500.00 ms / 100 tokens\n"
