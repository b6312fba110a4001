"""Is the cache as large as engines report it, and not as large as common mistakes make it?"""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from pysim import BadValue, MissingFact, Model, kv_cache_bytes, load_device, load_model, max_context_tokens, model_keys
from pysim.deployment import Deployment
from pysim.hardware.device import Device
from pysim.memory.kv_cache import kv_bytes_per_token, paged_capacity_tokens, paged_kv_bytes, reserved_kv_bytes
from pysim.memory.weights import weights_bytes
from tests.pysim.sample_memory import FREE

GIB = 2**30
LLAMA = load_model("llama-3.1-8b")
RTX_4090 = load_device("rtx-4090")
EVERY_MODEL = pytest.mark.parametrize("key", model_keys())
ANY_MODEL = st.sampled_from(model_keys()).map(load_model)


def a_card(model: Model, room_bytes: float) -> Device:
    """A card with so much room beside a model's weights in 16 bits and the engine's own memory."""
    (filled,) = Deployment(model, RTX_4090).memory(0).per_device
    return replace(
        RTX_4090, memory_bytes=weights_bytes(model) + filled.working.total_bytes + room_bytes, usable_share=1.0
    )


def test_llama_3_1_8b_at_its_longest_context_takes_16_gib() -> None:
    assert kv_cache_bytes(LLAMA, 131072) == 32 * 2 * 8 * 128 * 2 * 131072 == 16 * GIB


def test_heads_that_share_nothing_take_4096_mib_at_8k() -> None:
    # https://github.com/abetlen/llama-cpp-python/issues/331
    assert kv_cache_bytes(load_model("llama-2-7b"), 8192) == 4096 * 2**20


def test_36_layers_of_8_heads_take_4_5_gib_at_32k() -> None:
    # https://github.com/LMCache/LMCache/issues/1372
    assert kv_cache_bytes(load_model("qwen3-8b"), 32768) == 4.5 * GIB


def test_windows_hold_gemma_3_27b_at_10_41_gib() -> None:
    # https://github.com/unslothai/unsloth/pull/4757: 10 global layers, 52 with a window of 1024
    model = load_model("gemma-3-27b")
    assert kv_cache_bytes(model, 131072) == (10 * 131072 + 52 * 1024) * 2 * 16 * 128 * 2
    assert kv_cache_bytes(model, 131072) / GIB == pytest.approx(10.41, abs=0.005)  # 62 if all were global


def test_windows_hold_gpt_oss_20b_at_half() -> None:
    assert kv_cache_bytes(load_model("gpt-oss-20b"), 131072) / GIB == pytest.approx(3.00, abs=0.005)


def test_a_latent_is_kept_once() -> None:
    # https://github.com/unslothai/unsloth/pull/4757: 61 layers of (512 + 64) numbers, no values apart
    model = load_model("deepseek-v3")
    assert kv_cache_bytes(model, 163840) == 61 * (512 + 64) * 2 * 163840
    assert kv_cache_bytes(model, 163840) / GIB == pytest.approx(10.72, abs=0.01)


def test_a_latent_counted_twice_would_halve_the_tokens() -> None:
    # https://github.com/vllm-project/vllm/pull/14462: 249,584 tokens became 499,184
    model = load_model("deepseek-v3")
    free_bytes = 499_184 * kv_bytes_per_token(model)
    assert paged_capacity_tokens(model, free_bytes, block_tokens=16) == 499_184
    assert paged_capacity_tokens(model, free_bytes / 2, block_tokens=16) == 249_584


def test_whole_blocks_of_16_hold_what_vllm_says() -> None:
    # https://github.com/vllm-project/vllm/issues/33263: 18.78 GiB free. A block takes 16 x 114,688 bytes,
    # 10,991 of them take 18.78345 GiB.
    model = load_model("qwen3-1.7b")
    blocks_gib = 10_991 * 16 * 114_688 / GIB
    assert blocks_gib == pytest.approx(18.78345, abs=5e-6)
    for free_gib in (18.78345, 18.785):
        assert paged_capacity_tokens(model, free_gib * GIB, block_tokens=16) == 175_856


def test_a_window_is_a_rolling_buffer() -> None:
    model = load_model("mistral-7b-v0.1")  # every layer looks back 4096 tokens
    full = kv_cache_bytes(model, 4096)
    assert kv_cache_bytes(model, 4095) < full == kv_cache_bytes(model, 4097) == kv_cache_bytes(model, 32768)


def test_four_bit_weights_leave_the_cache_as_it_is() -> None:
    before = kv_cache_bytes(LLAMA, 8192)
    assert weights_bytes(LLAMA, "q4_0") < weights_bytes(LLAMA)
    assert kv_cache_bytes(LLAMA, 8192) == before == kv_cache_bytes(LLAMA, 8192, "bf16")
    assert kv_cache_bytes(LLAMA, 8192, "q8_0") == before * 8.5 / 16
    assert kv_cache_bytes(LLAMA, 8192, "q4_0") == before * 4.5 / 16


def test_reserving_up_front_takes_whole_contexts() -> None:
    assert reserved_kv_bytes(LLAMA, 8192, 4) == 4 * kv_cache_bytes(LLAMA, 8192)
    assert reserved_kv_bytes(LLAMA, 8192, 4) > kv_cache_bytes(LLAMA, 500, sequences=4)


