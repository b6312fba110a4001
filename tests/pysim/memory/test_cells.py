"""Does the cache take as many cells as llama.cpp prints: windows, slots, states, quantized rows?"""

from dataclasses import replace

import numpy as np
import pytest

import pysim
from pysim.engines.load import load_engine
from pysim.errors import BadValue
from pysim.memory.engine_settings import EngineSettings
from pysim.memory.placement import places
from pysim.memory.reservation import reservation
from pysim.models.config import read_config
from pysim.models.model import Model
from tests.pysim.sample_layered import QWEN3_5_27B, QWEN3_NEXT

MIB, GIB = 2**20, 2**30
CARD = pysim.load_device("h200-sxm")
LLAMA_CPP = load_engine("llama.cpp")
SERVER, ALONE = EngineSettings(), EngineSettings(slots=1)


def taken_mib(
    model: Model, tokens: int, settings: EngineSettings = SERVER, *, sequences: int = 1, kv: str = "f16"
) -> float:
    placed = places(pysim.Deployment(model, CARD, kv_format=kv))
    found = reservation(LLAMA_CPP, model, placed, CARD.memory, tokens, sequences, settings)
    (taken,) = found.reserved_bytes
    return taken / MIB


def a_gemma_2_2b() -> Model:
    """26 layers, every second one with a window of 4,096; 4 heads of 256 for keys and values."""
    large = pysim.load_model("gemma-2-9b")
    return replace(
        large, num_hidden_layers=26, layer_types=large.layer_types[:26], hidden_size=2304, num_attention_heads=8,
        num_key_value_heads=4, intermediate_size=9216,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("key", "tokens", "alone_mib", "server_mib"),
    [
        # Full layers × tokens + window layers × cells, each × bytes of a row. Cells, alone: window + 512, in steps of
        # 256; a server: 4 × window + 512, no more than the context.
        ("gemma-3-12b", 8_192, (8 * 8_192 + 40 * 1_536) * 8_192, (8 * 8_192 + 40 * 4_608) * 8_192),
        ("gemma-3-27b", 8_192, (10 * 8_192 + 52 * 1_536) * 8_192, (10 * 8_192 + 52 * 4_608) * 8_192),
        ("gemma-3-27b", 32_768, (10 * 32_768 + 52 * 1_536) * 8_192, (10 * 32_768 + 52 * 4_608) * 8_192),
        ("gpt-oss-20b", 8_192, (12 * 8_192 + 12 * 768) * 2_048, (12 * 8_192 + 12 * 1_024) * 2_048),
        ("gemma-2-9b", 8_192, (21 * 8_192 + 21 * 4_608) * 8_192, (21 * 8_192 + 21 * 8_192) * 8_192),
        ("llama-4-scout", 32_768, (12 * 32_768 + 36 * 8_704) * 4_096, (12 * 32_768 + 36 * 32_768) * 4_096),
    ],
)
def test_window_layers_take_a_window_for_each_slot_and_one_pass(
    key: str, tokens: int, alone_mib: int, server_mib: int
) -> None:
    model = pysim.load_model(key)
    assert taken_mib(model, tokens, ALONE) == alone_mib / MIB
    assert taken_mib(model, tokens) == server_mib / MIB


def test_logs_of_gpt_oss_print_3072_and_18_mib_and_54_with_passes_of_2048() -> None:
    # Logs on an Apple M5 with 131,072 cells: 12 layers × 131,072 × 2 KiB and 12 × 768, or 12 × 2,304, × 2 KiB.
    model = pysim.load_model("gpt-oss-20b")
    assert taken_mib(model, 131_072, ALONE) == 3_072 + 18
    assert taken_mib(model, 131_072, EngineSettings(slots=1, pass_tokens=2_048)) == 3_072 + 54


def test_a_server_with_gemma_2_2b_prints_416_and_416_mib() -> None:
    # A log with 4 slots and 8,192 cells: 4 × 4,096 + 512 are more than the context, so 13 + 13 layers keep all of it.
    assert taken_mib(a_gemma_2_2b(), 8_192) == 416 + 416


def test_window_rows_stay_in_16_bits_when_the_cache_is_quantized() -> None:
    # https://github.com/ggml-org/llama.cpp/pull/21277 (2026-04). Q8_0: 34 bytes for 32 numbers.
    model = pysim.load_model("gpt-oss-20b")
    assert taken_mib(model, 8_192, ALONE, kv="q8_0") == 12 * 8_192 * 1_024 * 34 / 32 / MIB + 18


