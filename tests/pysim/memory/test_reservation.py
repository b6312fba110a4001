"""Do vLLM, llama.cpp and ollama set aside what their rules say?"""

import pytest

import pysim
from pysim.deployment import Deployment
from pysim.engines.engine import Engine
from pysim.engines.load import load_engine, reserving_engines
from pysim.errors import BadValue
from pysim.memory.engine_settings import EngineSettings
from pysim.memory.placement import places
from pysim.memory.reservation import default_context_tokens, longest_context_tokens, reservation
from tests.pysim.sample_memory import MIB, TOKEN, WEIGHTS, WORKING

GIB = 2**30
LLAMA = pysim.load_model("llama-3.1-8b")
CARD = pysim.load_device("rtx-4090")
PLACED = places(Deployment(LLAMA, CARD))
VLLM, LLAMA_CPP, OLLAMA = (load_engine(name) for name in ("vllm", "llama.cpp", "ollama"))


# 256 scores of 14 bytes for each of 128,256 words and one hidden row of 4,096 for each of 2,048 tokens in 16 bits, 138
# MiB; graphs of 32 layers, 27 MiB each; 256 MiB of the process.
SCORES = 256 * 128_256 * 14 + 2_048 * 4_096 * 2
VLLM_WORKING = SCORES + 138 * MIB + 32 * 27 * MIB + 256 * MIB


def test_vllm_fills_its_share_of_the_memory_with_whole_blocks() -> None:
    # (0.92 × 24 GiB − 16,060,522,496 B − 1.79 GB) ÷ (16 tokens × 131,072 B) = 2,790.9…: 2,790 blocks of 2 MiB
    found = reservation(VLLM, LLAMA, PLACED, 24 * GIB, 8_192)
    blocks = (0.92 * 24 * GIB - WEIGHTS - VLLM_WORKING) // (16 * TOKEN)
    assert found.working[0].total_bytes == VLLM_WORKING
    assert found.reserved_bytes == (blocks * 16 * TOKEN,)
    assert found.pool_tokens == blocks * 16
    assert found.needed_bytes == (8_192 * TOKEN,)
    assert found.free_bytes == 24 * GIB - WEIGHTS - VLLM_WORKING - blocks * 16 * TOKEN
    assert found.fits


def test_earlier_versions_of_vllm_took_less_of_the_card_and_more_for_scores() -> None:
    """Before 0.21 a share of 0.9 and no graphs; before 0.17 38 bytes for each score."""
    scores = SCORES + 24 * 256 * 128_256
    for version, share, working in (
        ("0.20.1", 0.9, SCORES + (138 + 256) * MIB),
        ("0.17", 0.9, SCORES + (138 + 133) * MIB),
        ("v0.16.0", 0.9, scores + (138 + 133) * MIB),
        ("0.8.5", 0.9, scores + (138 + 133) * MIB),
    ):
        found = reservation(VLLM, LLAMA, PLACED, 24 * GIB, 8_192, settings=EngineSettings(version=version))
        assert found.limit_bytes == share * 24 * GIB
        assert found.working[0].total_bytes == working, version


def test_a_share_and_passes_of_ones_own_are_taken() -> None:
    own = EngineSettings(share=0.5, eager=True, pass_tokens=512, most_sequences=4)
    found = reservation(VLLM, LLAMA, PLACED, 80 * GIB, 8_192, settings=own)
    assert found.limit_bytes == 40 * GIB
    # Of 512 tokens the widest layer takes more than four scores: 4 × 4,096 + 3 × 14,336 numbers of 16 bits.
    assert found.working[0].buffers_bytes == 512 * 2 * (4 * 4_096 + 3 * 14_336) + 138 * MIB
    assert found.working[0].graphs_bytes == 0


def test_vllm_needs_a_last_block_whole() -> None:
    # 17 tokens are two blocks of 16.
    assert reservation(VLLM, LLAMA, PLACED, 24 * GIB, 17).needed_bytes == (32 * TOKEN,)


