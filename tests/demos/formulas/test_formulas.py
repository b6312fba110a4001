"""Does `formulas` work out what its rules say, for every kind of cache?"""

import pytest

from demos import formulas
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read


def shown(**changes: Value) -> Read:
    values = {**start_values(formulas.CONTROLS), **changes}
    return read(formulas.frame(formulas.scene(**values), 0.0))


@pytest.mark.parametrize(
    ("model", "per_token"),
    [
        ("llama-2-7b", 2 * 32 * 32 * 128 * 2),  # every head its own
        ("llama-3.1-8b", 2 * 32 * 8 * 128 * 2),  # four heads share one
        ("falcon-7b", 2 * 32 * 1 * 64 * 2),  # all heads share one
        ("deepseek-v3", 61 * (512 + 64) * 2),  # one compressed row and one key for the position
    ],
)
def test_the_cache_of_a_token_follows_the_kind_of_attention(model: str, per_token: int) -> None:
    assert shown(model=model).outputs["kv_bytes_per_token"] == str(per_token)


def test_layers_with_a_window_keep_only_their_window() -> None:
    # Gemma 3 12B: 8 layers see all, 40 see 1,024 tokens; 2 × 8 heads × 256 × 2 B a row.
    frame = shown(model="gemma-3-12b", context_tokens=32_000)
    assert frame.outputs["kv_cache_bytes"] == str((8 * 32_000 + 40 * 1024) * 2 * 8 * 256 * 2)
    assert "40 × 1,024" in frame.text


def test_the_ridge_point_is_peak_over_bandwidth() -> None:
    # RTX 4090: 165.2 TFLOP/s ÷ 1.008 TB/s
    assert float(shown().outputs["ridge_flop_per_byte"]) == pytest.approx(165.2 / 1.008, rel=1e-3)


def test_intensity_is_flop_over_bytes_and_grows_with_the_tokens_of_a_pass() -> None:
    outputs = {name: float(text) for name, text in shown().outputs.items() if name.startswith(("prefill", "decode"))}
    for kind in ("prefill", "decode"):
        ratio = outputs[f"{kind}_flop"] / outputs[f"{kind}_bytes"]
        assert outputs[f"{kind}_intensity_flop_per_byte"] == pytest.approx(ratio, rel=1e-6)
    assert outputs["prefill_intensity_flop_per_byte"] > 500 * outputs["decode_intensity_flop_per_byte"]


def test_the_times_of_a_request_add_up() -> None:
    outputs = {name: float(shown().outputs[name]) for name in ("ttft_s", "tpot_s", "total_s")}
    assert outputs["total_s"] == pytest.approx(outputs["ttft_s"] + (200 - 1) * outputs["tpot_s"], rel=1e-6)


def test_an_answer_of_one_token_has_no_tpot_and_says_why() -> None:
    frame = shown(output_tokens=1)
    assert frame.outputs["tpot_s"] == "none"
    assert "needs no decode pass" in frame.text


def test_what_does_not_fit_is_said() -> None:
    values = {**start_values(formulas.CONTROLS), "model": "llama-3.1-70b"}
    scene = formulas.scene(**values)
    assert read(formulas.frame(scene, 0.0)).outputs["fits"] == "false"
    assert "do not fit" in formulas.say(scene, 0.0)
