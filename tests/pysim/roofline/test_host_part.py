"""Does what moves to the host leave the device, and does a token pay for it?"""

from dataclasses import replace

import pytest

import pysim
from pysim.memory.weights import weights_on
from pysim.roofline.host_part import host_part, least_on_host

HOST = pysim.load_device("ryzen-9950x")


def on_card(model: str, device: str) -> pysim.Deployment:
    return pysim.Deployment(pysim.load_model(model), pysim.load_device(device), weight_format="q4_k_m", host=HOST)


def test_no_layer_moved_is_the_deployment_without_a_host() -> None:
    on = on_card("qwen3-32b", "rtx-4090")
    alone = replace(on, host=None)
    part = host_part(on, 0, 8_192)
    assert part.host_bytes == 0
    assert part.token_s == alone.pass_cost(1, 8_192).time_s
    assert part.device_free_bytes == alone.memory(8_192).free_bytes


def test_moved_layers_take_their_cache_along() -> None:
    # Qwen3 32B: 64 layers × 2 × 8 heads × 128 × 2 B = 262,144 B a token, a quarter of it with 16 layers.
    on = on_card("qwen3-32b", "rtx-4090")
    part, whole = host_part(on, 16, 8_192), host_part(on, 0, 8_192)
    assert whole.device_cache_bytes - part.device_cache_bytes == 262_144 * 8_192 / 4


def test_experts_leave_the_cache_where_it_is_and_take_only_their_bytes() -> None:
    # Qwen3 30B A3B has experts in each of its 48 layers; 12 of them hold a quarter of the experts.
    on = on_card("qwen3-30b-a3b", "rtx-3060-12gb")
    part, whole = host_part(on, 12, 8_192, experts_only=True), host_part(on, 0, 8_192, experts_only=True)
    assert part.device_cache_bytes == whole.device_cache_bytes
    assert part.host_bytes == pytest.approx(weights_on(on).experts_bytes / 4)
    assert whole.device_weights_bytes - part.device_weights_bytes == pytest.approx(part.host_bytes)


def test_a_token_waits_longer_for_each_layer_in_main_memory() -> None:
    on = on_card("qwen3-30b-a3b", "rtx-3060-12gb")
    for experts_only in (False, True):
        times = [host_part(on, layers, 8_192, experts_only=experts_only).token_s for layers in range(0, 49, 8)]
        assert times == sorted(set(times))


def test_the_moved_part_takes_at_least_what_its_bytes_take_at_the_host_s_bandwidth() -> None:
    on = on_card("qwen3-32b", "rtx-4090")
    part = host_part(on, 32, 1)
    layers_bytes = weights_on(on).layers_bytes * 32 / 64
    assert part.token_s > layers_bytes / HOST.memory_bandwidth_bytes_per_s


def test_the_fewest_layers_fit_and_one_less_does_not() -> None:
    on = on_card("llama-3.1-70b", "rtx-4090")
    needed = least_on_host(on, 8_192)
    assert needed is not None
    assert (host_part(on, needed, 8_192).device_free_bytes or -1) >= 0
    assert (host_part(on, needed - 1, 8_192).device_free_bytes or 0) < 0


def test_what_fits_moves_nothing() -> None:
    assert least_on_host(on_card("llama-3.1-8b", "rtx-4090"), 8_192) == 0


def test_experts_that_are_too_few_to_help_say_so() -> None:
    # Its cache of 131,072 tokens × 48 layers × 2 × 4 heads × 128 × 2 B is 12.9 GB; the card has 12 GiB at most.
    assert least_on_host(on_card("qwen3-30b-a3b", "rtx-3060-12gb"), 131_072, experts_only=True) is None


def test_without_a_host_it_says_what_is_missing() -> None:
    with pytest.raises(pysim.BadValue, match="with a host"):
        host_part(replace(on_card("llama-3.1-8b", "rtx-4090"), host=None), 1, 1)


def test_more_layers_than_there_are_experts_in_are_refused() -> None:
    with pytest.raises(pysim.BadValue, match="layers"):
        host_part(on_card("llama-3.1-8b", "rtx-4090"), 1, 1, experts_only=True)
