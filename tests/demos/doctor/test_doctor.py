"""Does the doctor's page show what the diagnosis says, for its examples and for any other text?"""

import json

import pytest

from demos import doctor
from demos.doctor.controls import CONTROLS, LIMIT, READOUTS
from demos.doctor.examples import EXAMPLES
from demos.doctor.simulation import Scene, read_text
from demos.kit.declare.controls import Value, check, start_values
from demos.kit.number import raw
from pysim.doctor.case import Diagnosis
from pysim.doctor.diagnose import diagnose
from tests.demos.pasted import OLLAMA
from tests.demos.reading import Read, read
from tests.pysim.sample_configs import CONFIGS

TEXTS = {example.key: example.text for example in EXAMPLES}


def scene(**changes: str) -> Scene:
    checked = check(CONTROLS, {name: [text] for name, text in changes.items()})
    assert checked.problems == []
    return doctor.scene(**checked.values)


def shown(**changes: str) -> Read:
    return read(doctor.frame(scene(**changes), 0.0))


def test_both_phases_their_shares_and_the_slow_one_are_those_of_the_text() -> None:
    frame = shown(text=OLLAMA)
    assert frame.outputs["cases"] == "1"
    assert frame.outputs["slow_part"] == "prefill"
    assert frame.outputs["prefill_tokens_per_s"] == "160"  # 6,400 ÷ 40 s
    assert frame.outputs["decode_tokens_per_s"] == "15"  # 300 ÷ 20 s
    # Loading is a part of every first run only: of the 60 s of the two phases 40 are reading.
    assert "reading the prompt 40 s (67%)" in frame.text
    assert "writing the answer 20 s (33%)" in frame.text


@pytest.mark.parametrize(
    ("key", "slow"),
    [
        ("llama-bench", "decode"),
        ("ollama-long-prompt", "prefill"),
        ("ollama-cold", "load"),
        ("llama-server", "decode"),
        ("vllm-serve", "queue"),
        ("mlx", "prefill"),
        ("cut", "none"),
    ],
)
def test_every_example_shows_another_slow_part(key: str, slow: str) -> None:
    assert shown(example=key).outputs["slow_part"] == slow


def test_the_first_picture_is_the_diagnosis_of_the_first_example() -> None:
    values = start_values(CONTROLS)
    assert values["text"] == EXAMPLES[0].text
    (case,) = diagnose(EXAMPLES[0].text).cases
    frame = read(doctor.frame(doctor.scene(**values), 0.0))
    assert case.prefill is not None
    assert case.decode is not None
    assert frame.outputs["prefill_tokens_per_s"] == raw(case.prefill.tokens_per_s or 0)
    assert frame.outputs["decode_verdict"] == case.decode.verdict
    assert frame.outputs["mbu"] == raw(case.decode.mbu or 0)
    assert "Qwen3 14B" in frame.text
    for advice in case.advice:
        assert advice.why[1:] in frame.text


def test_what_a_text_cannot_tell_is_said_with_what_to_run_instead() -> None:
    (case,) = diagnose(TEXTS["vllm-serve"]).cases
    frame = shown(example="vllm-serve")
    assert case.cannot_tell
    for reason in case.cannot_tell:
        assert reason.message[1:] in frame.text
        assert reason.instead in frame.text


def test_a_text_cut_short_names_the_line_that_is_missing() -> None:
    frame = shown(example="cut")
    assert "Where the text breaks off" in frame.text
    assert "Line 3" in frame.text


def test_a_model_and_a_device_chosen_by_the_reader_give_a_verdict() -> None:
    assert shown(text=OLLAMA).outputs["decode_verdict"] == "none"
    frame = shown(text=OLLAMA, model="llama-3.1-8b", device="apple-m2-10c", weights="q4_k_m")
    assert frame.outputs["decode_verdict"] in {"slower", "typical", "faster"}
    assert "your choice" in frame.text


