"""Are formats and engines known by how tools and file names write them, and by size where nothing is written?"""

import pytest

from pysim.doctor.read.run import Setup
from pysim.doctor.recognise.formats import engine_of, kv_of, weights_of
from pysim.engines.load import load_engine
from pysim.load import load_model
from pysim.memory.weights import weights_bytes

LLAMA = load_model("llama-3.1-8b")


@pytest.mark.parametrize(
    ("words", "engine", "name"),
    [
        ("llama 8B Q4_K - Medium", "llama.cpp", "Q4_K_M"),
        ("llama 8B Q4_K - Small", "llama.cpp", "Q4_K_S"),
        ("llama 8B Q3_K - Large", "llama.cpp", "Q3_K_L"),
        ("llama 7B mostly Q4_0", "llama.cpp", "Q4_0"),
        ("llama 7B all F32", "llama.cpp", "F32"),
        ("llama 8B Q8_0", "llama.cpp", "Q8_0"),
        ("llama 8B Q6_K", "llama.cpp", "Q6_K"),
        ("llama 8B BF16", "llama.cpp", "BF16"),
        ("llama 8B IQ2_XXS - 2.0625 bpw", "llama.cpp", "IQ2_XXS"),
        ("llama 8B IQ4_NL - 4.5 bpw", "llama.cpp", "IQ4_NL"),
        ("llama 8B Q4_0_4_4", "llama.cpp", "Q4_0"),
        ("qwen3moe ?B IQ4_XS_R8 - 4.25 bpw", "ik_llama.cpp", "IQ4_XS"),
        ("gpt-oss 120B MXFP4 MoE", "llama.cpp", "MXFP4"),
        ("Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "llama.cpp", "Q4_K_M"),
        ("qwen2.5:7b-instruct-q5_K_S", "llama.cpp", "Q5_K_S"),
        ("gemma-3-27b-it-UD-Q4_K_XL.gguf", "llama.cpp", "UD-Q4_K_XL"),
        ("Qwen2.5-7B-Instruct-AWQ", "vllm", "AWQ-INT4"),
        ("Qwen/Qwen3-30B-A3B-GPTQ-Int4", "vllm", "GPTQ-INT4"),
        ("RedHatAI/Llama-3.1-8B-quantized.w4a16", "vllm", "GPTQ-INT4"),
        ("Meta-Llama-3.1-70B-Instruct-FP8", "vllm", "FP8"),
        ("mlx-community/Meta-Llama-3.1-8B-Instruct-4bit", "mlx-lm", "MLX q4"),
        ("mlx-community/Qwen3-8B-bf16", "mlx-lm", "BF16"),
        ("Llama-3-8B-exl2-4.25", "exllamav2", "EXL2 4.25 bpw"),
    ],
)
def test_a_format_is_known_by_its_words(words: str, engine: str, name: str) -> None:
    for setup in (Setup(model=words), Setup(weights=words), Setup(model="x", model_file=words)):
        recognised = weights_of(setup, engine, None)
        assert recognised is not None
        assert recognised.name == name


@pytest.mark.parametrize("words", ["llama 8B", "Qwen/Qwen3-8B", "llama 8B TQ7_0", "7b", ""])
def test_words_without_a_format_name_none(words: str) -> None:
    assert weights_of(Setup(model=words), "llama.cpp", None) is None


@pytest.mark.parametrize("weights", ["F16", "Q8_0", "Q6_K", "Q5_K_M", "Q4_K_M", "Q2_K"])
def test_a_size_tells_the_format(weights: str) -> None:
    recognised = weights_of(
        Setup(model="llama 8B", weights_bytes=1.01 * weights_bytes(LLAMA, weights)), "llama.cpp", LLAMA
    )
    assert recognised is not None
    assert recognised.key == weights
    assert "size" in recognised.how


def test_a_size_that_contradicts_the_name_decides() -> None:
    # A mixture of one's own under the name of a usual one.
    setup = Setup(weights="Q4_K - Medium", weights_bytes=weights_bytes(LLAMA, "q6_k"))
    recognised = weights_of(setup, "llama.cpp", LLAMA)
    assert recognised is not None
    assert (recognised.key, recognised.words) == ("Q6_K", "q4_k_m")
    assert "closest" in recognised.how
    # 100 GB are no format of eight billion weights.
    assert weights_of(Setup(weights="Q4_K - Medium", weights_bytes=1e11), "llama.cpp", LLAMA) is None


def test_a_checkpoint_without_a_word_is_as_published() -> None:
    plain = weights_of(Setup(model="meta-llama/Llama-3.1-8B"), "vllm", LLAMA)
    assert plain is not None
    assert plain.key == "bf16"
    deepseek = weights_of(Setup(model="deepseek-ai/DeepSeek-V3"), "sglang", load_model("deepseek-v3"))
    assert deepseek is not None
    assert deepseek.name == "FP8"
    oss = weights_of(Setup(model="gpt-oss-20b-F16.gguf"), "llama.cpp", load_model("gpt-oss-20b"))
    assert oss is not None
    assert oss.name == "MXFP4"


def test_an_ollama_tag_without_a_format_has_had_two() -> None:
    recognised = weights_of(Setup(model="llama3.1:8b"), "llama.cpp", LLAMA, program=load_engine("ollama"))
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ("q4_k_m", "q4_0"))


def test_a_cache_is_in_16_bits_unless_said() -> None:
    assert kv_of(Setup()).key == "f16"
    assert kv_of(Setup(kv_keys="auto", kv_values="auto")).key == "f16"
    assert kv_of(Setup(kv_keys="q8_0", kv_values="q8_0")).key == "q8_0"
    mixed = kv_of(Setup(kv_keys="q8_0", kv_values="q4_0"))
    assert mixed.key == "q8_0"
    assert "differ" in mixed.how
    unknown = kv_of(Setup(kv_keys="tq1", kv_values="tq1"))
    assert unknown.key is None


@pytest.mark.parametrize(
    ("engine", "key"),
    [
        ("llama.cpp", "llama.cpp"),
        ("vLLM", "vllm"),
        ("ollama", "llama.cpp"),
        (None, "typical"),
        ("my engine", "typical"),
    ],
)
def test_an_engine_that_nobody_measured_is_a_typical_one(engine: str | None, key: str) -> None:
    assert engine_of(engine, "a tool").key == key
