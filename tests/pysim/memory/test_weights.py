"""Do weights take the bytes that files and engines' logs say, in each kind of file that engines load?"""

from __future__ import annotations

import pytest

from pysim import Deployment, load_device, load_model, weights_bytes
from pysim.engines.load import engine_keys, load_engine
from pysim.formats.names import weight_format
from pysim.memory.placement import places
from pysim.memory.weights import stored_weights
from pysim.models.config import read_config
from pysim.models.parameters import parameters
from tests.pysim.sample_layered import COUNTED

GIB = 2**30
WITHIN = 0.01
BOARD = "https://github.com/kyuz0/amd-strix-halo-toolboxes"
# model, format, engine, GiB, where it was printed
LOGS = (
    ("llama-3.1-70b", "int8", "vLLM", 67.72, "https://github.com/vllm-project/vllm/pull/12569"),
    ("llama-3.1-8b", "bf16", "vLLM", 14.99, "https://github.com/vllm-project/vllm/issues/10517"),
    ("qwen2.5-7b", "awq", "vLLM", 5.20, "https://github.com/vllm-project/vllm/issues/13882"),
    ("phi-4", "nf4", "vLLM", 8.63, "a notebook's log of vLLM with a bitsandbytes checkpoint"),
    ("llama-3.1-8b", "nf4", "vLLM", 5.35, "a log of vLLM 0.7 with unsloth/meta-llama-3.1-8b-instruct-bnb-4bit"),
    ("llama-3.1-8b", "nf4", None, 5.70e9 / GIB, "https://huggingface.co/unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit"),
    ("gpt-oss-20b", "mxfp4", "vLLM", 13.76e9 / GIB, "https://huggingface.co/openai/gpt-oss-20b (published checkpoint)"),
    ("gpt-oss-20b", "mxfp4", "SGLang", 13.76e9 / GIB, "https://huggingface.co/openai/gpt-oss-20b"),
    ("gpt-oss-20b", "mxfp4", "llama.cpp", 11.27, "https://github.com/ggml-org/llama.cpp/discussions/15396"),
    ("gpt-oss-20b", "mxfp4", "ollama", 11.27, "https://github.com/ggml-org/llama.cpp/discussions/15396"),
    ("gpt-oss-120b", "mxfp4", None, 59.02, "https://github.com/ggml-org/llama.cpp/discussions/15396"),
    ("qwen3-30b-a3b", "UD-Q8_K_XL", "llama.cpp", 33.51, BOARD),
    ("qwen3-32b", "UD-Q8_K_XL", "llama.cpp", 36.76, BOARD),
    ("gemma-3-12b", "UD-Q8_K_XL", "llama.cpp", 13.40, "https://github.com/kyuz0/amd-r9700-ai-toolboxes"),
    ("qwen3-30b-a3b", "UD-Q4_K_XL", "llama.cpp", 16.49, BOARD),
    ("qwen3-235b-a22b", "UD-Q3_K_XL", "llama.cpp", 96.994, BOARD),
    ("mistral-small-24b", "UD-Q4_K_XL", "llama.cpp", 13.54, BOARD),
)


@pytest.mark.parametrize(("model", "weights", "engine", "gib", "source"), LOGS)
def test_weights_take_what_logs_print(model: str, weights: str, engine: str | None, gib: float, source: str) -> None:
    assert weights_bytes(load_model(model), weights, engine=engine) / GIB == pytest.approx(gib, rel=WITHIN), source


@pytest.mark.parametrize("model", ["llama-3.1-8b", "qwen3-8b", "qwen3-0.6b"])
@pytest.mark.parametrize("weights", ["fp8", "int8"])
def test_eight_bits_leave_head_and_input_table_in_sixteen(model: str, weights: str) -> None:
    of = load_model(model)
    counted = parameters(of)
    tables = counted.head + counted.embedding
    norms = counted.other + sum(layer.norms for layer in counted.layers)
    assert weights_bytes(of, weights) == pytest.approx(counted.total + tables + norms, rel=1e-4)


def test_a_deployment_holds_what_its_engine_loads() -> None:
    model, device = load_model("gpt-oss-20b"), load_device("h100-sxm")
    held = {
        engine: places(Deployment(model, device, engine=engine))[0].weights_bytes
        for engine in ("vLLM", "TensorRT-LLM", "hf transformers", "llama.cpp", "LM Studio", None)
    }
    assert held["vLLM"] == held["TensorRT-LLM"] == held["hf transformers"] == pytest.approx(13.76e9, rel=WITHIN)
    assert held["llama.cpp"] == held["LM Studio"] == held[None] == pytest.approx(11.27 * GIB, rel=WITHIN)
    # All but experts takes 16 bits instead of 8.5 there.
    stored = stored_weights(model, "mxfp4", "llama.cpp")
    beside = stored.layers_bytes + stored.head_bytes + stored.embedding_bytes
    assert held["vLLM"] - held["llama.cpp"] == pytest.approx((16 - 8.5) / 8.5 * beside, rel=0.01)


@pytest.mark.parametrize("key", engine_keys())
def test_only_formats_that_kinds_of_files_store_differently_depend_on_the_engine(key: str) -> None:
    model, engine = load_model("qwen3-30b-a3b"), load_engine(key)
    for weights in ("f16", "fp8", "q4_k_m", "awq", "nvfp4"):
        assert weights_bytes(model, weights, engine=engine.name) == weights_bytes(model, weights)


@pytest.mark.parametrize(("large", "plain"), [("Q4_K_L", "Q4_K_M"), ("Q6_K_L", "Q6_K"), ("Q3_K_XL", "Q3_K_L")])
def test_large_files_of_bartowski_have_both_tables_in_q8_0(large: str, plain: str) -> None:
    # Qwen3.8 27B: 18,716,153,440 and 17,772,537,440 bytes in Q4_K_L and Q4_K_M, tables of 248,320 × 5,120.
    assert 248_320 * 5_120 * ((8.5 - 4.5) + (8.5 - 6.5625)) / 8 == pytest.approx(
        18_716_153_440 - 17_772_537_440, rel=1e-3
    )
    model = load_model("llama-3.1-8b")
    stored, beside = stored_weights(model, large), stored_weights(model, plain)
    assert stored.head_bytes == stored.embedding_bytes == model.vocab_size * model.hidden_size * 8.5 / 8
    assert stored.layers_bytes == beside.layers_bytes
    assert weight_format(large).name == large


def test_a_hybrid_in_q4_k_m_takes_what_llama_cpp_prints() -> None:
    # Qwen3.6 27B, of the same sizes as Qwen3.5 27B: 15.40 GiB (https://github.com/PrismML-Eng/Bonsai-demo, RTX A5000).
    model = read_config(COUNTED["qwen3.5-27b"][0])
    assert weights_bytes(model, "q4_k_m") / GIB == pytest.approx(15.40, rel=0.003)
