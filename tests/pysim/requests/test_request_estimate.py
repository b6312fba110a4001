"""Do the numbers of a request follow from its passes, and keep the rules that no machine can break?"""

import dataclasses
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pysim
from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.errors import BadValue, MissingFact
from pysim.models.parameters import parameters
from pysim.requests.passes import generation
from pysim.requests.request_estimate import Estimate, estimate, estimate_many
from pysim.roofline.cost_of_pass import pass_cost

MODELS = ("llama-3.1-8b", "gemma-3-4b", "gpt-oss-20b", "deepseek-v2-lite", "qwen3-30b-a3b", "smollm2-135m")
ENGINES = (None, "typical", "llama.cpp", "vLLM", "TGI")

models, engines = st.sampled_from(MODELS), st.sampled_from(ENGINES)


def some(found: object) -> float:
    assert isinstance(found, float)
    return found


@settings(deadline=None)
@given(
    model=models, engine=engines, prompt=st.integers(1, 900), output=st.integers(0, 60), depth=st.integers(0, 3000),
    chunk=st.none() | st.integers(40, 700), batch=st.integers(1, 40),
)  # fmt: skip
def test_a_requests_time_is_the_sum_of_its_passes(
    model: str, engine: str | None, prompt: int, output: int, depth: int, chunk: int | None, batch: int
) -> None:
    which, device = load_model(model), load_device("rtx-4090")
    found = estimate(
        Deployment(which, device, engine=engine),
        prompt_tokens=prompt,
        output_tokens=output,
        prompt_depth=depth,
        batch=batch,
        chunk_tokens=chunk,
        speed="datasheet" if engine is None else "typical",
    )
    prefill = decode = 0.0
    for each in generation(prompt_tokens=prompt, output_tokens=output, chunk_tokens=chunk):
        last = each.context_tokens + each.new_tokens == prompt
        cost = pass_cost(
            Deployment(which, device, engine=engine),
            each.new_tokens,
            depth + each.context_tokens,
            batch,
            logit_rows=1 if each.kind == "decode" or last else 0,
            speed="datasheet" if engine is None else "typical",
        )
        if each.kind == "prefill":
            prefill += float(cost.time_s)
        else:
            decode += float(cost.time_s)
    # A pass that crosses the end of a window, or where latent attention changes its way, is the only approximation.
    assert found.ttft_s == pytest.approx(prefill, rel=5e-3)
    assert found.total_s == pytest.approx(prefill + decode, rel=5e-3)


@pytest.mark.parametrize("device", ["rtx-4090", "h100-sxm", "apple-m2-ultra-76c"])
def test_one_token_costs_its_bytes_and_endless_ones_their_flop(device: str) -> None:
    model, on = load_model("llama-3.1-8b"), load_device(device)
    read = parameters(model).decode * 2
    one = pass_cost(Deployment(model, on), 1, 0, speed="datasheet")
    assert one.time_s == pytest.approx(read / on.memory_bandwidth_bytes_per_s, rel=1e-4)
    many = 10_000_000
    # 2 FLOP per weight and token, 4 per pair of tokens and attention element, 32 layers × 32 heads × 128.
    flop = 2 * parameters(model).decode * many + 4 * 32 * 32 * 128 * many * many / 2
    assert pass_cost(Deployment(model, on), many, 0, speed="datasheet").time_s == pytest.approx(
        flop / on.peak("fp16"), rel=1e-3
    )


def test_arrays_give_what_single_settings_give() -> None:
    model, device = load_model("gemma-3-4b"), load_device("rtx-4090")
    prompts, outputs, batch = np.array([1, 700, 30_000]), np.array([[0], [1], [500]]), np.array([[[1]], [[32]]])
    table = estimate_many(Deployment(model, device), prompt_tokens=prompts, output_tokens=outputs, batch=batch)
    for array in (table.total_s, table.fits, table.decode_bound):
        assert isinstance(array, np.ndarray)
        assert array.shape == (2, 3, 3)
    for at in np.ndindex(2, 3, 3):
        one = estimate(
            Deployment(model, device),
            prompt_tokens=int(prompts[at[2]]),
            output_tokens=int(outputs[at[1], 0]),
            batch=int(batch[at[0], 0, 0]),
        )
        for field in dataclasses.fields(Estimate):
            single, many = getattr(one, field.name), getattr(table, field.name, None)
            if single is None or many is None:
                continue
            if field.name == "band":
                for name, ends in single.items():
                    for end, ends_of_all in zip(ends, many[name], strict=True):
                        assert ends_of_all[at] == pytest.approx(end, rel=1e-9), name
            else:
                value = np.broadcast_to(many, (2, 3, 3))[at]
                assert value == (pytest.approx(single, rel=1e-9) if isinstance(single, float) else single), field.name
    assert np.isnan(np.asarray(table.tpot_s)[0, 1]).all()  # one answer token: no decode pass


