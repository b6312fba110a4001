"""Does one and the same decode pass take the same time in every demo that shows it, and at typical speed?"""

from __future__ import annotations

import pytest

import pysim
from demos.kit.declare.controls import Value
from demos.kit.host.registry import load

DEVICE, MODEL, WEIGHTS = "apple-m4-pro-20c", "llama-3.1-8b", "q4_k_m"
SAME: dict[str, Value] = {"device": DEVICE, "model": MODEL, "weights": WEIGHTS}


def scene_of(demo_id: str, **values: Value) -> object:
    demo = load(demo_id)
    checked = demo.check({name: [str(value)] for name, value in (SAME | values).items()})
    assert checked.problems == []
    return demo.module.scene(**checked.values)


def test_a_decode_pass_after_1000_tokens_takes_the_same_time_everywhere() -> None:
    on = pysim.Deployment(pysim.load_model(MODEL), pysim.load_device(DEVICE), weight_format=WEIGHTS)
    typical_s = on.pass_cost(1, 1000, speed="typical").time_s
    batching = scene_of("batching", conversations=1, context_tokens=1001)
    kv_memory = scene_of("kv-memory", context_tokens=1000)
    kv_cache = scene_of("kv-cache", prompt_tokens=999, output_tokens=3, cache="true")
    latency = scene_of("latency", prompt_tokens=1000, output_tokens=2)
    assert batching.pass_s == pytest.approx(typical_s)  # type: ignore[attr-defined]
    assert kv_memory.tpot_s == pytest.approx(typical_s)  # type: ignore[attr-defined]
    assert kv_cache.kept.pass_s[-1] == pytest.approx(typical_s, rel=1e-6)  # type: ignore[attr-defined]
    assert latency.run.tpot_s == pytest.approx(typical_s, rel=1e-3)  # type: ignore[attr-defined]