def test_vllm_reserves_nothing_where_the_weights_alone_are_too_much() -> None:
    found = reservation(VLLM, LLAMA, PLACED, 16 * GIB, 8_192)
    assert found.reserved_bytes == (0.0,)
    assert not found.fits
    assert found.short_bytes == pytest.approx(WEIGHTS + VLLM_WORKING + 8_192 * TOKEN - 0.92 * 16 * GIB)
    assert found.pool_tokens == 0


def test_llama_cpp_sets_aside_every_slot_in_steps_of_256_tokens() -> None:
    # Four conversations share one cache: 4 × 8,193 = 32,772 tokens are 129 × 256. Five have 33 × 256 = 8,448 each.
    found = reservation(LLAMA_CPP, LLAMA, PLACED, 24 * GIB, 8_193, 4)
    assert found.slot_tokens == 8_448
    assert found.reserved_bytes == (129 * 256 * TOKEN,)
    assert reservation(LLAMA_CPP, LLAMA, PLACED, 24 * GIB, 8_193, 5).reserved_bytes == (5 * 8_448 * TOKEN,)


def _ollama_context_tokens(memory_bytes: float) -> int:
    assert OLLAMA.reservation is not None
    return default_context_tokens(OLLAMA.reservation, LLAMA, memory_bytes)


@pytest.mark.parametrize(("memory_gib", "tokens"), [(8, 4_096), (22.9, 4_096), (23.52, 32_768), (46.9, 32_768)])
def test_ollama_chooses_a_context_by_the_memory(memory_gib: float, tokens: int) -> None:
    # https://docs.ollama.com/context-length: below 24 GiB 4k, up to 48 GiB 32k; its code says 23 and 47,
    # since a card of 24 GiB has 23.52 to use.
    assert _ollama_context_tokens(memory_gib * GIB) == tokens


def test_ollama_chooses_no_more_than_the_model_was_trained_for() -> None:
    # From 48 GiB it would be 262,144; Llama 3.1 ends at 131,072.
    assert _ollama_context_tokens(48 * GIB) == 131_072


def test_ollama_counts_the_memory_of_all_devices() -> None:
    found = reservation(OLLAMA, LLAMA, places(Deployment(LLAMA, CARD, n_devices=2)), 24 * GIB, 8_192)
    assert found.slot_tokens == 131_072
    assert found.reserved_bytes == (131_072 * TOKEN / 2,) * 2


def test_ollama_is_told_of_a_context_longer_than_its_default() -> None:
    assert reservation(OLLAMA, LLAMA, PLACED, 16 * GIB, 10_000).slot_tokens == 10_000


@pytest.mark.parametrize("engine", reserving_engines(), ids=lambda engine: engine.key)
@pytest.mark.parametrize("sequences", [1, 5])
def test_the_longest_context_fits_and_one_step_more_does_not(engine: Engine, sequences: int) -> None:
    longest = longest_context_tokens(engine, LLAMA, PLACED, 24 * GIB, sequences)
    limit = 24 * GIB * (0.92 if engine is VLLM else 1.0)
    assert longest * sequences * TOKEN <= limit - WEIGHTS - (VLLM_WORKING if engine is VLLM else WORKING)
    assert not reservation(engine, LLAMA, PLACED, 24 * GIB, longest + 1, sequences).fits


def test_a_window_bounds_the_cache_so_that_the_model_itself_ends_the_context() -> None:
    mistral = pysim.load_model("mistral-7b-v0.1")  # every layer looks back 4,096 tokens
    assert (
        longest_context_tokens(LLAMA_CPP, mistral, places(Deployment(mistral, CARD)), 24 * GIB)
        == mistral.max_position_embeddings
    )


def test_an_engine_that_says_nothing_of_its_memory_is_refused_by_its_file() -> None:
    with pytest.raises(BadValue, match=r"catalog/engines/tgi\.toml has no \[reservation\]"):
        reservation(load_engine("TGI"), LLAMA, PLACED, 24 * GIB, 8_192)