def test_fields_that_no_array_changes_have_its_shape_too() -> None:
    found = estimate_many(
        Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090")),
        prompt_tokens=9,
        output_tokens=np.arange(5),
        speed="datasheet",
    )
    assert np.shape(found.ttft_s) == np.shape(found.prefill_bound) == (5,)
    assert found.weights_bytes == 2 * 8_030_261_248


def test_more_settings_than_a_block_are_joined_in_order() -> None:
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")
    prompts = np.arange(1, 40_001)
    found = estimate_many(Deployment(model, device), prompt_tokens=prompts, output_tokens=1, speed="datasheet")
    assert isinstance(found.ttft_s, np.ndarray)
    for place in (0, 16_383, 16_384, 39_999):
        one = estimate(Deployment(model, device), prompt_tokens=place + 1, output_tokens=1, speed="datasheet")
        assert found.ttft_s[place] == one.ttft_s


def test_an_answer_of_one_token_needs_no_decode_pass() -> None:
    found = estimate(
        Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090")),
        prompt_tokens=10,
        output_tokens=1,
        speed="datasheet",
    )
    assert found.total_s == found.ttft_s
    assert found.tpot_s is None
    assert found.decode_tokens_per_s is None
    assert found.decode_total_tokens_per_s is None
    assert found.decode_bound is None
    assert found.kv_bytes == 10 * 131_072


def test_tensor_split_shares_bytes_and_flop_and_layer_split_takes_turns() -> None:
    model, device = load_model("llama-3.1-8b"), load_device("h100-sxm")
    setting: dict[str, Any] = {"prompt_tokens": 4096, "output_tokens": 128, "speed": "datasheet"}
    one = estimate(Deployment(model, device), **setting)
    tensor = estimate(Deployment(model, device, n_devices=4), **setting)
    layers = estimate(Deployment(model, device, n_devices=4, split="layers"), **setting)
    assert tensor.ttft_s == pytest.approx(one.ttft_s / 4)
    assert some(tensor.tpot_s) == pytest.approx(some(one.tpot_s) / 4)
    assert some(layers.tpot_s) == some(one.tpot_s)
    # Eight pieces of 512 tokens through four devices: 8 + 4 - 1 turns against 8 × 4.
    assert layers.ttft_s == pytest.approx(one.ttft_s * (8 + 4 - 1) / (8 * 4))


def test_a_latent_cache_is_not_divided_by_a_tensor_split() -> None:
    model, device = load_model("deepseek-v3"), load_device("h200-sxm")
    one, eight = (
        pass_cost(
            Deployment(model, device, n_devices=n, weight_format="fp8"), 1, 100_000, 64, speed="datasheet"
        ).memory_s
        - pass_cost(Deployment(model, device, n_devices=n, weight_format="fp8"), 1, 0, 64, speed="datasheet").memory_s
        for n in (1, 8)
    )
    assert eight == pytest.approx(one)


@pytest.mark.parametrize(
    ("key", "n_devices", "split", "of_weights", "of_cache"),
    [
        ("deepseek-v2-lite", 4, "tensor", 1 / 4, 1),  # every device keeps all latents
        ("llama-3.1-8b", 4, "tensor", 1 / 4, 1 / 4),
        ("llama-3.1-8b", 16, "tensor", 1 / 16, 1 / 8),  # of 8 heads each device needs one
        # 32 layers on three devices: 11, 11 and 10. The input table is on the first: 128,256 × 4,096 parameters of
        # 8,030,261,248, of which the head and the last norm have 525,336,576 + 4,096 as well.
        (
            "llama-3.1-8b",
            3,
            "layers",
            (11 / 32 * (8_030_261_248 - 1_050_677_248) + 525_336_576) / 8_030_261_248,
            11 / 32,
        ),
    ],
)
def test_a_request_fits_where_the_fullest_device_holds_its_part(
    key: str, n_devices: int, split: str, of_weights: float, of_cache: float
) -> None:
    model, device = load_model(key), load_device("rtx-4090")
    where: dict[str, Any] = {"n_devices": n_devices, "split": split}
    needed = pysim.weights_bytes(model) * of_weights + pysim.kv_cache_bytes(model, 50_000) * of_cache
    needed += Deployment(model, device, **where).memory(0).per_device[0].working.total_bytes
    full = dataclasses.replace(device, usable_share=1.0)
    enough, lacking = (dataclasses.replace(full, memory_bytes=math.ceil(needed) + spare) for spare in (1, -2))
    assert estimate(Deployment(model, enough, **where), prompt_tokens=50_000, output_tokens=0).fits is True
    assert estimate(Deployment(model, lacking, **where), prompt_tokens=50_000, output_tokens=0).fits is False


