"""Does the best case of a pass follow from bytes and FLOP?"""

import numpy as np
import pytest

from pysim import load_device, load_model
from pysim.deployment import Deployment
from pysim.errors import BadValue
from pysim.roofline.cost_of_pass import pass_cost, pass_cost_many

LLAMA = load_model("llama-3.1-8b")
RTX_4090 = load_device("rtx-4090")
H100 = load_device("h100-sxm")
KV_BYTES = 32 * 2 * 8 * 128 * 2  # layers × keys and values × KV heads × head size × 2 bytes = 131,072
READ_PARAMS = 8_030_261_248 - 128_256 * 4096  # all but the input table, of which a pass reads rows


def test_a_decode_pass_reads_every_weight_once_and_the_cache_once() -> None:
    cost = pass_cost(Deployment(LLAMA, RTX_4090), 1, 1000, speed="datasheet")
    assert cost.weights_read_bytes == 2 * READ_PARAMS + 2 * 4096  # and one row of the input table
    assert cost.kv_read_bytes == 1000 * KV_BYTES
    assert cost.kv_written_bytes == KV_BYTES
    assert cost.time_s == cost.memory_s
    assert cost.bound == "memory"


def test_a_decode_pass_takes_two_flop_per_weight_and_four_per_head_element_and_row() -> None:
    cost = pass_cost(Deployment(LLAMA, RTX_4090), 1, 1000, speed="datasheet")
    assert cost.flop == 2 * READ_PARAMS + 32 * 4 * 32 * 128 * 1001  # the token sees itself too


def test_prefill_predicts_after_the_last_token_only() -> None:
    head, tokens = 128_256 * 4096, 512
    cost = pass_cost(Deployment(LLAMA, RTX_4090), tokens, 0, speed="datasheet")
    pairs = tokens * (tokens + 1) // 2
    assert cost.flop == 2 * (READ_PARAMS - head) * tokens + 2 * head + 32 * 4 * 32 * 128 * pairs


def test_a_pass_that_checks_guesses_predicts_after_every_fed_token() -> None:
    head = 128_256 * 4096
    more = (
        pass_cost(Deployment(LLAMA, RTX_4090), 5, 100, logit_rows=5, speed="datasheet").flop
        - pass_cost(Deployment(LLAMA, RTX_4090), 5, 100, speed="datasheet").flop
    )
    assert more == 4 * 2 * head


@pytest.mark.parametrize(("device", "tokens"), [(RTX_4090, 716), (H100, 393)])
def test_past_a_context_length_no_batch_makes_decode_compute_bound(device: object, tokens: int) -> None:
    # FLOP per token / (ridge × KV bytes - attention FLOP per cached token): 15.01e9 / (163.9 × 131,072 - 524,288) = 716
    huge = 10**9
    assert pass_cost(Deployment(LLAMA, device), 1, tokens - 5, huge, speed="datasheet").bound == "compute"  # type: ignore[arg-type]
    assert pass_cost(Deployment(LLAMA, device), 1, tokens + 5, huge, speed="datasheet").bound == "memory"  # type: ignore[arg-type]


def test_at_500_tokens_some_545_conversations_would_fill_a_4090s_arithmetic() -> None:
    # ridge × weight bytes / (FLOP per token + attention - ridge × KV bytes), the new row's bytes included:
    # 163.9 × 15.01e9 / (15.01e9 + 0.263e9 - 163.9 × 131,072 × 501) = 546
    assert pass_cost(Deployment(LLAMA, RTX_4090), 1, 500, 540, speed="datasheet").bound == "memory"
    assert pass_cost(Deployment(LLAMA, RTX_4090), 1, 500, 550, speed="datasheet").bound == "compute"


def test_a_mixed_pass_reads_the_weights_once() -> None:
    alone = pass_cost(Deployment(LLAMA, RTX_4090), 1, 400, 8, speed="datasheet")
    chunk = pass_cost(Deployment(LLAMA, RTX_4090), 256, 0, speed="datasheet")
    both = pass_cost(Deployment(LLAMA, RTX_4090), 1, 400, 8, mixed=[(256, 0)], speed="datasheet")
    assert both.flop == alone.flop + chunk.flop
    assert both.weights_read_bytes == alone.weights_read_bytes + 256 * 2 * 4096  # the chunk's rows of the input table
    assert both.kv_read_bytes == alone.kv_read_bytes


def test_arrays_give_what_single_numbers_give() -> None:
    contexts = np.array([0, 100, 100_000])
    batches = np.array([[1], [64]])
    table = pass_cost_many(Deployment(LLAMA, H100), 1, contexts, batches, speed="datasheet")
    for i, batch in enumerate((1, 64)):
        for j, context in enumerate((0, 100, 100_000)):
            one = pass_cost(Deployment(LLAMA, H100), 1, context, batch, speed="datasheet")
            assert table.time_s[i, j] == pytest.approx(one.time_s, rel=1e-12)
            assert table.bound[i, j] == one.bound


@pytest.mark.parametrize(
    ("bad", "name"),
    [((0, 0), "new_tokens"), ((1, -1), "context_tokens"), ((1, 0, 0), "batch"), ((float("nan"), 0), "new_tokens"),
     (("1", 0), "new_tokens"), ((True, 0), "new_tokens"), ((np.array([1, -2]), 0), "new_tokens"),
     ((np.array([1, 2]), 0), "pass_cost_many")],
)  # fmt: skip
def test_a_count_out_of_range_is_named(bad: tuple[object, ...], name: str) -> None:
    with pytest.raises(BadValue, match=name):
        pass_cost(Deployment(LLAMA, H100), *bad)  # type: ignore[arg-type]
