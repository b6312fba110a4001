"""Does the calculator say what fits, how far, and how fast, and what a pasted config.json changes?"""

import json

import pytest

import pysim
from demos import calculator
from demos.calculator.controls import CONTROLS, PRESETS, READOUTS
from demos.kit.declare.controls import Value, check, start_values
from demos.kit.declare.demo import Preset
from demos.kit.number import raw
from tests.demos.reading import Read, read
from tests.pysim.sample_configs import CONFIGS
from tests.pysim.sample_memory import FREE, ROOM, TOKEN, WEIGHTS, WORKING

GIB = 2**30
CONFIG = json.dumps({**CONFIGS["llama-2-7b"], "_name_or_path": "<b>mine</b>"})


def shown(**changes: Value) -> Read:
    values = {**start_values(CONTROLS), **changes}
    return read(calculator.frame(calculator.scene(**values), 0.0))


def said(**changes: Value) -> str:
    return calculator.say(calculator.scene(**{**start_values(CONTROLS), **changes}), 0.0)


def test_it_starts_with_an_8b_model_of_16_bits_on_a_24_gb_card() -> None:
    outputs = shown().outputs
    assert outputs["weights_bytes"] == str(WEIGHTS)
    assert outputs["kv_cache_needed_bytes"] == str(8_192 * TOKEN)
    assert float(outputs["free_bytes"]) == pytest.approx(FREE - 8_192 * TOKEN)
    # (23.52 GiB − 16,060,522,496 B − 0.76 GB) ÷ 131,072 B = 64,315.8…; ÷ 1 GiB of one conversation = 7.85…
    assert outputs["engine_bytes"] == str(WORKING)
    assert float(outputs["usable_memory_bytes"]) == pytest.approx(ROOM)
    assert outputs["largest_context_tokens"] == "64315"
    assert outputs["largest_conversations"] == "7"
    assert outputs["fits"] == "true"


def test_three_habits_set_aside_what_their_rules_say() -> None:
    outputs = shown().outputs
    # vLLM: (0.92 × 23.52 GiB − weights − activations − graphs − process) ÷ (16 × 131,072 B), in whole blocks; ollama:
    # 32,768 tokens from 24 GiB on.
    took = sum(int(outputs[f"vllm_{part}_bytes"]) for part in ("buffers", "graphs", "process"))
    blocks = (0.92 * ROOM - WEIGHTS - took) // (16 * TOKEN)
    assert 2_400 < blocks < 2_600
    assert outputs["vllm_reserved_bytes"] == str(round(blocks * 16 * TOKEN))
    assert outputs["llamacpp_reserved_bytes"] == str(8_192 * TOKEN)
    assert outputs["ollama_reserved_bytes"] == str(32_768 * TOKEN)
    assert [outputs[f"{habit}_fits"] for habit in ("vllm", "llamacpp", "ollama")] == ["true"] * 3
    # Blocks of 16; 64,315 rounded down to a multiple of 256
    assert outputs["vllm_largest_context_tokens"] == str(round(blocks * 16))
    assert outputs["llamacpp_largest_context_tokens"] == "64256"


def test_the_table_has_the_three_habits_as_columns() -> None:
    html = calculator.frame(calculator.scene(**start_values(CONTROLS)), 0.0)
    for name in ("vLLM", "llama.cpp", "ollama"):
        assert f'<th scope="col">{name}</th>' in html


