"""Is there one time to the first token, whoever asks, and do only devices that hold layers shorten it?"""

import dataclasses

import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.requests.passes import generation

MODEL, DEVICE, HOST = load_model("llama-3.1-8b"), load_device("rtx-4090"), load_device("ryzen-7950x")


@pytest.mark.parametrize("speed", ["typical", "datasheet"])
@pytest.mark.parametrize("hosted", [0, 16])
def test_estimate_stream_and_timeline_agree_in_a_layer_split(speed: str, hosted: int) -> None:
    on = Deployment(MODEL, DEVICE, n_devices=2, split="layers", layers_on_host=hosted, host=HOST)
    run = on.estimate(prompt_tokens=4000, output_tokens=30, speed=speed)
    answer = on.stream(prompt_tokens=4000, output_tokens=30, speed=speed)
    *_, last = passes = list(on.timeline(generation(prompt_tokens=4000, output_tokens=30), speed=speed))
    assert answer.ttft_s == run.ttft_s
    assert passes[0].end_s == pytest.approx(run.ttft_s, rel=1e-12)
    assert answer.end_s == pytest.approx(run.total_s, rel=1e-9)
    assert last.end_s == pytest.approx(run.total_s, rel=1e-6)


def test_the_chunks_of_a_timeline_take_together_what_estimate_says() -> None:
    on = Deployment(MODEL, DEVICE, n_devices=4, split="layers")
    run = on.estimate(prompt_tokens=3000, output_tokens=1, chunk_tokens=1000)
    passes = list(on.timeline(generation(prompt_tokens=3000, output_tokens=1, chunk_tokens=1000)))
    assert len(passes) == 3
    assert passes[-1].end_s == pytest.approx(run.ttft_s, rel=1e-9)


@pytest.mark.parametrize(("n_devices", "busy"), [(32, 32), (33, 32), (1000, 32), (8, 8)])
def test_only_devices_that_hold_layers_shorten_prefill(n_devices: int, busy: int) -> None:
    one = Deployment(MODEL, DEVICE).estimate(prompt_tokens=5120, output_tokens=0, speed="datasheet").ttft_s
    split = Deployment(MODEL, DEVICE, n_devices=n_devices, split="layers")
    # 10 pieces of 512 tokens through `busy` devices in line: 10 + busy - 1 turns against 10 × busy.
    expected = one * (10 + busy - 1) / (10 * busy)
    assert split.estimate(prompt_tokens=5120, output_tokens=0, speed="datasheet").ttft_s == pytest.approx(expected)


def test_a_hosts_layers_are_not_shortened_by_the_cards() -> None:
    def ttft_s(n_devices: int, hosted: int, host_only: bool = False) -> float:
        device = HOST if host_only else DEVICE
        on = Deployment(MODEL, device, n_devices=n_devices, split="layers", layers_on_host=hosted, host=HOST)
        return on.estimate(prompt_tokens=5120, output_tokens=0, speed="datasheet").ttft_s

    # All 32 layers on the host: any number of cards changes nothing.
    assert ttft_s(8, 32) == ttft_s(1, 32) == pytest.approx(ttft_s(1, 0, host_only=True))
    # Half of them: the host's half takes its time, of the card's half two cards need 10 + 2 - 1 turns of 10 × 2.
    hosts_half, cards_half = ttft_s(1, 32) / 2, ttft_s(1, 0) / 2
    assert ttft_s(2, 16) == pytest.approx(hosts_half + cards_half * 11 / 20)


def test_a_thousandth_device_is_no_faster_than_the_layers_last() -> None:
    on = Deployment(MODEL, DEVICE, n_devices=30, split="layers", layers_on_host=2, host=HOST)
    more = dataclasses.replace(on, n_devices=1000)
    assert more.estimate(prompt_tokens=900, output_tokens=9).ttft_s == (
        on.estimate(prompt_tokens=900, output_tokens=9).ttft_s
    )
