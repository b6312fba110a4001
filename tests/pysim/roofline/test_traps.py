"""Is everything right that simulators of this field are known to get wrong?"""

import pytest

from pysim import kv_cache_bytes, load_device, load_model
from pysim.deployment import Deployment
from pysim.models.parameters import parameters
from pysim.requests.passes import generation
from pysim.requests.request_estimate import estimate
from pysim.roofline.cost_of_pass import pass_cost
from pysim.roofline.work import distinct_experts

H100 = load_device("h100-sxm")
GIB = 2**30


@pytest.mark.parametrize(
    ("model", "tokens", "gib", "trap"),
    [
        # Gemma 3 27B: 10 of 62 layers look all the way back, 52 keep 1,024 tokens; all of them would take 62 GiB.
        ("gemma-3-27b", 131_072, 10.41, 62.0),
        # gpt-oss-20b: every other of 24 layers keeps 128 tokens; all of them would take 6 GiB.
        ("gpt-oss-20b", 131_072, 3.00, 6.0),
        # DeepSeek V3 caches 512 + 64 numbers a layer and token, not 2 × 128 heads × 128.
        ("deepseek-v3", 163_840, 10.72, 10.72 * 2 * 128 * 128 / 576),
    ],
)
def test_windows_and_latents_make_the_cache_small(model: str, tokens: int, gib: float, trap: float) -> None:
    found = float(kv_cache_bytes(load_model(model), tokens)) / GIB
    assert found == pytest.approx(gib, rel=2e-3)
    assert found < trap / 1.9


def test_the_head_size_is_the_configs_own() -> None:
    # Qwen3 4B: 36 layers × 2 × 8 KV heads × 128, though 2,560 / 32 heads is 80.
    assert kv_cache_bytes(load_model("qwen3-4b"), 1) == 36 * 2 * 8 * 128 * 2


def test_one_token_reads_the_experts_that_it_visits_and_no_others() -> None:
    model = load_model("qwen3-30b-a3b")
    visited = 48 * 8 * 3 * 2048 * 768 * 2  # layers × experts × matrices × hidden × width × 2 bytes
    others = parameters(model).decode * 2 - visited
    cost = pass_cost(Deployment(model, H100), 1, 0, speed="datasheet")
    assert cost.weights_read_bytes == pytest.approx(others + visited + 2 * 2048)
    assert cost.weights_read_bytes < parameters(model).total * 2 / 8


def test_a_batch_visits_more_experts_but_never_more_than_there_are() -> None:
    assert distinct_experts(128, 8, 1) == pytest.approx(8)
    found = [float(distinct_experts(128, 8, tokens)) for tokens in (1, 2, 4, 16, 64, 4096)]
    assert found == sorted(found)
    assert found[1] < 16
    assert found[-1] == pytest.approx(128)


def test_weights_of_four_bits_leave_the_cache_as_it_is() -> None:
    model = load_model("llama-3.1-8b")
    plain, packed = (
        estimate(
            Deployment(model, H100, weight_format=weights), prompt_tokens=1000, output_tokens=100, speed="datasheet"
        )
        for weights in ("f16", "q4_k_m")
    )
    assert plain.kv_bytes == packed.kv_bytes == 1099 * 131_072


def test_decode_has_a_compute_side() -> None:
    model = load_model("llama-3.1-8b")
    assert pass_cost(Deployment(model, H100), 1, 100, 1, speed="datasheet").bound == "memory"
    assert pass_cost(Deployment(model, H100), 1, 100, 4096, speed="datasheet").bound == "compute"


def test_n_tokens_take_n_minus_one_decode_passes() -> None:
    model, n, prompt = load_model("llama-3.1-8b"), 57, 20
    passes = [each for each in generation(prompt_tokens=prompt, output_tokens=n) if each.kind == "decode"]
    assert len(passes) == n - 1
    found = estimate(Deployment(model, H100), prompt_tokens=prompt, output_tokens=n, speed="datasheet")
    assert found.total_s - found.ttft_s == pytest.approx(
        sum(
            float(pass_cost(Deployment(model, H100), 1, each.context_tokens, speed="datasheet").time_s)
            for each in passes
        )
    )


@pytest.mark.parametrize("engine", ["typical", "llama.cpp", "vLLM", "SGLang"])
@pytest.mark.parametrize("device", ["a100-sxm-80", "rtx-4090", "apple-m2-ultra-76c"])
def test_four_bits_speed_up_decode_and_never_a_long_prompt(device: str, engine: str) -> None:
    # https://github.com/casper-hansen/AutoAWQ/issues/276: unpacking costs arithmetic, and prefill is bound by it.
    model, on = load_model("llama-2-7b"), load_device(device)
    plain, packed = (
        estimate(
            Deployment(model, on, weight_format=weights, engine=engine),
            prompt_tokens=8192,
            output_tokens=2,
            speed="datasheet" if engine is None else "typical",
        )
        for weights in ("f16", "awq")
    )
    assert packed.ttft_s > plain.ttft_s
    assert packed.decode_tokens_per_s is not None
    assert plain.decode_tokens_per_s is not None
    assert packed.decode_tokens_per_s > plain.decode_tokens_per_s
