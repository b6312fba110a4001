"""Does `latency` show the wait and the stream as they are?"""

import pytest

import pysim
from demos import latency
from demos.kit.declare.controls import Value
from demos.kit.host.registry import load
from demos.latency.reading_pace import reading_s, tokens_per_word
from demos.latency.simulation import Scene
from demos.latency.traces import averages, traces
from pysim.fit.measured import measured_rows
from tests.demos.reading import Read, read


def scene_of(**texts: str) -> Scene:
    checked = load("latency").check({name: [text] for name, text in texts.items()})
    assert checked.problems == []
    values: dict[str, Value] = checked.values
    return latency.scene(**values)


def shown(scene: Scene, t_s: float = 0.0) -> Read:
    return read(latency.frame(scene, t_s))


def test_the_numbers_are_those_of_estimate_at_typical_speed() -> None:
    scene = scene_of(prompt_tokens="1000", output_tokens="200", device="h100-sxm")
    outputs = shown(scene).outputs
    model, device = pysim.load_model("llama-3.1-8b"), pysim.load_device("h100-sxm")
    whole = pysim.estimate(pysim.Deployment(model, device), prompt_tokens=1000, output_tokens=200)
    for name in ("ttft_s", "tpot_s", "total_s", "prefill_tokens_per_s", "decode_tokens_per_s"):
        assert float(outputs[name]) == pytest.approx(float(getattr(whole, name)), rel=1e-8), name
    ratio = float(whole.prefill_tokens_per_s) / float(whole.decode_tokens_per_s or 0)
    assert float(outputs["speed_ratio"]) == pytest.approx(ratio, rel=1e-8)


def test_one_token_has_no_time_per_token() -> None:
    outputs = shown(scene_of(output_tokens="1")).outputs
    assert (outputs["tpot_s"], outputs["decode_tokens_per_s"], outputs["speed_ratio"]) == ("none", "none", "none")
    assert outputs["total_s"] == outputs["ttft_s"]


def test_a_token_stands_from_its_moment_on() -> None:
    scene = scene_of(output_tokens="48")
    for number in (1, 2, 17, 48):
        moment_s = scene.run.token_s(number)
        assert scene.run.tokens_at(moment_s) == number
        assert scene.run.tokens_at(moment_s * (1 - 1e-9)) == number - 1


def test_the_exact_wait_is_one_token_shorter_than_the_rule_of_thumb() -> None:
    text = shown(scene_of(output_tokens="48")).text
    assert "TTFT + 47 × TPOT" in text
    assert "TTFT + 48 × TPOT" in text


@pytest.mark.parametrize("name", ["chat", "document", "answer"])
def test_a_real_run_is_replayed_token_by_token_with_the_prediction_beside_it(name: str) -> None:
    scene = scene_of(example=f"real-{name}")
    trace = traces()[name]
    assert [scene.run.token_s(k + 1) for k in range(len(trace.times_s))] == list(trace.times_s)
    assert "".join(scene.answer) == "".join(trace.pieces)
    frame = shown(scene)
    assert "measured, replayed as recorded" in frame.text
    assert "the simulator's prediction" in frame.text


def test_the_worked_example_is_a_measured_row_and_reads_about_19_times_faster() -> None:
    given = averages()["worked-example"]
    row = measured_rows()[given.row]
    assert (float(row["prefill_tok_s"]), float(row["decode_tok_s"])) == (
        given.prefill_tokens_per_s,
        given.decode_tokens_per_s,
    )
    assert (row["device_key"], row["model_key"]) == (given.device, given.model)
    # 635.621 ÷ 34.371 = 18.49
    frame = shown(scene_of(example="worked-example"))
    assert float(frame.outputs["speed_ratio"]) == pytest.approx(635.621 / 34.371, rel=1e-6)


def test_changing_a_device_of_a_real_run_makes_the_numbers_your_own() -> None:
    checked = load("latency").check({"example": ["real-chat"], "device": ["rtx-4090"]})
    assert checked.values["example"] == "own"


def test_two_devices_start_by_one_send_and_the_run_ends_with_the_slower() -> None:
    scene = scene_of(device="h100-sxm", compare_device="snapdragon-8-gen-3", model="llama-3.2-1b")
    assert scene.beside is not None
    assert scene.end_s == scene.beside.end_s > scene.run.end_s
    assert latency.stops(scene)[-1] == scene.end_s


def test_the_pace_is_true_unless_the_reader_asks_for_more() -> None:
    assert latency.play_rate(scene_of()) == 1
    assert latency.play_rate(scene_of(speed_up="10")) == 10
    assert "10 times faster" in shown(scene_of(speed_up="10")).text


def test_the_clock_of_the_page_notes_the_first_and_the_last_token() -> None:
    scene = scene_of()
    moments = {"measured_ttft_s": scene.run.ttft_s, "measured_total_s": scene.run.end_s}
    assert latency.measure(scene) == moments


def test_a_reader_of_240_words_a_minute_takes_a_quarter_second_a_word() -> None:
    # 60 s ÷ 240 words = 0.25 s a word.
    assert reading_s(240) * tokens_per_word() == pytest.approx(0.25)
