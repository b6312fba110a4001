"""Where does a pass stop waiting for memory, in tokens and in conversations?"""

import pytest

from pysim import load_device, load_model, max_batch, max_context_tokens
from pysim.deployment import Deployment
from pysim.errors import BadValue
from pysim.hardware.device import Device
from pysim.roofline.cost_of_pass import pass_cost
from pysim.roofline.ridge import ridge_batch, ridge_tokens

LLAMA = load_model("llama-3.1-8b")
RTX_4090 = load_device("rtx-4090")
H100 = load_device("h100-sxm")

READ_PARAMS = 8_030_261_248 - 128_256 * 4096  # all but the input table, of which a pass reads rows
HEAD_PARAMS = 128_256 * 4096
KV_BYTES = 32 * 2 * 8 * 128 * 2
ATTENTION_FLOP = 32 * 4 * 32 * 128  # layers × (2 for the scores + 2 for the sum) × heads × head size, per cached row


def by_hand(flop_per_byte: float, context: int) -> float:
    """R·W / (flop per token + attention flop·c - R·kv_bytes·c), with a row of the input table beside the cache."""
    gain = 2 * READ_PARAMS + ATTENTION_FLOP * context - flop_per_byte * (KV_BYTES * context + 2 * 4096)
    return flop_per_byte * 2 * READ_PARAMS / gain


@pytest.mark.parametrize(("device", "flop_per_byte"), [(RTX_4090, 165.2e12 / 1008e9), (H100, 989e12 / 3350e9)])
@pytest.mark.parametrize("context", [1, 100, 380])
def test_the_batch_at_the_ridge_follows_from_bytes_and_flop(device: Device, flop_per_byte: float, context: int) -> None:
    assert ridge_batch(Deployment(LLAMA, device), context) == pytest.approx(by_hand(flop_per_byte, context), rel=1e-9)


def test_at_500_tokens_a_4090_is_at_its_ridge_with_543_conversations() -> None:
    # 163.9 × 15.01e9 / (15.01e9 + 524,288 × 500 - 163.9 × 131,072 × 500) = 542.9
    assert round(ridge_batch(Deployment(LLAMA, RTX_4090), 500) or 0) == 543


@pytest.mark.parametrize(("device", "last"), [(RTX_4090, 716), (H100, 393)])
def test_past_a_context_no_batch_reaches_the_ridge(device: Device, last: int) -> None:
    # 15.01e9 / (R × 131,072 - 524,288): 15.01e9 / 20.96e6 = 716.2 and 15.01e9 / 38.17e6 = 393.2
    assert ridge_batch(Deployment(LLAMA, device), last - 1) is not None
    assert ridge_batch(Deployment(LLAMA, device), last + 1) is None


@pytest.mark.parametrize("key", ["llama-3.1-8b", "qwen3-30b-a3b", "gemma-3-27b", "deepseek-v3"])
def test_the_bound_of_a_decode_pass_changes_at_the_ridge(key: str) -> None:
    model, context = load_model(key), 40
    ridge = ridge_batch(Deployment(model, RTX_4090), context)
    assert ridge is not None
    assert pass_cost(Deployment(model, RTX_4090), 1, context - 1, 0.999 * ridge, speed="datasheet").bound == "memory"
    assert pass_cost(Deployment(model, RTX_4090), 1, context - 1, 1.001 * ridge, speed="datasheet").bound == "compute"


@pytest.mark.parametrize("key", ["llama-3.1-8b", "qwen3-30b-a3b", "gemma-3-27b", "deepseek-v3"])
@pytest.mark.parametrize("context", [0, 1000, 100_000])
def test_the_bound_of_a_pass_changes_at_its_ridge_in_tokens(key: str, context: int) -> None:
    model = load_model(key)
    ridge = ridge_tokens(Deployment(model, RTX_4090), context)
    assert ridge is not None
    assert pass_cost(Deployment(model, RTX_4090), 0.999 * ridge, context, speed="datasheet").bound == "memory"
    assert pass_cost(Deployment(model, RTX_4090), 1.001 * ridge, context, speed="datasheet").bound == "compute"


def test_a_4090_is_at_its_ridge_with_176_tokens_of_a_prompt() -> None:
    # Weights once: 15.01e9 B. Each token: 2 × 6.98e9 FLOP (the last one 1.05e9 more, for the output table),
    # against R × 131,072 B of its new row: 163.9 × 15.01e9 / (13.96e9 - 163.9 × 139,264) - 0.075 = 176
    flop_per_byte = 165.2e12 / 1008e9
    body = 2 * (READ_PARAMS - HEAD_PARAMS)
    each = body - flop_per_byte * (KV_BYTES + 2 * 4096) + ATTENTION_FLOP * 88  # a token sees 88 before it, on average
    expected = (flop_per_byte * 2 * READ_PARAMS - 2 * HEAD_PARAMS) / each
    assert ridge_tokens(Deployment(LLAMA, RTX_4090)) == pytest.approx(expected, rel=1e-3)
    assert round(expected) == 176


@pytest.mark.parametrize("weights", ["q8-0", "q4-k-m"])
def test_fewer_bits_bring_the_ridge_nearer(weights: str) -> None:
    few, many = (
        ridge_tokens(Deployment(LLAMA, RTX_4090, weight_format=weights)),
        ridge_tokens(Deployment(LLAMA, RTX_4090)),
    )
    assert few is not None
    assert many is not None
    assert few < 0.6 * many


def test_one_token_past_the_ridge_is_said_with_1() -> None:
    slow = Device(
        key="abacus", name="Abacus", family="none", kind="cpu", peak_flop_per_s={"fp16": 1e9}, peak_kind="derived",
        memory_bandwidth_bytes_per_s=1e12, memory_bytes=1e12,
    )  # fmt: skip
    assert (ridge_tokens(Deployment(LLAMA, slow)), ridge_batch(Deployment(LLAMA, slow), 100)) == (1.0, 1.0)


def test_a_4090_holds_128_conversations_of_500_tokens() -> None:
    # (23.52 GiB − 16.06 GB − 0.76 GB) / (500 × 131,072 B) = 8.430e9 / 65.536e6 = 128.6
    assert max_batch(Deployment(LLAMA, RTX_4090), 500) == 128


@pytest.mark.parametrize("context", [1, 77, 500, 4096])
def test_as_many_as_fit_fit_and_one_more_does_not(context: int) -> None:
    most = max_batch(Deployment(LLAMA, H100), context)
    assert max_context_tokens(Deployment(LLAMA, H100), most) >= context
    assert max_context_tokens(Deployment(LLAMA, H100), most + 1) < context


def test_weights_that_fill_the_memory_leave_no_conversation() -> None:
    assert max_batch(Deployment(load_model("llama-3.1-70b"), RTX_4090), 1) == 0


@pytest.mark.parametrize("bad", [0, -1, float("nan")])
def test_a_context_out_of_range_is_named(bad: float) -> None:
    with pytest.raises(BadValue, match="context_tokens"):
        ridge_batch(Deployment(LLAMA, H100), bad)
    with pytest.raises(BadValue, match="context_tokens"):
        max_batch(Deployment(LLAMA, H100), bad)  # type: ignore[arg-type]
