"""Is the short way the same arithmetic as a pass of the roofline, for every plain model?"""

from __future__ import annotations

import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.serving.step_cost import StepCost

PLAIN = ("llama-3.1-8b", "llama-3.1-70b", "gpt-oss-20b", "qwen3-30b-a3b", "gemma-3-12b", "qwen3-32b")
OTHERS = ("deepseek-v3",)


@pytest.mark.parametrize("model", PLAIN)
@pytest.mark.parametrize(("device", "engine", "n_devices"), [("h100-sxm", "vLLM", 1), ("a100-80gb-sxm", "vLLM", 4)])
def test_a_step_is_a_pass(model: str, device: str, engine: str, n_devices: int) -> None:
    cost = StepCost(Deployment(load_model(model), load_device(device), engine=engine, n_devices=n_devices))
    assert cost._plain is not None
    for sequences, context, fed in (
        (1, 100.0, []), (64, 3000.0, []), (8, 700.0, [(512, 1000)]), (0, 0.0, [(4096, 0)]),
        (0, 0.0, [(300, 9000), (40, 0)]), (200, 1500.0, [(1, 5000), (7000, 200), (3, 0)]),
    ):  # fmt: skip
        long_way = cost._roofline_s(sequences, context, fed)
        assert cost._exact_s(sequences, context, fed) == pytest.approx(long_way, rel=1e-12)


@pytest.mark.parametrize("model", OTHERS)
def test_other_models_go_the_long_way(model: str) -> None:
    cost = StepCost(Deployment(load_model(model), load_device("h200-sxm"), engine="vLLM", n_devices=8))
    assert cost._plain is None
    assert cost.mixed_s(8, 8000.0, [(512, 0)]) > 0