def test_the_figures_of_a_spec_sheet_stand_for_a_device() -> None:
    text = "llama-server -m Meta-Llama-3.1-8B-Instruct-Q8_0.gguf\nprompt eval time = 500.00 ms / 500 tokens\n"
    text += "       eval time = 4000.00 ms / 100 tokens\n"
    frame = shown(text=text, bandwidth="346")
    assert "a device with 346 GB/s" in frame.text
    assert frame.outputs["decode_verdict"] in {"slower", "typical", "faster"}
    assert frame.outputs["prefill_verdict"] == "none"
    assert "47.0 TFLOP/s" in shown(text=text, bandwidth="346", flops="47", memory="24").text


def test_a_pasted_config_is_the_model() -> None:
    frame = shown(
        text=OLLAMA, config=json.dumps({**CONFIGS["llama-2-7b"], "_name_or_path": "my-7b"}), device="rtx-3060"
    )
    assert "my-7b" in frame.text


def test_a_text_with_several_runs_lists_them_and_shows_the_one_that_is_asked_for() -> None:
    text = OLLAMA + "\n>>> next\n" + OLLAMA.replace("6400", "3200").replace("40s", "20s")
    frame = shown(text=text, case="2")
    assert frame.outputs["cases"] == "2"
    assert "All 2 runs in the text" in frame.text
    assert "▸ 2" in frame.text
    assert "There is no run 9" in shown(text=text, case="9").text
    assert doctor.say(scene(text=text, case="2"), 0.0).startswith("Run 2 of 2")


@pytest.mark.parametrize(
    ("text", "sentence"), [("", "Nothing to read yet"), ("hello\nworld\n", "No known measurement in 3 lines")]
)
def test_a_text_without_a_measurement_says_so_and_what_can_be_read(text: str, sentence: str) -> None:
    frame = shown(text=text, example="own")
    assert sentence in frame.text
    assert "llama-bench" in frame.text
    assert frame.outputs["cases"] == "0"


def test_markup_in_a_pasted_text_stays_text() -> None:
    text = OLLAMA.replace("total", "<img src=x onerror=alert(1)>\ntotal", 1)
    hostile = TEXTS["llama-bench"].replace("qwen3 14B Q8_0", "<script>alert(1)</script>")
    for pasted in (text, hostile):
        html = doctor.frame(scene(text=pasted), 0.0)
        assert "<script" not in html
        assert "<img" not in html


def test_the_text_is_private_and_may_have_a_million_characters() -> None:
    control = next(control for control in CONTROLS if control.name == "text")
    assert (control.limit, control.private, control.drop) == (LIMIT, True, True) == (1_000_000, True, True)  # type: ignore[union-attr]
    too_long = check(CONTROLS, {"text": ["x" * (LIMIT + 1)]})
    assert "1,000,001 characters" in too_long.problems[0].message


def test_the_text_is_read_once_however_often_a_list_is_changed() -> None:
    read_text.cache_clear()
    for device in ("rtx-3060", "rtx-4090", "apple-m2-10c"):
        scene(text=OLLAMA, device=device)
    assert read_text.cache_info().misses == 1


def test_the_csv_has_a_row_for_every_run() -> None:
    head, *rows = doctor.table(scene(text=OLLAMA + OLLAMA))
    assert {readout.name for readout in READOUTS} - {"cases"} <= set(head)
    assert len(rows) == 2


def test_no_figure_is_made_up_where_nothing_was_diagnosed() -> None:
    values: dict[str, Value] = {**start_values(CONTROLS), "text": "nothing"}
    empty = doctor.scene(**values)
    assert empty.diagnosis == Diagnosis(cases=(), lines=1)
    assert all(value == "none" for name, value in shown(text="nothing").outputs.items() if name != "cases")


def test_a_bare_rate_is_shown_without_a_phase_and_nothing_says_what_to_run() -> None:
    bare = doctor.frame(scene(text="my model is slow at 5 tokens per second"), 0.0)
    assert "Its only rate: 5 tokens/s, phase unknown." in bare
    nothing = doctor.frame(scene(text="my model is slow"), 0.0)
    assert "ollama run MODEL --verbose" in nothing
