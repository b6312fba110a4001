"""Is the model of a published file the printed one: bytes, parameters, cache and state, and is a wrong file refused?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pysim.cli.model import described
from pysim.deployment import Deployment
from pysim.errors import BadConfig, PysimError
from pysim.gguf.model import model_of
from pysim.gguf.parse import parse_header
from pysim.gguf.windows import windows
from pysim.load import load_device, load_model
from pysim.memory.weights import stored_weights, weights_bytes
from pysim.models.model import Model
from pysim.models.parameters import parameters
from tests.pysim.gguf import published
from tests.pysim.gguf.real_shapes import gpt_oss_20b
from tests.pysim.gguf.writing import Given, gguf, llama_file

GIB = 2**30
Build = Callable[[], tuple[dict[str, Given], list[published.T]]]


def built(data: bytes, beside: bytes | None = None) -> Model:
    files = {"model.gguf": data} | ({"mmproj.gguf": beside} if beside is not None else {})
    return model_of({name: parse_header(given) for name, given in files.items()})


@pytest.mark.parametrize(
    ("build", "key", "counts", "size_gib", "bits"),
    [
        # llama.cpp prints "file size = 4.58 GiB (4.89 BPW)" and "17.28 GiB (4.86 BPW)".
        (published.llama_8b, "llama-3.1-8b", {"F32": 66, "Q4_K": 193, "Q6_K": 33}, 4.58, "4.89"),
        (published.qwen3_30b, "qwen3-30b-a3b", {"F32": 241, "Q4_K": 289, "Q6_K": 49}, 17.28, "4.86"),
    ],
)
def test_mixtures_of_types_take_the_bytes_that_are_printed(
    build: Build, key: str, counts: dict[str, int], size_gib: float, bits: str
) -> None:
    values, tensors = build()
    assert Counter(kind for _, kind, _ in tensors) == counts
    model, listed = built(gguf(values, tensors)), load_model(key)
    assert round(weights_bytes(model) / GIB, 2) == size_gib
    assert str(described(model)["weights_words"]).startswith(f"Q4_K_M, as the file holds it ({bits} bits: Q4_K ")
    assert abs(parameters(model).total - parameters(listed).total) <= 64  # Llama's file has 64 rope factors


def test_gpt_oss_takes_the_bytes_that_are_printed() -> None:
    model = built(gpt_oss_20b())
    assert round(weights_bytes(model) / GIB, 2) == 11.27
    assert "4.63 bits" in str(described(model)["weights_words"])


@pytest.mark.parametrize(
    ("build", "total_b", "active_b", "kv_bytes", "state_mib"),
    [
        # Computed by hand from the same models' config.json; llama.cpp prints the totals.
        (published.qwen35_35b, 34.66, 3.45, 20_480, 61.4),
        (published.nemotron_30b, 31.58, 3.58, 6_144, 46.8),
    ],
)
def test_hybrids_keep_rows_in_some_layers_and_a_state_in_the_others(
    build: Build, total_b: float, active_b: float, kv_bytes: int, state_mib: float
) -> None:
    facts = described(built(gguf(*build())))
    assert facts["total_parameters"] == pytest.approx(total_b * 1e9, abs=5e6)
    assert facts["active_parameters"] == pytest.approx(active_b * 1e9, abs=5.1e6)
    assert facts["kv_bytes_per_token"] == kv_bytes
    assert facts["state_bytes_per_sequence"] == pytest.approx(state_mib * 2**20, rel=2e-3)
    assert facts["weight_format"] == "Q8_0"


def test_qwen35_has_the_733_tensors_that_are_printed() -> None:
    assert len(published.qwen35_35b()[1]) == 733


def test_gemma4_has_other_heads_in_windows_and_layers_that_share_rows() -> None:
    """Four layers, pattern s f s f, the last two reading the rows of the first two."""
    arch = "gemma4"
    values: dict[str, Given] = {
        "general.architecture": arch, f"{arch}.block_count": 4, f"{arch}.context_length": 131072,
        f"{arch}.embedding_length": 1024, f"{arch}.attention.head_count": 8,
        f"{arch}.attention.head_count_kv": (2, 1, 2, 1),
        f"{arch}.attention.key_length": 512, f"{arch}.attention.value_length": 512,
        f"{arch}.attention.key_length_swa": 256, f"{arch}.attention.value_length_swa": 256,
        f"{arch}.attention.sliding_window": 1024, f"{arch}.attention.shared_kv_layers": 2,
        f"{arch}.attention.sliding_window_pattern": (True, False, True, False),
    }  # fmt: skip
    tensors: list[published.T] = [("token_embd.weight", "Q8_0", (1024, 1000)), ("output_norm.weight", "F32", (1024,))]
    for layer, (kv_heads, width) in enumerate([(2, 256), (1, 512)] * 2):
        tensors += [
            (f"blk.{layer}.attn_q.weight", "Q8_0", (1024, 8 * width)),
            *([(f"blk.{layer}.attn_k.weight", "Q8_0", (1024, kv_heads * width))] if layer < 2 else []),
            (f"blk.{layer}.attn_output.weight", "Q8_0", (8 * width, 1024)),
            (f"blk.{layer}.ffn_up.weight", "Q8_0", (1024, 4096)),
        ]
    facts = described(built(gguf(values, tensors)))
    assert facts["kv_bytes_per_token"] == 2 * (1 * (512 + 512))  # layer 1 alone keeps all rows
    assert facts["kv_window_bytes_per_token"] == 2 * (2 * (256 + 256))
    assert facts["window_tokens"] == 1024


def test_a_window_that_names_no_layers_is_told() -> None:
    model = built(llama_file({"llama.attention.sliding_window": 512}))
    assert "the layers with its window of 512 tokens" in model.quantization_note
    assert model.sliding_window is None


@pytest.mark.parametrize(
    ("architecture", "full"), [("smallthinker", (0, 4)), ("cohere2", (3, 7)), ("gpt-oss", (1, 3, 5, 7))]
)
def test_patterns_that_llama_cpp_knows_are_applied(architecture: str, full: tuple[int, ...]) -> None:
    """Eight layers: of smallthinker the first of four looks back all the way, of the others the last."""
    values: dict[str, Given] = {
        "general.architecture": architecture,
        f"{architecture}.attention.sliding_window": 512,
    }
    told, assumed = windows(parse_header(gguf(values)), 8)
    assert tuple(layer for layer, window in enumerate(told) if window is None) == full
    assert set(told) == {None, 512}
    assert assumed == ""


def test_the_encoder_beside_a_model_is_said_and_its_bytes_count() -> None:
    vision = gguf({"general.architecture": "clip"}, [("v.patch_embd.weight", "F16", (256, 256))])
    alone, together = built(llama_file()), built(llama_file(), vision)
    assert weights_bytes(together) == weights_bytes(alone) + 256 * 256 * 2
    assert together.left_out[0] == "a vision encoder in a separate file (its 131 kB are counted)"


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"general.type": "adapter"}, "a LoRA adapter"),
        ({"general.type": "imatrix"}, "importance matrix"),
        ({"general.type": "mmproj"}, "vision part"),
        ({"llama.block_count": 0}, "block_count is 0, but there are tensors of 2 layers"),
        ({"llama.block_count": 1}, "block_count is 1, but there are tensors of 2 layers"),
        ({"llama.block_count": 4_000_000_000}, "llama.block_count must be from 0"),
        ({"llama.block_count": "two"}, "llama.block_count must be a whole number"),
        ({"llama.attention.head_count_kv": (2,)}, "head_count_kv has 1 entries, but there is a layer 1"),
        (
            {"llama.attention.sliding_window": 8, "llama.attention.sliding_window_pattern": (True,)},
            "sliding_window_pattern has 1 entries, but there is a layer 1",
        ),
    ],
)
def test_metadata_that_contradict_the_tensors_are_refused(
    changed: Mapping[str, Given], message: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.gguf"
    path.write_bytes(llama_file(changed))
    with pytest.raises(BadConfig, match=r"^bad\.gguf: ") as refused:
        load_model(path)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_layers_that_guess_ahead_may_be_counted_and_left_away() -> None:
    model = built(llama_file({"llama.block_count": 3, "llama.nextn_predict_layers": 1}))
    assert model.num_hidden_layers == 2


def test_a_file_by_a_wrong_name_of_its_format_has_that_of_its_bits() -> None:
    """It says Q2_K (10) and is all Q8_0."""
    assert built(llama_file({"general.file_type": 10}, kind="Q8_0")).quantization == "Q8_0"


def outcome(data: bytes) -> str:
    """The error's words, "" where a model is read; anything but an error of pysim's own is raised."""
    try:
        described(built(data))
    except PysimError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(20))
def test_spoiled_values_and_shapes_give_a_model_or_one_line(seed: int) -> None:
    """Metadata and shapes replaced at random by hostile ones, in models of two kinds."""
    chance = random.Random(seed)
    values, tensors = chance.choice((published.llama_8b, published.nemotron_30b))()
    hostile: tuple[Given, ...] = (0, 1, 2**31, 2**32 - 1, "x", 1.5, True, float("nan"), (), (0, 3))
    for _ in range(10):
        spoiled = values | {key: chance.choice(hostile) for key in chance.sample(sorted(values), 2)}
        listed = list(tensors)
        for at in chance.sample(range(len(listed)), 2):
            shape = tuple(chance.choice((0, 1, 256, 2**12)) for _ in range(chance.randint(0, 4)))
            listed[at] = (listed[at][0], "F32", shape)
        if chance.random() < 0.3:
            del listed[chance.randrange(len(listed))]
        assert "\n" not in outcome(gguf(spoiled, listed))


def test_a_deployment_takes_the_files_own_bytes() -> None:
    model = built(gguf(*published.llama_8b()))
    on = Deployment(model, load_device("rtx-4090"))
    assert on.weight_format == "Q4_K_M"
    assert on.memory(8192).per_device[0].weights_bytes == stored_weights(model).total_bytes == weights_bytes(model)
    other = Deployment(model, load_device("rtx-4090"), weight_format="q8_0")
    assert other.memory(8192).per_device[0].weights_bytes > 1.6 * weights_bytes(model)
