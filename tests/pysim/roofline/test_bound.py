"""Is what bounds a pass one answer: the side of the datasheet's ridge, whatever engine runs it?"""

import pytest

from pysim import Deployment, device_keys, diagnose, load_device, load_model
from pysim.engines.load import engine_keys

LLAMA = load_model("llama-3.1-8b")
KNOWN = [device for device in map(load_device, device_keys()) if device.peak_flop_per_s]


@pytest.mark.parametrize("weights", ["f16", "q8_0", "q4_k_m"])
def test_decode_of_one_conversation_is_never_compute_bound_on_any_device(weights: str) -> None:
    for device in KNOWN:
        on = Deployment(LLAMA, device, weight_format=weights)
        best = on.estimate(prompt_tokens=512, output_tokens=128, speed="datasheet")
        assert best.decode_bound == on.pass_cost(1, 576, speed="datasheet").bound == "memory", device.key
        typical = on.pass_cost(1, 576)
        # On the fastest devices a small model's pass is shorter than what launching it costs.
        besides = typical.overhead_s > max(typical.memory_s, typical.compute_s)
        assert typical.bound == ("overhead" if besides else "memory"), device.key
        assert on.estimate(prompt_tokens=512, output_tokens=128).decode_bound == typical.bound, device.key


def test_on_most_devices_the_memory_decides_at_typical_speed_too() -> None:
    bounds = [Deployment(LLAMA, device).pass_cost(1, 576).bound for device in KNOWN]
    assert bounds.count("memory") >= 0.95 * len(KNOWN)


def test_an_apple_under_llama_cpp_is_memory_bound_as_the_doctor_says() -> None:
    on = Deployment(LLAMA, load_device("apple-m1-max-32c"), weight_format="q4_k_m", engine="llama.cpp")
    cost = on.pass_cost(1, 512)
    # The fitted kernel takes longer than the reading; the datasheet's arithmetic takes a small part of it.
    assert cost.compute_s > cost.memory_s
    assert cost.bound == "memory"


@pytest.mark.parametrize("engine", engine_keys())
def test_no_engine_moves_the_ridge(engine: str) -> None:
    on = Deployment(LLAMA, load_device("h100-sxm"), engine=engine)
    ridge = on.ridge_tokens()
    assert ridge is not None
    for tokens, side in ((0.9 * ridge, "memory"), (1.1 * ridge, "compute")):
        cost = on.pass_cost(tokens, 0)
        assert cost.bound in (side, "overhead")
        assert cost.bound == side or cost.overhead_s > max(cost.memory_s, cost.compute_s)


def test_what_a_pass_costs_besides_can_bound_it() -> None:
    tiny = Deployment(load_model("smollm2-135m"), load_device("h100-sxm"), engine="hf transformers")
    cost = tiny.pass_cost(1, 100)
    assert cost.overhead_s > max(cost.memory_s, cost.compute_s)
    assert cost.bound == "overhead"


def test_shares_of_peak_and_bandwidth_are_below_one_and_full_at_the_datasheets_speed() -> None:
    on = Deployment(LLAMA, load_device("rtx-4090"))
    best, typical = on.pass_cost(1, 1_000, speed="datasheet"), on.pass_cost(1, 1_000)
    assert best.mbu == pytest.approx(1)
    assert best.mfu == pytest.approx(best.arithmetic_intensity_flop_per_byte / best.ridge_flop_per_byte)
    assert 0 < typical.mbu < 1
    assert typical.moved_bytes == typical.weights_read_bytes + typical.kv_read_bytes + typical.kv_written_bytes


def test_the_doctor_says_the_same() -> None:
    head = "| model | size | params | backend | ngl | test | t/s |\n|---|---|---|---|---|---|---|\n"
    row = "| llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | Metal | 99 | tg128 | 34.00 ± 0.10 |"
    (case,) = diagnose(head + row, device="apple-m1-max-32c").cases
    assert case.decode is not None
    assert case.decode.side == "memory"
