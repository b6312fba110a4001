"""Do models of every kind on devices of every kind give plausible numbers, or say that they do not fit?"""

import math
from itertools import product

import pytest

from pysim import device_keys, load_device, load_model, model_keys, weights_bytes
from pysim.deployment import Deployment
from pysim.formats.names import weight_formats
from pysim.requests.request_estimate import estimate

# Far beyond anything that was ever measured: a Raspberry Pi with a 671B model would need days for the
# prompt, and nothing writes a million tokens a second for one reader.
SLOWEST_S, FASTEST_S = 1e6, 1e-6
FORMATS = ("f16", "fp8", "q4_k_m", "mxfp4")
DEVICES = ("h100-sxm", "b200", "rtx-4090", "mi300x", "apple-m2-ultra-76c", "strix-halo", "raspberry-pi-5")
# One of each kind: dense, windows, few experts and many, latent attention, an index, state beside attention, tables.
MODELS = (
    "llama-3.1-8b", "gemma-3-4b", "mixtral-8x7b-v0.1", "gpt-oss-20b", "deepseek-v3", "deepseek-v3.2",
    "qwen3.5-35b-a3b", "nemotron-3-nano-30b", "falcon-h1-7b", "lfm2-1.2b", "gemma-4-e4b",
)  # fmt: skip


@pytest.mark.parametrize("model", model_keys())
def test_every_model_is_plausible_on_devices_of_every_kind(model: str) -> None:
    for device, weights in product(DEVICES, FORMATS):
        for engine in (None, "typical"):
            check(model, device, weights, engine)


@pytest.mark.parametrize("device", device_keys())
def test_models_of_every_kind_are_plausible_on_every_device(device: str) -> None:
    for model, weights in product(MODELS, FORMATS):
        for engine in (None, "typical"):
            check(model, device, weights, engine)


@pytest.mark.parametrize("model", MODELS)
def test_models_of_every_kind_are_plausible_in_every_format(model: str) -> None:
    for device, weights in product(DEVICES, weight_formats()):
        for engine in (None, "typical"):
            check(model, device, weights, engine)


def check(model: str, key: str, weights: str, engine: str | None) -> None:
    which, device = load_model(model), load_device(key)
    where = f"{model} {weights} on {key}, {engine}"
    found = estimate(
        Deployment(which, device, weight_format=weights, engine=engine),
        prompt_tokens=512,
        output_tokens=64,
        speed="datasheet" if engine is None else "typical",
    )
    assert found.tpot_s is not None, where
    for value in (found.ttft_s, found.tpot_s):
        assert math.isfinite(value), where
        assert FASTEST_S < value < SLOWEST_S, where
    assert 0 < found.mbu <= 1 + 1e-9, where
    # Against a peak that accumulates in 32 bits, kernels that accumulate in 16 reach up to twice as much.
    assert 0 < found.mfu <= 2, where
    assert found.weights_bytes == weights_bytes(which, weights), where
    if device.memory_bytes is None:
        assert found.fits is None, where
    else:
        # What a program can use of the memory, and the engine's own, come off.
        (room,) = Deployment(which, device, weight_format=weights, engine=engine).memory(575).per_device
        free = (room.memory_bytes or 0) - room.weights_bytes - room.cache_bytes - room.working.total_bytes
        assert found.fits is bool(free >= 0), where
        assert found.fits is False or found.weights_bytes + found.kv_bytes <= device.memory_bytes, where
    if engine is None:
        assert found.band is None, where
    else:
        assert found.band is not None, where
        assert all(low <= getattr(found, name) <= high for name, (low, high) in found.band.items()), where
