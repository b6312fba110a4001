"""Is memory filled with what is really stored?"""

from dataclasses import replace

import pytest

import pysim
from pysim.deployment import Deployment
from pysim.memory.occupancy import occupancy
from tests.pysim.sample_memory import FREE, WORKING

MODEL = pysim.load_model("llama-3.1-8b")
DEVICE = pysim.load_device("rtx-4090")
GIB = 2**30


def test_a_llama_8b_at_8192_tokens_leaves_7_gib_of_24() -> None:
    # 23.52 GiB − 8,030,261,248 × 2 B − 0.76 GB − 8,192 × 131,072 B (1 GiB)
    found = occupancy(Deployment(MODEL, DEVICE), 8_192)
    assert found.per_device[0].cache_bytes == 1 * GIB
    assert found.free_bytes == pytest.approx(FREE - 1 * GIB, abs=1)
    assert found.per_device[0].working.total_bytes == WORKING
    assert found.fits


def test_a_reserve_takes_its_full_length_however_short_the_conversation() -> None:
    found = occupancy(Deployment(MODEL, DEVICE), 100, reserved_tokens=131_072)
    (only,) = found.per_device
    assert only.taken_bytes == only.reserved_bytes == 16 * GIB
    assert found.free_bytes is not None
    assert found.free_bytes < 0
    assert found.fits is False


def test_without_a_known_memory_nothing_is_said_about_fitting() -> None:
    unknown = next(d for d in map(pysim.load_device, pysim.device_keys()) if d.memory_bytes is None)
    found = occupancy(Deployment(MODEL, unknown), 100)
    assert (found.free_bytes, found.fits, found.fullest) == (None, None, None)


def test_room_is_asked_of_every_device_not_of_all_of_them_together() -> None:
    # Of 32 layers of 218,112,000 parameters the first of three devices holds 11 and the table of 128,256 x 4,096,
    # 5.85 GB, and 0.57 GB more: with 6.3 GB that is too much, though all three have 18.9 for 16.06 and 1.9.
    three = Deployment(MODEL, replace(DEVICE, memory_bytes=6.3e9, usable_share=1.0), n_devices=3, split="layers")
    memories = occupancy(three, 0)
    first = (11 * 218_112_000 + 128_256 * 4_096) * 2
    assert memories.fullest == memories.per_device[0]
    assert memories.per_device[0].weights_bytes == first
    assert sum(memory.weights_bytes + memory.working.total_bytes for memory in memories.per_device) < 3 * 6.3e9
    assert memories.fits is False
    assert occupancy(replace(three, device=replace(DEVICE, memory_bytes=6.5e9, usable_share=1.0)), 0).fits is True


def test_the_part_with_the_head_needs_the_scores_and_the_others_the_widest_layer() -> None:
    # Four hidden rows of 4,096 and two inner ones of 14,336 for each of 512 tokens, in 32 bits, and 8 MiB.
    first, last = occupancy(Deployment(MODEL, DEVICE, n_devices=2, split="layers"), 0).per_device
    assert first.working.buffers_bytes == 512 * 4 * (4 * 4_096 + 2 * 14_336) + 8 * 2**20
    assert last.working.buffers_bytes == 512 * 4 * 128_256 + 8 * 2**20
    assert first.working.outside_bytes == last.working.outside_bytes == 470 * 2**20
