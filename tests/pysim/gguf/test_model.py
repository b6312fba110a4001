"""Does a GGUF file give the same model as the publisher's config, with its own bytes?"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import pysim
from pysim.memory.kv_cache import kv_cache_bytes, state_bytes_per_sequence
from pysim.memory.weights import stored_weights, weights_bytes
from pysim.models.parameters import parameters
from tests.pysim.gguf.real_shapes import FILES
from tests.pysim.gguf.writing import gguf, llama_file


def of(tmp_path: Path, data: bytes, name: str = "model.gguf") -> pysim.Model:
    (tmp_path / name).write_bytes(data)
    return pysim.load_model(tmp_path / name)


@pytest.mark.parametrize("key", FILES)
def test_tensors_and_config_give_the_same_parameters_and_cache(tmp_path: Path, key: str) -> None:
    read, known = of(tmp_path, FILES[key]()), pysim.load_model(key)
    assert abs(parameters(read).total - parameters(known).total) <= 64  # Llama's file has 64 rope factors
    assert abs(parameters(read).active - parameters(known).active) <= 64
    for tokens in (1, 1_000, 100_000):
        assert kv_cache_bytes(read, tokens) == kv_cache_bytes(known, tokens)
    assert state_bytes_per_sequence(read) == state_bytes_per_sequence(known)
    assert read.max_position_embeddings == known.max_position_embeddings


@pytest.mark.parametrize("key", FILES)
def test_a_pass_does_the_same_work_on_both(tmp_path: Path, key: str) -> None:
    device = pysim.load_device("h100-sxm")
    on = [
        pysim.Deployment(model, device, weight_format="f16")
        for model in (of(tmp_path, FILES[key]()), pysim.load_model(key))
    ]
    for new, context in ((1, 2_000), (4_096, 0)):
        read, known = (deployment.pass_cost(new, context, speed="datasheet") for deployment in on)
        assert read.flop == pytest.approx(known.flop, rel=0.002)


def test_each_part_has_the_bytes_of_its_tensors(tmp_path: Path) -> None:
    # gpt-oss 20B: experts 24 × 32 × 3 × 2,880² in 17 B for 32 weights, and their biases in 4 B each.
    held = stored_weights(of(tmp_path, FILES["gpt-oss-20b"]()))
    routed = 24 * 32 * 3 * 2880**2
    assert held.experts_bytes == routed * 17 / 32 + 24 * 32 * 3 * 2880 * 4
    # Tables in Q8_0: 34 B for 32 weights.
    assert held.head_bytes == held.embedding_bytes == 201_088 * 2_880 * 34 / 32


def test_llama_in_q8_0_takes_what_llama_cpp_prints_for_it(tmp_path: Path) -> None:
    # llama-bench prints 7.95 GiB for Llama 3.1 8B Q8_0.
    assert weights_bytes(of(tmp_path, FILES["llama-3.1-8b"]())) / 2**30 == pytest.approx(7.95, abs=0.005)


def test_another_format_can_still_be_asked_for(tmp_path: Path) -> None:
    model = of(tmp_path, FILES["llama-3.1-8b"]())
    assert weights_bytes(model, "f16") == pytest.approx(2 * parameters(model).total, rel=1e-3)


def test_layers_that_guess_ahead_are_left_out_and_said(tmp_path: Path) -> None:
    data = gguf(
        {"general.architecture": "glm4", "glm4.context_length": 100, "glm4.embedding_length": 64,
         "glm4.attention.head_count": 4, "glm4.attention.head_count_kv": 2},
        [("token_embd.weight", "F16", (64, 10)), ("blk.0.attn_q.weight", "F16", (64, 64)),
         ("blk.0.attn_k.weight", "F16", (64, 32)), ("blk.0.attn_v.weight", "F16", (64, 32)),
         ("blk.1.nextn.eh_proj.weight", "F16", (128, 64)), ("blk.1.attn_q.weight", "F16", (64, 64))],
    )  # fmt: skip
    model = of(tmp_path, data)
    assert model.num_hidden_layers == 1
    # Two bytes each: 128 × 64 and 64 × 64.
    assert "a layer that predicts more tokens (MTP, 24.6 kB of the file)" in model.left_out


def test_an_unknown_architecture_is_counted_from_its_tensors(tmp_path: Path) -> None:
    data = llama_file().replace(b"llama", b"novel")
    read, known = of(tmp_path, data), of(tmp_path, llama_file(), "other.gguf")
    assert (parameters(read), kv_cache_bytes(read, 100)) == (parameters(known), kv_cache_bytes(known, 100))


def test_a_window_that_the_loader_does_not_read_is_none(tmp_path: Path) -> None:
    # llama.cpp's "llama" reads no window, as of Mistral 7B 0.1.
    model = of(tmp_path, llama_file({"llama.attention.sliding_window": 16}))
    assert kv_cache_bytes(model, 1_000) == 1_000 * 2 * 2 * 32 * 2  # tokens × layers × K and V × 32 × 2 B


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"general.architecture": ""}, "general.architecture is missing"),
        ({"llama.context_length": 0}, "llama.context_length is zero"),
        ({"llama.attention.head_count": 0}, "llama.attention.head_count is zero"),
        ({"llama.attention.head_count": 2.5}, "llama.attention.head_count"),
        ({"llama.attention.head_count_kv": 3}, "blk.0.attn_k has 32 rows"),
        ({"llama.embedding_length": 65}, "token_embd.weight of 65"),
        ({"general.architecture": "clip"}, "vision part"),
    ],
)
def test_what_cannot_be_read_is_said_with_the_file_and_the_key(
    tmp_path: Path, change: Mapping[str, int | float | str], message: str
) -> None:
    with pytest.raises(pysim.PysimError, match=r"model\.gguf") as raised:
        of(tmp_path, llama_file(change))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