def test_speeds_are_pysims_typical_ones_with_their_band_and_the_best_case_beside() -> None:
    given = pysim.estimate(
        pysim.Deployment(pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090")),
        prompt_tokens=8_192,
        output_tokens=2,
    )
    frame = shown()
    for name in ("prefill_tokens_per_s", "decode_tokens_per_s", "ttft_s", "tpot_s"):
        assert frame.outputs[name] == raw(float(getattr(given, name)))
    for words in ("typical", "8 of 10 runs", "best case"):
        assert words in frame.text


def test_the_best_case_is_called_so_where_it_is_asked_for() -> None:
    frame = shown(engine="best")
    assert "8 of 10 runs" not in frame.text
    best = pysim.estimate(
        pysim.Deployment(pysim.load_model("llama-3.1-8b"), pysim.load_device("rtx-4090")),
        prompt_tokens=8_192,
        output_tokens=2,
        speed="datasheet",
    )
    assert frame.outputs["tpot_s"] == raw(float(best.tpot_s or 0))


def test_what_does_not_fit_says_by_how_much_and_what_would_help() -> None:
    # 70,553,706,496 × 2 B ÷ 2 + 8,192 × 327,680 B ÷ 2 + 0.76 GB − 23.52 GiB = 47.4 GB on each of two cards
    frame = shown(model="llama-3.1-70b", devices=2)
    assert frame.outputs["fits"] == "false"
    # A pass of 512 tokens has as many scores as that of the 8B model.
    needed = (70_553_706_496 * 2 + 8_192 * 327_680) // 2 + WORKING
    assert float(frame.outputs["free_bytes"]) == pytest.approx(ROOM - needed)
    assert "47.4 GB too much on each device" in frame.text
    assert "Q4_K_M weights" in frame.text
    assert "as if it fit" in frame.text
    assert "It would with Q4_K_M weights" in said(model="llama-3.1-70b", devices=2)


def test_each_device_has_its_box_in_every_habits_row() -> None:
    frame = shown(devices=8)
    boxes = [1 for _, attributes in frame.elements if attributes.get("class") == "bank thin"]
    assert len(boxes) == 3 * 8


def test_shared_memory_knows_no_share_of_a_card() -> None:
    frame = shown(device="apple-m3-max-40c")
    assert frame.outputs["vllm_reserved_bytes"] == "none"
    assert frame.outputs["llamacpp_fits"] == "true"
    assert "memory is shared here" in frame.text


def test_a_mac_says_what_its_gpu_can_use_and_what_raises_it() -> None:
    """Up to 36 GiB two thirds, above three quarters: 96 of 128 GiB."""
    frame = shown(device="apple-m4-max-40c")
    assert float(frame.outputs["usable_memory_bytes"]) == pytest.approx(96 * GIB)
    assert "Of 128 GiB the GPU can use 103 GB. sysctl iogpu.wired_limit_mb raises it." in frame.text
    assert "can use" not in shown().text


def test_llama_cpp_says_what_it_makes_of_what_does_not_fit() -> None:
    """(23.52 GiB − 1 GiB − 16.06 GB − 0.76 GB) ÷ 131,072 B = 56,123: in steps of 256, 56,064 tokens."""
    assert "it would use a context of 56,064 tokens." in shown(context_tokens=60_000).text
    assert "makes it fit by itself" not in shown(context_tokens=50_000).text
    # 141 GB do not go into one card: the context is cut to 4,096 and most of the weights stay on the host.
    host = 70_553_706_496 * 2 + 4_096 * 327_680 + WORKING + GIB - ROOM
    words = f"a context of 4,096 tokens and keep {host / 1e9:.3g} GB of the weights in host memory"
    assert words in shown(model="llama-3.1-70b").text


def test_an_engine_that_is_chosen_decides_what_fits() -> None:
    """Mistral 7B v0.1 has a window of 4,096 tokens, which llama.cpp does not read: 32,768 × 131,072 B are 4 GiB."""
    plain, chosen = (
        shown(model="mistral-7b-v0.1", context_tokens=32_768, engine=name) for name in ("typical", "llama.cpp")
    )
    more = float(plain.outputs["free_bytes"]) - float(chosen.outputs["free_bytes"])
    assert more == pytest.approx((32_768 - 4_096) * TOKEN)


def test_parts_of_the_cache_are_named() -> None:
    # Gemma 3 12B: 40 layers with 4 windows of 1,024 tokens and a pass of 512, each 8 KiB.
    frame = shown(model="gemma-3-12b", weights="q4_k_m")
    assert frame.outputs["llamacpp_window_bytes"] == str(40 * 4_608 * 8_192)
    assert "Of the cache, windows" in frame.text
    assert shown().outputs["llamacpp_window_bytes"] == "0"


def test_a_context_beyond_the_models_end_is_cut_and_says_so() -> None:
    frame = shown(model="llama-2-7b", context_tokens=100_000)
    # Llama 2 ends at 4,096: 32 layers × 2 × 32 heads × 128 × 2 B each
    assert frame.outputs["kv_cache_needed_bytes"] == str(4_096 * 524_288)
    assert "Shown with 4,096 tokens" in frame.text


def test_a_cache_of_latents_is_kept_by_every_device_and_the_picture_says_so() -> None:
    frame = shown(model="deepseek-v3", devices=8, device="h200-sxm", weights="fp8")
    assert "together they hold 8 copies" in frame.text
    assert "keep it" not in shown(devices=8).text


def test_a_number_of_devices_that_does_not_divide_the_heads_is_named() -> None:
    assert "32 heads can't be divided evenly among 3 devices" in shown(devices=3).text
    assert "cannot be shared" not in shown(devices=3, split="layers").text


def test_a_pasted_config_is_the_model_and_its_name_is_only_a_text() -> None:
    checked = check(CONTROLS, {"config": [CONFIG]})
    assert checked.problems == []
    assert checked.values["model"] == "pasted"
    html = calculator.frame(calculator.scene(**checked.values), 0.0)
    assert "&lt;b&gt;mine&lt;/b&gt;" in html
    assert "<b>mine" not in html
    # Llama 2 7B: 6,738,415,616 parameters × 2 B
    assert read(html).outputs["weights_bytes"] == str(6_738_415_616 * 2)


def test_a_config_that_cannot_be_read_keeps_the_last_one_and_names_the_field() -> None:
    before = check(CONTROLS, {"config": [CONFIG]}).values
    checked = check(CONTROLS, {"config": ['{"model_type": "llama", "hidden_size": -1}']}, before)
    assert checked.values["config"] == CONFIG
    ((control, message),) = checked.problems
    assert control == "config"
    assert "hidden_size must be from 1" in message


def test_choosing_a_model_lets_go_of_the_pasted_config() -> None:
    before = check(CONTROLS, {"config": [CONFIG]}).values
    values = check(CONTROLS, {"model": ["qwen3-8b"]}, before).values
    assert (values["model"], values["config"]) == ("qwen3-8b", "")


def test_without_a_text_the_choice_of_an_own_config_says_what_is_shown_instead() -> None:
    assert "This shows Llama 3.1 8B until" in shown(model="pasted").text


# 141 GB in 80 GiB; 16.1 GB and a cache of 17.2 GB in 24 GiB; 18.6 GB in 16 GiB.
NOT_FITTING = {"A 16-bit 70B on one H100?", "131,072 tokens of context on 24 GB?", "A 30B mixture on a 16 GB card?"}


@pytest.mark.parametrize("preset", PRESETS, ids=[preset.label for preset in PRESETS])
def test_every_question_has_an_answer(preset: Preset) -> None:
    values = check(CONTROLS, {name: [text] for name, text in preset.values.items()}).values
    sentence = calculator.say(calculator.scene(**values), 0.0)
    assert ("does not fit" in sentence) == (preset.label in NOT_FITTING), sentence


def test_the_csv_has_every_number_of_the_picture() -> None:
    names = {row[0] for row in calculator.table(calculator.scene(**start_values(CONTROLS)))}
    assert {readout.name for readout in READOUTS} <= names | {"fits"}