def test_paging_takes_the_last_block_whole() -> None:
    assert (
        paged_kv_bytes(LLAMA, 1, block_tokens=16)
        == paged_kv_bytes(LLAMA, 16, block_tokens=16)
        == kv_cache_bytes(LLAMA, 16)
    )
    assert paged_kv_bytes(LLAMA, 17, block_tokens=16) == kv_cache_bytes(LLAMA, 32)
    assert paged_kv_bytes(LLAMA, 17, block_tokens=1) == kv_cache_bytes(LLAMA, 17)
    several = paged_kv_bytes(LLAMA, np.array([0, 1, 17]), block_tokens=16)
    assert several.tolist() == [0, *(131072 * n for n in (16, 32))]  # type: ignore[union-attr]


def test_arrays_give_what_single_numbers_give() -> None:
    model = load_model("gemma-3-4b")
    tokens = np.array([[0], [5], [1024], [1025], [100_000]])
    sequences = np.array([1, 3])
    table = kv_cache_bytes(model, tokens, "q8_0", sequences)
    assert isinstance(table, np.ndarray)
    assert table.shape == (5, 2)
    for i, n in enumerate((0, 5, 1024, 1025, 100_000)):
        for j, s in enumerate((1, 3)):
            assert table[i, j] == kv_cache_bytes(model, n, "q8_0", s)


@given(ANY_MODEL, st.integers(0, 2_000_000), st.integers(0, 4096), st.integers(1, 64))
@settings(max_examples=200, deadline=None)
def test_more_tokens_never_take_less(model: Model, tokens: int, more: int, sequences: int) -> None:
    small, large = kv_cache_bytes(model, tokens), kv_cache_bytes(model, tokens + more)
    assert 0 <= small <= large <= small + more * kv_bytes_per_token(model)
    assert kv_cache_bytes(model, tokens, sequences=sequences) == sequences * small
    assert paged_kv_bytes(model, tokens, block_tokens=16) >= small


@EVERY_MODEL
@pytest.mark.parametrize("sequences", [1, 7])
@pytest.mark.parametrize("kv", ["f16", "q8_0"])
def test_the_longest_context_fits_and_one_token_more_does_not(key: str, sequences: int, kv: str) -> None:
    model = load_model(key)
    room = 3 * GIB
    device = a_card(model, room + 1e9)
    longest = max_context_tokens(Deployment(model, device, kv_format=kv), sequences, reserve_bytes=1e9)
    taken = kv_cache_bytes(model, longest, kv, sequences)
    # Seven sequences of Nemotron-H 56B keep 6.1 GiB of state: not one token fits.
    assert taken <= room * (1 + 1e-12) or longest == 0
    if "full_attention" in model.layer_types:  # else the cache stops growing
        assert kv_cache_bytes(model, longest + 1, kv, sequences) > room


# All layers of Phi-3.5 have a window of 262,144 tokens: where that many fit, memory bounds no context.
@example(load_model("phi-3.5-mini"), 262_144, 1)
@given(ANY_MODEL, st.integers(1, 5_000_000), st.integers(1, 100))
@settings(max_examples=200, deadline=None)
def test_a_context_that_fills_memory_exactly_loses_no_token(model: Model, tokens: int, sequences: int) -> None:
    taken = kv_cache_bytes(model, tokens, sequences=sequences)
    device = a_card(model, taken)
    longest = max_context_tokens(Deployment(model, device), sequences)
    whole = kv_cache_bytes(model, 10 * tokens, sequences=sequences)
    unbounded = whole == taken and longest == model.max_position_embeddings
    assert longest == tokens or unbounded or kv_cache_bytes(model, longest, sequences=sequences) == taken


def test_llama_3_1_8b_leaves_64315_tokens_on_24_gib() -> None:
    # (23.52 GiB − 16,060,522,496 − 763,887,616) / 131,072 = 64,315.8
    assert max_context_tokens(Deployment(LLAMA, RTX_4090)) == FREE // 131_072 == 64_315


def test_no_room_for_the_weights_is_no_context() -> None:
    assert max_context_tokens(Deployment(load_model("llama-3.1-70b"), RTX_4090)) == 0


def test_a_bounded_cache_that_fits_leaves_the_models_own_limit() -> None:
    assert max_context_tokens(Deployment(load_model("mistral-7b-v0.1"), RTX_4090)) == 32768


def test_an_unknown_memory_size_is_a_missing_fact() -> None:
    with pytest.raises(MissingFact, match="cloud-cpu-2c"):
        max_context_tokens(Deployment(LLAMA, load_device("cloud-cpu-2c")))


@pytest.mark.parametrize("tokens", [-1, math.nan, math.inf, True, "8192", None, 10**30, [1, -1], np.array(["a"])])
def test_impossible_token_counts_are_refused(tokens: object) -> None:
    with pytest.raises(BadValue, match="tokens"):
        kv_cache_bytes(LLAMA, tokens)  # type: ignore[call-overload]


@pytest.mark.parametrize("change", [{"batch": 0}, {"batch": math.nan}, {"reserve_bytes": -1}])
def test_impossible_questions_about_context_are_refused(change: dict[str, object]) -> None:
    with pytest.raises(BadValue):
        max_context_tokens(Deployment(LLAMA, RTX_4090), **change)  # type: ignore[arg-type]
