"""Does every part of pysim give the same answer to whether a deployment fits? Over 20,000 seeded settings."""

import random
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from pysim import Deployment, device_keys, load_device, load_model, model_keys
from pysim.memory.placement import places
from pysim.memory.ways_to_fit import Load
from pysim.requests.request_estimate import estimate

SETTINGS = 20_000
FORMATS = ("f16", "fp8", "q8_0", "q4_k_m")
MODELS = [load_model(key) for key in model_keys()]
# Settings are interesting where memory is known and a peak is, so that an estimate can be made.
DEVICES = [device for device in map(load_device, device_keys()) if device.memory_bytes and device.peak_flop_per_s]


def some_deployment(chance: random.Random) -> Deployment:
    model, device = chance.choice(MODELS), chance.choice(DEVICES)
    on_host = chance.randrange(1, model.num_hidden_layers + 1) if chance.random() < 0.2 else 0
    return Deployment(
        model,
        device,
        n_devices=chance.choice((1, 1, 2, 3, 4, 8, 16)),
        split=chance.choice(("tensor", "layers")),
        weight_format=chance.choice(FORMATS),
        kv_format=chance.choice(("f16", "q8_0")),
        layers_on_host=on_host,
        host=chance.choice(DEVICES) if on_host else None,
    )


def test_no_two_answers_disagree() -> None:
    chance = random.Random(9)
    fitting = 0
    for _ in range(SETTINGS):
        on = some_deployment(chance)
        # As many tokens as have room on average, and about twice as few and as many: where answers could part.
        tokens, batch = max(1, round(2 ** chance.uniform(0, 20))), chance.choice((1, 1, 4, 37))
        room = on.memory(tokens, batch)
        assert room.free_bytes is not None
        load = Load(on=on, context_tokens=tokens, batch=batch)
        run = estimate(on, prompt_tokens=tokens, output_tokens=1, batch=batch, speed="datasheet")
        held = all(memory.free_bytes is not None and memory.free_bytes >= 0 for memory in room.per_device)
        assert run.fits == room.fits == held == (load.free_bytes >= 0), on
        fitting += bool(run.fits)
    assert 0.2 * SETTINGS < fitting < 0.8 * SETTINGS  # both answers are common, so that the test can fail


def test_the_longest_context_and_the_largest_batch_are_where_the_answer_turns() -> None:
    chance = random.Random(10)
    for _ in range(1_500):
        on = some_deployment(chance)
        batch, tokens = chance.choice((1, 3, 16)), chance.choice((1, 900, 8_192, 100_000))
        longest, most = on.max_context_tokens(batch), on.max_batch(tokens)
        ends = not on.memory(10**12, batch).fits  # windows may bound a cache that fits
        assert not longest or on.memory(longest, batch).fits, on
        assert not ends or not on.memory(longest + 1, batch).fits, on
        assert not most or on.memory(tokens, most).fits, on
        assert not on.memory(tokens, most + 1).fits, on


def test_arrays_answer_as_single_numbers_do() -> None:
    chance = random.Random(11)
    contexts = 2 ** np.arange(21)
    for on in islice(iter(lambda: some_deployment(chance), None), 100):
        table = on.estimate_many(prompt_tokens=contexts, output_tokens=1, speed="datasheet").fits
        assert table is not None
        assert table.tolist() == [on.memory(int(tokens)).fits for tokens in contexts], on


def test_what_the_devices_hold_is_the_whole_model() -> None:
    chance = random.Random(12)
    for _ in range(2_000):
        on = some_deployment(chance)
        held = sum(place.weights_bytes for place in places(on))
        assert held == pytest.approx(on.estimate(prompt_tokens=1, output_tokens=1, speed="datasheet").weights_bytes)


def test_qwen_32b_in_layers_on_eight_rtx_3060_is_1_8_gb_too_much_at_131072_tokens() -> None:
    on = Deployment(load_model("qwen2.5-32b"), load_device("rtx-3060"), n_devices=8, split="layers")
    # 64 layers, 8 on each device; 5,120 wide, 40 heads of 128, 8 of them for keys and values, 27,648 in between:
    attention = 2 * 5_120 * 5_120 + 2 * 5_120 * 1_024 + (5_120 + 2 * 1_024)  # with biases of q, k and v
    layer = attention + 3 * 5_120 * 27_648 + 2 * 5_120
    table = 152_064 * 5_120  # the last device has the head, and the last norm
    cache = 8 * 2 * 8 * 128 * 2 * 131_072
    needed = 2 * (8 * layer + table + 5_120) + cache
    # Scores of 512 tokens in 32 bits, 8 MiB, 470 MiB of the process; 12 GiB are 11.76 (usable).
    needed += 512 * 152_064 * 4 + 478 * 2**20
    short = needed - (on.device.usable_memory_bytes or 0)
    assert short == pytest.approx(1.839e9, rel=0.001)
    room = on.memory(131_072)
    assert room.fits is False
    assert room.free_bytes == pytest.approx(-short, abs=1)
    assert on.estimate(prompt_tokens=131_072, output_tokens=1).fits is False
    assert on.max_context_tokens() < 131_072
    assert replace(on, n_devices=12).memory(131_072).fits
