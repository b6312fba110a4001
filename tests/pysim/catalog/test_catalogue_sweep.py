"""Does every model on every device in every format give plausible numbers, or say that it does not fit?"""

import math

import pytest

from pysim import device_keys, load_device, load_model, model_keys, weights_bytes
from pysim.deployment import Deployment
from pysim.formats.names import weight_formats
from pysim.requests.request_estimate import estimate

# Far beyond anything that was ever measured: a Raspberry Pi with a 671B model would need days for the
# prompt, and nothing writes a million tokens a second for one reader.
SLOWEST_S, FASTEST_S = 1e6, 1e-6
ON_ALL_DEVICES = ("f16", "fp8", "q4_k_m", "mxfp4")
WITH_ALL_FORMATS = ("h100-sxm", "b200", "rtx-4090", "mi300x", "apple-m2-ultra-76c", "strix-halo", "raspberry-pi-5")
SETTINGS = [
    *((device, weights) for device in device_keys() for weights in ON_ALL_DEVICES),
    *((device, weights) for device in WITH_ALL_FORMATS for weights in weight_formats()),
]


@pytest.mark.parametrize("model", model_keys())
def test_a_model_is_plausible_everywhere(model: str) -> None:
    for device, weights in SETTINGS:
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
        assert found.fits is bool(found.weights_bytes + found.kv_bytes <= device.memory_bytes), where
    if engine is None:
        assert found.band is None, where
    else:
        assert found.band is not None, where
        assert all(low <= getattr(found, name) <= high for name, (low, high) in found.band.items()), where
