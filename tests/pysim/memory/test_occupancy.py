"""Is memory filled with what is really stored?"""

from dataclasses import replace

import pysim
from pysim.deployment import Deployment
from pysim.memory.occupancy import USABLE_SHARE, occupancy

MODEL = pysim.load_model("llama-3.1-8b")
DEVICE = pysim.load_device("rtx-4090")
GIB = 2**30


def test_a_llama_8b_at_8192_tokens_leaves_8_gib_of_24() -> None:
    # 24 GiB − 8,030,261,248 × 2 B − 8,192 × 131,072 B (1 GiB)
    found = occupancy(Deployment(MODEL, DEVICE), 8_192)
    assert found.per_device[0].cache_bytes == 1 * GIB
    assert found.free_bytes == 24 * GIB - 16_060_522_496 - 1 * GIB
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
    assert (found.free_bytes, found.fits, found.fullest, found.fits_in(USABLE_SHARE)) == (None, None, None, None)


def test_a_reserve_is_kept_free_on_every_device_not_on_all_of_them_together() -> None:
    # Of 32 layers of 218,112,000 parameters the first of three devices holds 11 and the table of 128,256 x 4,096:
    # 5.85 of 6 GB. 93% of 6 GB are 5.58 GB, three times that are 16.74 GB, all weights are 16.06 GB.
    three = Deployment(MODEL, replace(DEVICE, memory_bytes=6e9), n_devices=3, split="layers")
    memories = occupancy(three, 0)
    first = (11 * 218_112_000 + 128_256 * 4_096) * 2
    assert memories.fullest == memories.per_device[0]
    assert memories.per_device[0].weights_bytes == first
    assert sum(memory.weights_bytes for memory in memories.per_device) < USABLE_SHARE * 18e9
    assert memories.fits_in(1.0) is memories.fits is True
    assert memories.fits_in(USABLE_SHARE) is False
    assert memories.fits_in(first / 6e9 + 1e-9) is True