def test_builds_before_quantized_them_too() -> None:
    # A log of 2025 on a Hexagon with passes of 128 tokens: 102 + 3.19 MiB, 256 cells in each of 12 window layers.
    model = pysim.load_model("gpt-oss-20b")
    old = EngineSettings(slots=1, quantized_windows=True, pass_tokens=128)
    assert taken_mib(model, 8_192, old, kv="q8_0") == pytest.approx(102 + 3.19, abs=0.005)


def test_swa_full_keeps_the_whole_context_in_every_layer() -> None:
    model = pysim.load_model("gemma-3-12b")
    assert taken_mib(model, 8_192, EngineSettings(whole_windows=True)) == 48 * 8_192 * 8_192 / MIB


def test_an_architecture_whose_window_is_not_read_keeps_all_rows() -> None:
    # Mistral 7B v0.1 is "llama" in a GGUF: 32 layers × 32,768 × 4 KiB, not 4,096 tokens of each layer.
    model = pysim.load_model("mistral-7b-v0.1")
    assert taken_mib(model, 32_768) == 4_096
    assert pysim.Deployment(model, CARD, engine="vLLM").memory(32_768).per_device[0].cache_bytes == 512 * MIB
    assert pysim.Deployment(model, CARD, engine="ollama").memory(32_768).per_device[0].cache_bytes == 4_096 * MIB


def test_slots_of_their_own_are_padded_one_by_one() -> None:
    # https://github.com/unslothai/unsloth/pull/7530: 1,024 tokens over 3 slots take 1,536 cells, over 4 slots 1,024.
    model = pysim.load_model("llama-3.1-8b")  # 128 KiB for each token
    assert taken_mib(model, 1_024 // 3, EngineSettings(slots=3), sequences=3) == 1_536 / 8
    assert taken_mib(model, 1_024 // 4, EngineSettings(slots=4), sequences=4) == 1_024 / 8


def test_conversations_share_one_cache_up_to_the_slots_of_a_server() -> None:
    # 4 × 300 tokens are 1,200, in steps of 256 1,280; 5 slots of their own have 512 each.
    model = pysim.load_model("llama-3.1-8b")
    assert taken_mib(model, 300, sequences=4) == 1_280 / 8
    assert taken_mib(model, 300, sequences=5) == 5 * 512 / 8
    assert taken_mib(model, 300, EngineSettings(unified=True, slots=8), sequences=5) == 1_536 / 8


def test_states_are_kept_for_each_slot_with_inputs_of_convolutions_in_32_bits() -> None:
    # Qwen3-Next: 36 layers of 32 heads of 128 × 128 numbers, and 3 inputs of 8,192 channels.
    model = read_config(QWEN3_NEXT)
    state = 36 * (32 * 128 * 128 + 3 * 8_192) * 4
    rows = 12 * 2 * 2 * 256 * 2 * 8_192
    assert taken_mib(model, 8_192, ALONE) == (rows + state) / MIB
    assert taken_mib(model, 8_192) == (rows + 4 * state) / MIB


def test_a_27b_hybrid_keeps_3268608_bytes_in_each_linear_layer() -> None:
    # llama.cpp prints 748.125 MiB for 48 layers kept five times, 512 MiB of cache at 8,192 tokens.
    model = read_config(QWEN3_5_27B)
    assert taken_mib(model, 8_192, EngineSettings(slots=5, unified=True)) == 512 + 748.125


def test_arrays_take_the_cells_that_single_numbers_take() -> None:
    for key in ("gemma-3-12b", "llama-3.1-8b"):
        (place,) = places(pysim.Deployment(pysim.load_model(key), CARD, engine="llama.cpp"))
        tokens, sequences = np.array([[0], [1], [255], [4_097], [50_000]]), np.array([1, 4, 5, 40])
        table = place.cache_bytes(tokens, sequences)
        assert isinstance(table, np.ndarray)
        for i, n in enumerate((0, 1, 255, 4_097, 50_000)):
            for j, s in enumerate((1, 4, 5, 40)):
                assert table[i, j] == place.cache_bytes(n, s)


def test_more_conversations_never_take_less() -> None:
    for key in ("gemma-3-27b", "gpt-oss-20b", "llama-3.1-8b"):
        (place,) = places(pysim.Deployment(pysim.load_model(key), CARD, engine="llama.cpp"))
        for tokens in (1, 200, 900, 3_000, 100_000):
            sizes = [float(place.cache_bytes(tokens, several)) for several in range(1, 12)]
            assert sizes == sorted(sizes)


@pytest.mark.parametrize("change", [{"slots": 0}, {"slots": True}, {"pass_tokens": -1}, {"slots": 10**9}])
def test_impossible_settings_are_refused(change: dict[str, int]) -> None:
    with pytest.raises(BadValue, match=next(iter(change))):
        EngineSettings(**change)  # type: ignore[arg-type]
