"""Layers of different kinds: what do windows, states, indexes and compressed rows keep, and on which device?"""

from dataclasses import replace

import pytest

import pysim
from pysim.memory.cache_parts import cache_parts
from pysim.memory.kv_cache import (
    kv_bytes_per_token,
    kv_cache_bytes,
    paged_capacity_tokens,
    state_bytes_per_sequence,
)
from pysim.memory.placement import places
from pysim.models.config import read_config
from tests.pysim.sample_layered import DEEPSEEK_V3_2, DEEPSEEK_V4_FLASH, GEMMA_4_26B, QWEN3_NEXT

NEXT = read_config(QWEN3_NEXT)
# 36 layers keep 32 heads of 128 × 128 in 32 bits, and three inputs of 8,192 channels in 16.
NEXT_STATE = 36 * (4 * 32 * 128 * 128 + 2 * 3 * 8192)


def test_a_hybrid_keeps_a_state_and_rows_in_one_of_four_layers() -> None:
    assert state_bytes_per_sequence(NEXT) == NEXT_STATE
    assert kv_cache_bytes(NEXT, 1000) == NEXT_STATE + 1000 * 12 * 2 * 2 * 256 * 2
    assert kv_cache_bytes(NEXT, 0, sequences=3) == 3 * NEXT_STATE
    assert kv_bytes_per_token(NEXT) == 24_576


def test_a_cache_format_does_not_change_the_state() -> None:
    rows = kv_cache_bytes(NEXT, 1000, "f16") - NEXT_STATE
    assert kv_cache_bytes(NEXT, 1000, "fp8") == NEXT_STATE + rows / 2


def test_windows_and_full_layers_have_rows_of_their_own_size() -> None:
    """25 layers with 8 heads of 256 keep 1,024 tokens, 5 with 2 heads of 512 all."""
    model = read_config(GEMMA_4_26B)
    assert kv_cache_bytes(model, 10_000) == 1024 * 25 * 2 * 8 * 256 * 2 + 10_000 * 5 * 2 * 2 * 512 * 2


def test_an_index_keeps_its_keys_beside_the_rows() -> None:
    model = read_config(DEEPSEEK_V3_2)
    assert kv_cache_bytes(model, 4096) == 4096 * 61 * (576 * 2 + 128 + 4)
    assert kv_cache_bytes(model, 4096, "fp8") == 4096 * 61 * (576 + 128 + 4)


def test_compressed_rows_stand_for_several_tokens() -> None:
    """All 43 layers keep 128 rows; 21 one row and one key of the index for 4 tokens, 20 one row for 128."""
    model = read_config(DEEPSEEK_V4_FLASH)
    tokens = 8192
    expected = 43 * 128 * 512 * 2 + 21 * tokens / 4 * (512 * 2 + 132) + 20 * tokens / 128 * 512 * 2
    assert kv_cache_bytes(model, tokens) == expected


def test_the_parts_of_a_cache_in_words() -> None:
    full, linear = cache_parts(NEXT)
    assert full.words(48) == "12 of 48 layers keep 2,048 B for each token"
    assert linear.words(48) == "36 of 48 layers keep no growing rows, but a state of 2.146 MB that does not grow"


def test_parts_add_up_to_the_cache() -> None:
    for config in (QWEN3_NEXT, GEMMA_4_26B, DEEPSEEK_V3_2, DEEPSEEK_V4_FLASH):
        model = read_config(config)
        tokens = 100_000
        total = sum(
            part.layers * (part.token_bytes * min(tokens, part.window_tokens or tokens) + part.state_bytes)
            for part in cache_parts(model)
        )
        assert total == pytest.approx(kv_cache_bytes(model, tokens))


def test_devices_that_work_together_divide_heads_as_far_as_they_go() -> None:
    """4 devices: states in four parts, rows of two key-value heads in two."""
    on = pysim.Deployment(NEXT, pysim.load_device("h100-sxm"), n_devices=4)
    rows = 1000 * 12 * 2 * 2 * 256 * 2
    assert places(on)[0].cache_bytes(1000) == NEXT_STATE / 4 + rows / 2


def test_devices_in_a_row_hold_the_states_of_their_layers() -> None:
    on = pysim.Deployment(NEXT, pysim.load_device("h100-sxm"), n_devices=2, split="layers")
    held = [place.cache_bytes(1000) for place in places(on)]
    assert held[0] == held[1] == kv_cache_bytes(NEXT, 1000) / 2


def test_a_model_without_rows_fits_as_many_tokens_as_it_was_trained_for() -> None:
    config = {
        "model_type": "mamba2", "hidden_size": 256, "num_heads": 8, "head_dim": 64, "state_size": 64, "n_groups": 1,
        "num_hidden_layers": 2, "vocab_size": 100, "tie_word_embeddings": True,
    }  # fmt: skip
    model = read_config(config)
    on = pysim.Deployment(model, pysim.load_device("rtx-4090"))
    assert on.max_context_tokens() == model.max_position_embeddings
    assert kv_cache_bytes(model, 10) == kv_cache_bytes(model, 10_000) == state_bytes_per_sequence(model)
    with pytest.raises(pysim.BadValue, match="keeps rows"):
        paged_capacity_tokens(model, 1e9, block_tokens=16)
    assert replace(model, name="x").layer_order == model.layer_order