def test_layers_on_the_host_run_at_the_hosts_pace() -> None:
    model, device, host = load_model("llama-3.1-8b"), load_device("rtx-4090"), load_device("ryzen-7950x")
    setting: dict[str, Any] = {"prompt_tokens": 1, "output_tokens": 2, "speed": "datasheet"}
    fast, slow = (estimate(Deployment(model, where), **setting) for where in (device, host))
    half = estimate(Deployment(model, device, layers_on_host=16, host=host), **setting)
    assert some(half.tpot_s) == pytest.approx((some(fast.tpot_s) + some(slow.tpot_s)) / 2)
    with pytest.raises(BadValue, match="host"):
        Deployment(model, device, layers_on_host=16)


def test_what_does_not_fit_is_said_and_computed_all_the_same() -> None:
    found = estimate(
        Deployment(load_model("llama-3.1-405b"), load_device("rtx-4090")),
        prompt_tokens=512,
        output_tokens=64,
        speed="datasheet",
    )
    assert found.fits is False
    assert math.isfinite(found.total_s)
    unknown = estimate(
        Deployment(load_model("llama-3.2-1b"), load_device("core-ultra-155h")),
        prompt_tokens=5,
        output_tokens=5,
        speed="datasheet",
    )
    assert unknown.fits is None


def test_a_missing_peak_is_named() -> None:
    device = dataclasses.replace(load_device("rtx-4090"), peak_flop_per_s={}, key="no-peak")
    with pytest.raises(MissingFact, match="no-peak"):
        estimate(Deployment(load_model("llama-3.1-8b"), device), prompt_tokens=5, output_tokens=5, speed="datasheet")


def test_names_of_engines_and_formats_are_read_in_any_case_and_with_remarks() -> None:
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")
    setting: dict[str, Any] = {"prompt_tokens": 512, "output_tokens": 128}
    one = estimate(Deployment(model, device, weight_format="Q4_K_M", engine="llama.cpp", backend="CUDA"), **setting)
    for weights, engine, backend in (
        ("q4_k_m (imatrix)", "LLAMA.CPP", "CUDA 12.1"),
        ("Q4_K_M (ollama default)", "ollama or llama.cpp (see linked issue)", "cuda"),
    ):
        on = Deployment(model, device, weight_format=weights, engine=engine, backend=backend)
        assert estimate(on, **setting) == one


def test_an_engine_that_nobody_measured_widens_the_band() -> None:
    model, device = load_model("llama-3.1-8b"), load_device("rtx-4090")

    def width(engine: str) -> float:
        band = estimate(
            Deployment(model, device, engine=engine),
            prompt_tokens=512,
            output_tokens=128,
            speed="datasheet" if engine is None else "typical",
        ).band
        assert band is not None
        low, high = band["tpot_s"]
        return float(high / low)

    assert width("TGI") > width("typical")
    assert width("TGI") > width("llama.cpp")
    assert estimate(Deployment(model, device), prompt_tokens=512, output_tokens=128, speed="datasheet").band is None


def test_every_band_holds_its_value() -> None:
    found = estimate(
        Deployment(load_model("qwen3-8b"), load_device("h20"), engine="SGLang"), prompt_tokens=900, output_tokens=90
    )
    assert found.band is not None
    assert set(found.band) == {
        "ttft_s", "tpot_s", "total_s", "prefill_tokens_per_s", "decode_tokens_per_s", "decode_total_tokens_per_s",
    }  # fmt: skip
    for name, (low, high) in found.band.items():
        assert low < getattr(found, name) < high, name


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"prompt_tokens": 0}, "prompt_tokens"), ({"output_tokens": -1}, "output_tokens"), ({"batch": 0}, "batch"),
        ({"prompt_depth": -1}, "prompt_depth"), ({"chunk_tokens": 0}, "chunk_tokens"), ({"n_devices": 0}, "n_devices"),
        ({"n_devices": 1.5}, "n_devices"), ({"split": "sideways"}, "split"), ({"layers_on_host": 33}, "layers_on_host"),
        ({"weight_format": "q4_k_x"}, "q4_k_x"), ({"kv_format": "f17"}, "f17"),
        ({"prompt_tokens": float("nan")}, "prompt_tokens"),
        ({"prompt_tokens": "5"}, "prompt_tokens"), ({"prompt_tokens": np.arange(1, 3)}, "estimate_many"),
        ({"engine": 3}, "engine"),
        ({"backend": 3, "engine": "vllm"}, "backend"),
    ],
)  # fmt: skip
def test_a_bad_argument_is_named(bad: dict[str, object], name: str) -> None:
    where = {field: value for field, value in bad.items() if not field.endswith(("tokens", "depth", "batch"))}
    asked: dict[str, Any] = {"prompt_tokens": 5, "output_tokens": 5} | {
        field: value for field, value in bad.items() if field not in where
    }
    with pytest.raises(BadValue, match=name):
        Deployment(load_model("llama-3.1-8b"), load_device("rtx-4090"), **where).estimate(**asked)  # type: ignore[arg-type]
