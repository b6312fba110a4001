"""Does each of several devices hold what a tensor or a layer split puts there?"""

import math

import pytest

import pysim
from pysim.deployment import Deployment
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.placement import places

LLAMA = pysim.load_model("llama-3.1-8b")
CARD = pysim.load_device("rtx-4090")
WEIGHTS = 16_060_522_496  # 8,030,261,248 parameters × 2 bytes
TABLE = 128_256 * 4_096 * 2  # bytes of the input table, and of the head
TOKEN = 131_072  # 32 layers × 2 × 8 heads × 128 × 2 bytes


def test_one_device_holds_everything() -> None:
    (only,) = places(Deployment(LLAMA, CARD))
    assert only.weights_bytes == WEIGHTS
    assert only.cache_bytes(1_000, 3) == 3_000 * TOKEN


def test_a_tensor_split_divides_weights_and_heads_evenly() -> None:
    found = places(Deployment(LLAMA, CARD, n_devices=4))
    assert [each.weights_bytes for each in found] == [WEIGHTS / 4] * 4
    assert found[0].cache_bytes(1_000) == 1_000 * TOKEN / 4


def test_keys_and_values_are_divided_no_further_than_to_one_head() -> None:
    # 8 heads of keys and values on 16 devices: each keeps one head, so every head is kept twice.
    assert places(Deployment(LLAMA, CARD, n_devices=16))[0].cache_bytes(1_000) == 1_000 * TOKEN / 8


def test_latents_are_kept_whole_on_every_device() -> None:
    deepseek = pysim.load_model("deepseek-v3")
    whole = float(kv_cache_bytes(deepseek, 1_000))
    assert [
        each.cache_bytes(1_000) for each in places(Deployment(deepseek, CARD, weight_format="fp8", n_devices=8))
    ] == [whole] * 8


def test_a_layer_split_gives_the_first_devices_the_layers_that_are_over() -> None:
    # 32 layers on 3 devices: 11, 11, 10; the input table is on the first, head and last norm on the last.
    found = places(Deployment(LLAMA, CARD, n_devices=3, split="layers"))
    assert [each.layers for each in found] == [11, 11, 10]
    norm = 4_096 * 2
    layer = (WEIGHTS - 2 * TABLE - norm) / 32
    expected = [11 * layer + TABLE, 11 * layer, 10 * layer + TABLE + norm]
    assert [each.weights_bytes for each in found] == pytest.approx(expected)
    assert found[2].cache_bytes(1_000) == 1_000 * TOKEN * 10 / 32


@pytest.mark.parametrize("key", ["llama-3.1-8b", "gemma-3-27b", "gpt-oss-20b", "deepseek-v3"])
@pytest.mark.parametrize("n_devices", [1, 2, 3, 7])
def test_the_parts_of_a_layer_split_are_the_whole(key: str, n_devices: int) -> None:
    model = pysim.load_model(key)
    found = places(Deployment(model, CARD, weight_format="q8_0", kv_format="q8_0", n_devices=n_devices, split="layers"))
    assert math.fsum(each.weights_bytes for each in found) == pytest.approx(pysim.weights_bytes(model, "q8_0"))
    whole = float(kv_cache_bytes(model, 5_000, "q8_0", 2))
    assert math.fsum(each.cache_bytes(5_000, 2) for each in found) == pytest.approx(whole)


def test_an_unknown_split_is_named() -> None:
    with pytest.raises(pysim.BadValue, match='unknown split "rows"; allowed: tensor, layers'):
        Deployment(LLAMA, CARD, split="rows")
