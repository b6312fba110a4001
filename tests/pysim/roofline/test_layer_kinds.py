"""Work of layers of different kinds: states, scans, indexes and compressed rows, FLOP and bytes by hand."""

import numpy as np
import pytest

import pysim
from pysim.models.config import read_config
from pysim.roofline.work import Shape, work
from tests.pysim.sample_layered import COUNTED, DEEPSEEK_V3_2, DEEPSEEK_V4_FLASH, QWEN3_NEXT

NEXT = read_config(QWEN3_NEXT)
STATE = 36 * (4 * 32 * 128 * 128 + 2 * 3 * 8192)
H100 = pysim.load_device("h100-sxm")


def test_decode_reads_and_writes_the_state_of_every_sequence() -> None:
    todo = work(Shape.of(NEXT), 1, 1000, 5)
    assert todo.fixed_read_bytes == todo.fixed_written_bytes == 5 * STATE
    assert todo.kv_numbers_read == 5 * 1000 * 12 * 2 * 2 * 256
    assert todo.kv_numbers_written == 5 * 12 * 2 * 2 * 256


def test_before_the_first_token_there_is_no_state_to_read() -> None:
    todo = work(Shape.of(NEXT), 512, 0, 1)
    assert (todo.fixed_read_bytes, todo.fixed_written_bytes) == (0, STATE)


def test_linear_layers_cost_the_same_for_every_token() -> None:
    """Per layer and head of 128 × 128: 6 products of 2 · … with the state, 6 + 4 with up to 64 tokens of a chunk."""
    full = 12 * 4 * 16 * 256  # FLOP of a pair of tokens in the 12 layers with attention
    scan = 36 * 32 * (6 * 128 * 128 + 64 * (6 * 128 + 4 * 128))
    for tokens in (64, 4096):
        pairs = tokens * (tokens + 1) / 2
        assert work(Shape.of(NEXT), tokens, 0, 1).attention_flop == full * pairs + scan * tokens
    one = 36 * 32 * (6 * 128 * 128 + 1 * (6 * 128 + 4 * 128))
    assert work(Shape.of(NEXT), 1, 999, 1).attention_flop == full * 1000 + one


def test_sparse_attention_reads_all_keys_of_the_index_and_the_rows_it_chooses() -> None:
    shape = Shape.of(read_config(DEEPSEEK_V3_2))
    todo = work(shape, 1, 100_000, 1)
    assert todo.kv_numbers_read == 61 * 2048 * 576
    assert todo.fixed_read_bytes == 61 * 100_000 * 132
    assert todo.fixed_written_bytes == 61 * 132
    short = work(shape, 1, 1000, 1)
    assert short.kv_numbers_read == 61 * 1000 * 576
    # The index scores 100,001 rows with 64 heads of 128; 2,048 rows are attended to on the latents.
    assert todo.attention_flop == 61 * (100_001 * 2 * 64 * 128 + 2048 * 2 * 128 * (2 * 512 + 64))


def test_a_prompt_may_read_every_row_that_some_query_chose() -> None:
    shape = Shape.of(read_config(DEEPSEEK_V3_2))
    assert work(shape, 10, 100_000, 1).kv_numbers_read == 61 * 20_480 * 576
    assert work(shape, 100, 100_000, 1).kv_numbers_read == 61 * 100_000 * 576


def test_compressed_attention_reads_a_window_and_one_row_for_several_tokens() -> None:
    """At 65,536 tokens: 128 rows in 43 layers; of 16,384 rows 512 chosen in 21; all 512 rows in 20."""
    todo = work(Shape.of(read_config(DEEPSEEK_V4_FLASH)), 1, 65_536, 1)
    assert todo.kv_numbers_read == 512 * (43 * 128 + 21 * 512 + 20 * 512)
    assert todo.fixed_read_bytes == 21 * 16_384 * 132


@pytest.mark.parametrize("key", COUNTED)
def test_many_passes_at_once_take_what_they_take_one_by_one(key: str) -> None:
    on = pysim.Deployment(read_config(COUNTED[key][0]), H100, n_devices=8, weight_format="fp8")
    for prompt, output in ((200, 40), (3000, 60), (1, 300)):
        together = on.estimate(prompt_tokens=prompt, output_tokens=output)
        one_by_one = sum(on.pass_cost(1, prompt + i).time_s for i in range(output - 1))
        assert together.total_s - together.ttft_s == pytest.approx(one_by_one, rel=1e-6)
        many = on.estimate_many(prompt_tokens=np.array([prompt]), output_tokens=np.array([output]))
        assert many.total_s[0] == pytest.approx(together.total_s)


@pytest.mark.parametrize("key", COUNTED)
def test_a_prompt_in_chunks_reads_what_its_passes_read(key: str) -> None:
    on = pysim.Deployment(read_config(COUNTED[key][0]), H100, n_devices=8, weight_format="fp8")
    chunked = on.estimate(prompt_tokens=1000, output_tokens=1, chunk_tokens=100)
    # Only the last piece predicts a token, and so needs the head.
    passes = sum(pysim.pass_cost(on, 100, i * 100, logit_rows=int(i == 9)).time_s for i in range(10))
    assert chunked.ttft_s == pytest.approx(passes, rel=1e-3)


def test_a_hybrid_slows_less_with_a_long_context_than_its_layers_with_attention_alone() -> None:
    """Beyond some length rows are all that counts, and a hybrid reads a quarter as many."""
    on = pysim.Deployment(NEXT, H100)
    short, long = on.pass_cost(1, 1_000, speed="datasheet"), on.pass_cost(1, 101_000, speed="datasheet")
    assert long.kv_read_bytes - short.kv_read_bytes == 100_000 * 24_576
    assert short.kv_written_bytes == STATE + 24_576
