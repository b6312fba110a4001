"""How long may conversations be so that enough of them, decoded together, wait for the arithmetic?"""

from __future__ import annotations

import pytest

import pysim
from pysim.deployment import Deployment
from pysim.roofline.ridge import ridge_batch, ridge_reach_tokens


@pytest.mark.parametrize(
    ("device", "tokens"),
    [
        # Of a Llama 3.1 8B conversation of c tokens: 2 × 7.5e9 FLOP and 524,288·c of attention, against the
        # device's FLOP per byte × 131,072·c cache bytes. RTX 4090: 163.9 FLOP/B, H100: 295 FLOP/B.
        ("rtx-4090", 2 * 7.5e9 / (163.9 * 131_072 - 524_288)),
        ("h100-sxm", 2 * 7.5e9 / (295.2 * 131_072 - 524_288)),
    ],
)
def test_past_some_context_no_number_of_conversations_is_compute_bound(device: str, tokens: float) -> None:
    model, on = pysim.load_model("llama-3.1-8b"), pysim.load_device(device)
    reach = ridge_reach_tokens(Deployment(model, on))
    assert reach == pytest.approx(tokens, rel=0.01)
    assert reach is not None
    assert ridge_batch(Deployment(model, on), reach) is not None
    assert ridge_batch(Deployment(model, on), reach + 1) is None


def test_windows_in_every_layer_bound_the_reading_so_that_no_length_ends_it() -> None:
    """Mistral 7B v0.1 keeps 4,096 tokens at most; a device with little arithmetic per byte always gets there."""
    model, on = pysim.load_model("mistral-7b-v0.1"), pysim.load_device("raspberry-pi-5")
    assert ridge_reach_tokens(Deployment(model, on)) is None
