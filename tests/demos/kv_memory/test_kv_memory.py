"""Does `kv-memory` fill the memory with what is really stored?"""

import pytest

from demos import kv_memory
from demos.kit.declare.controls import Value, start_values
from tests.demos.reading import Read, read
from tests.pysim.sample_memory import FREE


def shown(**changes: Value) -> Read:
    values = {**start_values(kv_memory.CONTROLS), **changes}
    return read(kv_memory.frame(kv_memory.scene(**values), 0.0))


def test_llama_3_1_8b_at_its_full_length_weighs_more_in_cache_than_in_weights() -> None:
    # 131,072 tokens × 2 × 32 layers × 8 KV heads × 128 × 2 B = 17,179,869,184 B; 8,030,261,248 parameters × 2 B.
    outputs = shown(context_tokens=131_072).outputs
    assert outputs["kv_bytes_per_token"] == "131072"
    assert outputs["kv_cache_bytes"] == "17179869184"
    assert outputs["weights_bytes"] == "16060522496"


@pytest.mark.parametrize(("weights", "tokens"), [("f16", 122_533), ("fp8", 69_283)])
def test_cache_and_weights_are_equal_near_122_500_tokens_or_little_more_than_half(weights: str, tokens: int) -> None:
    # 16,060,522,496 B ÷ 131,072 B = 122,532.06…; in FP8 the two tables of 128,256 × 4,096
    # keep their second byte: (8,030,261,248 + 1,050,673,152) ÷ 131,072 = 69,282.04…
    assert int(shown(weights=weights).outputs["equal_at_tokens"]) == pytest.approx(tokens, abs=200)


def test_what_does_not_fit_says_so_and_by_how_much() -> None:
    # 23.52 GiB − 16,060,522,496 B − 0.76 GB − 16 GiB < 0
    frame = shown(context_tokens=131_072, device="rtx-4090")
    assert frame.outputs["fits"] == "false"
    assert float(frame.outputs["free_bytes"]) == pytest.approx(FREE - 16 * 2**30, abs=16)
    assert "ends at the line" in frame.text


def test_a_reserve_takes_the_maximum_whatever_is_in_use() -> None:
    outputs = shown(context_tokens=100, reserve=True, max_tokens=131_072).outputs
    assert outputs["reserved_bytes"] == "17179869184"
    assert outputs["kv_cache_bytes"] == str(100 * 131_072)


def test_a_context_beyond_the_reserved_maximum_is_cut_to_it_and_says_so() -> None:
    frame = shown(context_tokens=100_000, reserve=True, max_tokens=8_192)
    assert frame.outputs["context_tokens"] == "8192"
    assert "the reserved maximum is 8,192" in frame.text


def test_a_token_takes_about_twice_as_long_where_the_cache_weighs_as_much_as_the_weights() -> None:
    outputs = shown(context_tokens=122_533).outputs
    # What is read doubles, but for the input embedding (128,256 × 4,096 × 2 B), which is stored and hardly read.
    read_bytes = 16_060_522_496 - 128_256 * 4_096 * 2
    ratio = (read_bytes + 16_060_522_496) / read_bytes
    # At typical speed a part of a pass is fixed, and the cache is read at another share of the bandwidth.
    assert float(outputs["tpot_s"]) / float(outputs["tpot_empty_s"]) == pytest.approx(ratio, rel=0.1)


def test_conversations_share_the_weights_but_not_the_cache() -> None:
    one, ten = shown(conversations=1).outputs, shown(conversations=10).outputs
    assert int(ten["kv_cache_bytes"]) == 10 * int(one["kv_cache_bytes"])
    assert ten["weights_bytes"] == one["weights_bytes"]


def test_each_way_to_help_shows_its_effect() -> None:
    text = shown(context_tokens=128_000, reserve=True).text
    for way in ("Fresh start, 200 tokens", "Summary, 16,000 tokens", "Maximum of 32,768", "Cache in 8 bits"):
        assert way in text
    # A maximum of 32,768 instead of 131,072 tokens: 98,304 × 131,072 B = 12.88 GB less.
    assert "−12.9 GB" in text


def test_a_hybrid_keeps_rows_in_one_layer_of_four_and_a_state_in_the_others() -> None:
    # Qwen3.6 35B A3B: 10 of 40 layers × 2 KV heads × 256 × (key, value) × 2 B = 20,480 B a token. Each of the other 30:
    # a state of 32 heads × 128 × 128 × 4 B = 2,097,152 B, and 3 inputs of 8,192 channels × 2 B = 49,152 B.
    short, long = (
        shown(model="qwen3.6-35b-a3b", context_tokens=1),
        shown(model="qwen3.6-35b-a3b", context_tokens=100_000),
    )
    state = 30 * (2_097_152 + 49_152)
    assert short.outputs["kv_bytes_per_token"] == "20480"
    assert int(short.outputs["kv_cache_bytes"]) == state + 20_480
    assert int(long.outputs["kv_cache_bytes"]) == state + 100_000 * 20_480
    assert "10 of 40 layers: a row for every token" in long.text
    assert "30 of 40 layers: one state of fixed size" in long.text


def test_a_model_whose_layers_are_all_alike_shows_no_strip_of_layers() -> None:
    assert "32 of 32 layers" not in shown().text
