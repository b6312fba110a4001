"""Does every change that is offered make the model fit, and is it the mildest of its kind?"""

from dataclasses import replace

import pytest

import pysim
from pysim.deployment import Deployment
from pysim.formats.common import READY_MADE_WEIGHTS
from pysim.memory.ways_to_fit import Load, ways_to_fit
from tests.pysim.sample_memory import FREE

GIB = 2**30
LLAMA_70B = pysim.load_model("llama-3.1-70b")
LLAMA_8B = pysim.load_model("llama-3.1-8b")
CARD = pysim.load_device("rtx-4090")


def test_what_fits_needs_no_change() -> None:
    load = Load(on=Deployment(LLAMA_8B, CARD))
    # 23.52 GiB − 16,060,522,496 B − 0.76 GB − 8,192 × 131,072 B
    assert load.free_bytes == pytest.approx(FREE - GIB, abs=1)
    assert ways_to_fit(load) == ()


def test_a_70b_fits_two_cards_of_24_gb_in_four_bits() -> None:
    ways = {way.changes: way.after for way in ways_to_fit(Load(on=Deployment(LLAMA_70B, CARD, n_devices=2)))}
    assert ways["weights",].on.weight_format == "q4_k_m"
    # 70,553,706,496 parameters × 2 B + 8,192 × 327,680 B = 143.8 GB, on 6 cards 24.0 GB and 0.76 GB of 25.25.
    assert ways["devices",].on.n_devices == 6


def test_on_one_card_a_70b_needs_smaller_weights_and_a_second_card() -> None:
    changes = {way.changes: way.after for way in ways_to_fit(Load(on=Deployment(LLAMA_70B, CARD)))}
    assert changes["weights", "devices"].on.weight_format == "q4_k_m"
    assert changes["weights", "devices"].on.n_devices == 2


def test_a_long_context_is_cut_to_what_the_memory_holds_or_stored_in_fewer_bits() -> None:
    load = Load(on=Deployment(LLAMA_8B, CARD), context_tokens=131_072)
    ways = {way.changes: way.after for way in ways_to_fit(load)}
    # (23.52 GiB − 16,060,522,496 B − 0.76 GB) ÷ 131,072 B = 64,315.8…
    assert ways["context_tokens",].context_tokens == 64_315
    # A cache of 131,072 tokens takes 16 GiB in 16 bits, 8.5 GiB in Q8_0 (34 bytes for 32 numbers), 4.5 GiB in Q4_0:
    # 7.85 GiB are free.
    assert ways["kv",].on.kv_format == "q4_0"


def test_several_conversations_may_be_fewer() -> None:
    load = Load(on=Deployment(LLAMA_8B, CARD), batch=20)
    ways = {way.changes: way.after for way in ways_to_fit(load)}
    # 7.85 GiB are free, each takes 1 GiB.
    assert ways["conversations",].batch == 7


@pytest.mark.parametrize("model", ["llama-3.1-405b", "deepseek-v3", "gemma-3-27b", "qwen3-30b-a3b"])
@pytest.mark.parametrize("device", ["rtx-3060", "rtx-4090", "h100-sxm"])
@pytest.mark.parametrize("split", ["tensor", "layers"])
def test_every_way_fits_and_a_milder_weight_format_does_not(model: str, device: str, split: str) -> None:
    load = Load(on=Deployment(pysim.load_model(model), pysim.load_device(device), split=split), context_tokens=20_000)
    for way in ways_to_fit(load):
        assert way.after.free_bytes >= 0
        if way.changes == ("weights",):
            milder = READY_MADE_WEIGHTS[: READY_MADE_WEIGHTS.index(way.after.on.weight_format)]
            assert all(replace(load, on=replace(load.on, weight_format=name)).free_bytes < 0 for name in milder)
