"""Does the band grow with the distance from what was measured, and say why?"""

from __future__ import annotations

import math

from pysim.deployed import Deployed
from pysim.load import load_device, load_model
from pysim.requests.request_estimate import Estimate, estimate


def run(model: str = "llama-3.1-8b", device: str = "rtx-4090", engine: str = "llama.cpp", depth: int = 512) -> Estimate:
    on = Deployed(load_model(model), load_device(device), weight_format="q4_k_m", engine=engine)
    return estimate(on, prompt_tokens=512, output_tokens=128, prompt_depth=depth)


def width(of: Estimate) -> float:
    assert of.band is not None
    low, high = of.band["tpot_s"]
    return math.log(high / low)


def test_a_run_like_those_measured_needs_no_note() -> None:
    assert (run().basis, run().reasons, run().range_note) == ("measured", (), "")


def test_a_context_beyond_all_measured_ones_widens_the_band_and_is_named() -> None:
    far = run(depth=3_000_000)
    assert width(far) > width(run())
    assert any("no measurement beyond" in reason for reason in far.reasons)
    assert "no measurement beyond" in far.range_note


def test_an_engine_never_measured_there_widens_the_band_and_is_named() -> None:
    strange = run(engine="openvino-genai")
    assert width(strange) > width(run())
    assert any("no measurement under" in reason for reason in strange.reasons)


def test_the_published_speeds_of_the_three_causes_lie_in_the_band() -> None:
    # Hardware Corner, 16K context: Qwen3 8B Q4_K_XL on an RTX 4090, 104 tokens/s. llama.cpp on an M4 Pro with 20 GPU
    # cores: Llama 3.1 8B Q4_K_M, 47.2 tokens/s, bound by memory (85% of the bandwidth).
    deep = run("qwen3-8b", depth=16_384 - 512)
    assert deep.band is not None
    assert deep.band["decode_tokens_per_s"][0] <= 104 <= deep.band["decode_tokens_per_s"][1]
    mac = run(device="apple-m4-pro-20c", depth=0)
    assert mac.band is not None
    assert mac.band["decode_tokens_per_s"][0] <= 47.2 <= mac.band["decode_tokens_per_s"][1]
    assert mac.decode_bound == "memory"
