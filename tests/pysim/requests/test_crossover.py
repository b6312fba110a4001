"""Where do cache and weights weigh the same?"""

import pytest

import pysim
from pysim.requests.crossover import cache_equals_weights_tokens


def test_llama_3_1_8b_16_bit_cache_equals_weights_near_122_500_tokens() -> None:
    # 8,030,261,248 parameters of 2 bytes ÷ (2 × 32 layers × 8 KV heads × 128 × 2 bytes) = 122,532.06…
    assert 8_030_261_248 * 2 / 131_072 == pytest.approx(122_532.06, abs=0.01)
    assert cache_equals_weights_tokens(pysim.load_model("llama-3.1-8b")) == 122_533


def test_with_8_bit_layers_it_is_little_more_than_half_as_many() -> None:
    # 8,030,261,248 bytes, and one more for each number of the two tables of 128,256 × 4,096 that stay in 16 bits.
    tokens = (8_030_261_248 + 2 * 128_256 * 4_096) / 131_072
    found = cache_equals_weights_tokens(pysim.load_model("llama-3.1-8b"), "fp8")
    assert found == pytest.approx(tokens, abs=5)  # the norms' second bytes


def test_ten_conversations_share_the_weights() -> None:
    # Each has a tenth of 122,532.06 tokens.
    assert cache_equals_weights_tokens(pysim.load_model("llama-3.1-8b"), sequences=10) == 12_254


def test_windows_bend_the_line() -> None:
    model = pysim.load_model("gemma-3-27b")
    found = cache_equals_weights_tokens(model)
    assert found is not None
    weights = pysim.weights_bytes(model)
    assert pysim.kv_cache_bytes(model, found - 1) < weights <= pysim.kv_cache_bytes(model, found)
