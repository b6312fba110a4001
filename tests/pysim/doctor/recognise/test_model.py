"""Is every model of the catalogue known by the words that tools and people use, and no other by mistake?"""

import pytest

from pysim.catalog.files import model_keys, names_in
from pysim.doctor.recognise.label import may_have_experts
from pysim.doctor.recognise.model import model_of
from pysim.engines.load import load_engine
from pysim.load import load_model
from pysim.models.parameters import parameters

# What Hugging Face, files and ollama call it; several names with "|" between them.
NAMES = {
    "aya-23-cohere": "CohereForAI/aya-23-8B|aya:8b",
    "command-r-v01": "CohereForAI/c4ai-command-r-v01|command-r:35b",
    "deepseek-r1": "deepseek-ai/DeepSeek-R1|deepseek-r1:671b",
    "deepseek-v2-lite": "deepseek-ai/DeepSeek-V2-Lite-Chat|DeepSeek-Coder-V2-Lite-Instruct|deepseek-coder-v2:16b",
    "deepseek-v3": "deepseek-ai/DeepSeek-V3-0324|deepseek-v3:671b|DeepSeek-V3.1-UD-Q2_K_XL.gguf",
    "falcon-7b": "tiiuae/falcon-7b-instruct|falcon:7b",
    "gemma-2-27b": "google/gemma-2-27b-it|gemma2:27b",
    "gemma-2-9b": "gemma-2-9b-it-Q4_K_M.gguf|gemma2:9b",
    "gemma-3-12b": "google/gemma-3-12b-it|gemma3:12b",
    "gemma-3-27b": "gemma-3-27b-it-qat-q4_0.gguf|gemma3:27b",
    "gemma-3-4b": "google/gemma-3-4b-it|gemma3:4b",
    "glm-4.7-flash": "zai-org/GLM-4.7-Flash|glm-4.7-flash",
    "gpt-oss-120b": "openai/gpt-oss-120b|gpt-oss:120b|gpt-oss-120b-mxfp4-00001-of-00003.gguf",
    "gpt-oss-20b": "openai/gpt-oss-20b|gpt-oss:20b",
    "gpt2": "openai-community/gpt2|gpt-2",
    "llama-2-13b": "meta-llama/Llama-2-13b-chat-hf|llama2:13b",
    "llama-2-70b": "meta-llama/Llama-2-70b-hf|llama2:70b",
    "llama-2-7b": "llama-2-7b-chat.Q4_0.gguf|llama2:7b",
    "llama-3.1-405b": "meta-llama/Llama-3.1-405B-Instruct-FP8|llama3.1:405b",
    "llama-3-8b": "meta-llama/Meta-Llama-3-8B-Instruct|llama3:8b",
    "llama-3-70b": "Meta-Llama-3-70B",
    "llama-3.1-70b": "llama3.1:70b|nvidia/Llama-3.1-Nemotron-70B-Instruct-HF",
    "llama-3.3-70b": "meta-llama/Llama-3.3-70B-Instruct|llama3.3:70b|DeepSeek-R1-Distill-Llama-70B",
    "llama-3.1-8b": "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf|llama3.1:8b|DeepSeek-R1-Distill-Llama-8B",
    "llama-3.2-1b": "meta-llama/Llama-3.2-1B-Instruct|llama3.2:1b",
    "llama-3.2-3b": "llama3.2:3b|Llama-3.2-3B-Instruct-Q8_0.gguf",
    "llama-4-scout": "meta-llama/Llama-4-Scout-17B-16E-Instruct|llama4:scout|llama4:16x17b",
    "mistral-7b-v0.1": "mistralai/Mistral-7B-v0.1|Mistral-7B-Instruct-v0.1",
    "mistral-7b-v0.2": "mistralai/Mistral-7B-Instruct-v0.2|mistral-7b-instruct-v0.2.Q4_K_M.gguf",
    "mistral-7b-v0.3": "mistralai/Mistral-7B-Instruct-v0.3|mistral:7b",
    "mistral-small-24b": "mistralai/Mistral-Small-3.2-24B-Instruct-2506|mistral-small:24b|Devstral-Small-2505",
    "mistral-small-24b-2501": "mistralai/Mistral-Small-24B-Instruct-2501",
    "mixtral-8x22b-v0.1": "mistralai/Mixtral-8x22B-Instruct-v0.1|mixtral:8x22b",
    "mixtral-8x7b-v0.1": "mistralai/Mixtral-8x7B-Instruct-v0.1|mixtral:8x7b",
    "olmo2-13b": "allenai/OLMo-2-1124-13B|olmo2:13b",
    "olmo2-32b": "allenai/OLMo-2-0325-32B-Instruct|olmo2:32b",
    "olmo2-7b": "allenai/OLMo-2-1124-7B-Instruct|olmo2:7b",
    "phi-3-mini-4k": "microsoft/Phi-3-mini-4k-instruct|phi3:3.8b",
    "phi-3.5-mini": "microsoft/Phi-3.5-mini-instruct|Phi-3-mini-128k-instruct|phi3.5:3.8b",
    "phi-4": "microsoft/phi-4|phi4:14b",
    "phi-4-mini": "microsoft/Phi-4-mini-instruct|phi4-mini:3.8b",
    "qwen2-0.5b": "Qwen/Qwen2-0.5B-Instruct|qwen2:0.5b",
    "qwen2-1.5b": "Qwen/Qwen2-1.5B-Instruct|qwen2:1.5b",
    "qwen2-7b": "Qwen/Qwen2-7B-Instruct|qwen2:7b",
    "qwen2.5-0.5b": "Qwen/Qwen2.5-0.5B|qwen2.5:0.5b|models/qwen/Qwen2.5-0.5B-Instruct-f16.gguf",
    "qwen2.5-1.5b": "qwen2.5:1.5b|deepseek-ai/DeepSeek-R1-Distill-Qwen-1.5B",
    "qwen2.5-14b": "Qwen/Qwen2.5-14B-Instruct-AWQ|qwen2.5-coder:14b|deepseek-r1:14b",
    "qwen2.5-32b": "qwen2.5-coder:32b|DeepSeek-R1-Distill-Qwen-32B",
    "qwen2.5-32b-instruct": "Qwen/Qwen2.5-32B-Instruct|Qwen2.5-32B-Instruct-Q4_K_M.gguf",
    "qwen2.5-3b": "Qwen/Qwen2.5-3B-Instruct|qwen2.5:3b",
    "qwen2.5-72b": "Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4|qwen2:72b",
    "qwen2.5-7b": "Qwen/Qwen2.5-Coder-7B-Instruct|qwen2.5:7b-instruct-q4_K_M|deepseek-ai/DeepSeek-R1-Distill-Qwen-7B",
    "qwen3-0.6b": "Qwen/Qwen3-0.6B|qwen3:0.6b",
    "qwen3-1.7b": "Qwen/Qwen3-1.7B-GGUF|qwen3:1.7b",
    "qwen3-14b": "Qwen/Qwen3-14B-AWQ|qwen3:14b",
    "qwen3-235b-a22b": "Qwen/Qwen3-235B-A22B|qwen3:235b",
    "qwen3-235b-a22b-2507": "Qwen/Qwen3-235B-A22B-Instruct-2507|Qwen3-235B-A22B-Thinking-2507-UD-Q3_K_XL",
    "qwen3-30b-a3b": "Qwen/Qwen3-30B-A3B-GPTQ-Int4|qwen3:30b",
    "qwen3-30b-a3b-2507": "Qwen3-Coder-30B-A3B-Instruct-Q4_K_M.gguf|qwen3-coder:30b|Qwen3-30B-A3B-Thinking-2507",
    "qwen3-32b": "Qwen/Qwen3-32B-FP8|qwen3:32b",
    "qwen3-4b": "Qwen/Qwen3-4B-GGUF|qwen3:4b",
    "qwen3-4b-2507": "Qwen3-4B-Instruct-2507-Q4_K_M.gguf",
    "qwen3-8b": "Qwen/Qwen3-8B|qwen3:8b",
    "deepseek-r1-0528-qwen3-8b": "deepseek-ai/DeepSeek-R1-0528-Qwen3-8B",
    "qwq-32b": "Qwen/QwQ-32B|qwq:32b",
    "smollm-1.7b": "HuggingFaceTB/SmolLM-1.7B|smollm:1.7b",
    "smollm2-1.7b": "HuggingFaceTB/SmolLM2-1.7B-Instruct|smollm2:1.7b",
    "smollm2-135m": "SmolLM2-135M-Instruct-Q8_0.gguf|smollm2:135m",
    "tinyllama-1.1b": "TinyLlama-1.1B-Chat-v1.0.Q4_0.gguf|tinyllama|tinyllama:1.1b",
}
# llama.cpp's label of an architecture and a size, with the parameters as its table prints them.
LABELS = {
    "llama 8B Q4_K - Medium|8.03": "llama-3.1-8b",
    "llama 7B mostly Q4_0|6.74": "llama-2-7b",
    "llama 7B Q4_0|7.24": "mistral-7b-v0.2",  # llama.cpp computes v0.1 without its window, so they run alike
    "llama 7B Q4_0|7.25": "mistral-7b-v0.3",  # 6 million more in its two tables
    "llama 13B Q4_K - Medium|23.57": "mistral-small-24b",  # named by its 40 layers
    "llama 13B Q4_0|13.02": "llama-2-13b",
    "llama 70B Q4_K - Medium|70.55": "llama-3.3-70b",
    "llama 70B Q4_0|68.98": "llama-2-70b",
    "llama 8x7B Q4_K - Medium|46.70": "mixtral-8x7b-v0.1",
    "llama 1B Q4_0|1.24": "llama-3.2-1b",
    "llama 1B Q4_0|1.10": "tinyllama-1.1b",
    "llama 3B Q8_0|3.21": "llama-3.2-3b",
    "llama4 17Bx16E (Scout) Q4_K - Medium|107.77": "llama-4-scout",
    "qwen2 7B Q8_0|7.62": "qwen2-7b",
    "qwen2 32B Q4_K - Medium|32.76": "qwen2.5-32b",
    "qwen3 8B Q4_K - Medium|8.19": "qwen3-8b",
    "qwen3 0.6B Q8_0|0.596": "qwen3-0.6b",
    "qwen3moe 30B.A3B IQ4_XS - 4.25 bpw|30.53": "qwen3-30b-a3b",
    "qwen3moe ?B IQ4_XS_R8 - 4.25 bpw|30.53": "qwen3-30b-a3b",
    "qwen3moe 235B.A22B Q4_K|235.09": "qwen3-235b-a22b",
    "gpt-oss 120B MXFP4 MoE|116.83": "gpt-oss-120b",
    "gpt-oss 20B MXFP4 MoE|20.91": "gpt-oss-20b",
    "gemma2 27B Q4_K|27.23": "gemma-2-27b",
    "gemma3 12B Q4_0|11.77": "gemma-3-12b",
    "gemma3 4B Q4_0|3.88": "gemma-3-4b",
    "phi3 14B Q4_K - Medium|14.66": "phi-4",
    "phi3 3B Q4_K - Medium|3.84": "phi-4-mini",
    "command-r 35B Q4_K|34.98": "command-r-v01",
    "deepseek2 16B Q4_0|15.71": "deepseek-v2-lite",
    "olmo2 13B F16|13.72": "olmo2-13b",
    "gpt2 0.1B F16|0.124": "gpt2",
    "falcon 7B Q4_0|6.92": "falcon-7b",
}


@pytest.mark.parametrize("key", model_keys())
def test_a_model_is_known_by_its_key_its_name_and_all_that_its_file_calls_it(key: str) -> None:
    for name in names_in("models")[key]:
        recognised = model_of(name)
        assert recognised is not None, name
        assert key in (recognised.key, *recognised.candidates), name


@pytest.mark.parametrize(("key", "name"), [(key, name) for key, names in NAMES.items() for name in names.split("|")])
def test_a_model_is_known_by_its_names(key: str, name: str) -> None:
    recognised = model_of(name)
    assert recognised is not None
    assert recognised.key == key


@pytest.mark.parametrize(("label", "key"), LABELS.items())
def test_a_label_is_told_by_its_parameters(label: str, key: str) -> None:
    words, billions = label.split("|")
    recognised = model_of(words, float(billions) * 1e9)
    assert recognised is not None
    assert recognised.key == key
    assert words.split()[0] in recognised.how


@pytest.mark.parametrize("key", model_keys())
def test_a_model_is_known_by_its_own_name_and_count(key: str) -> None:
    model = load_model(key)
    recognised = model_of(model.name, float(parameters(model).total))
    assert recognised is not None
    assert recognised.key == key


@pytest.mark.parametrize(
    ("words", "parameters", "candidates"),
    [
        # All are called 7B: of 6.74, 7.24 or 7.46 billion.
        ("llama 7B Q4_0", None, {"llama-2-7b", "mistral-7b-v0.3", "falcon3-7b"}),
        # ollama's tag was a distilled Llama first and a distilled Qwen3 later.
        ("deepseek-r1:8b", None, {"llama-3.1-8b", "deepseek-r1-0528-qwen3-8b"}),
        # Equal counts, but one of the two looks back on a window only.
        ("phi3 3B Q4_K - Medium", 3.82e9, {"phi-3-mini-4k", "phi-3.5-mini"}),
    ],
)
def test_what_fits_several_is_asked_not_guessed(words: str, parameters: float | None, candidates: set[str]) -> None:
    recognised = model_of(words, parameters)
    assert recognised is not None
    assert recognised.key is None
    assert set(recognised.candidates) == candidates


@pytest.mark.parametrize(
    "words",
    [
        "granite-3.0-2b-instruct", "orca-mini", "Qwen3.7-27B-Q8_0.gguf", "google/gemma-3n-e2b", "codellama:3b",
        "Ornith-1.0-35B-Q4_K_M.gguf", "meta-llama/Llama-3.2-11B-Vision", "CohereForAI/c4ai-command-r-plus",
        "deepseek-ai/DeepSeek-R1-Distill-Qwen-4B", "gpt2-xl", "models/7B/ggml-model-q4_0.gguf", "llama", "7b", "?",
    ],
)  # fmt: skip
def test_what_is_not_in_the_catalogue_is_not_taken_for_a_relative(words: str) -> None:
    recognised = model_of(words)
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ())


def test_a_name_with_other_parameters_is_not_believed() -> None:
    recognised = model_of("Llama-3.1-8B-pruned.gguf", 4.5e9)
    assert recognised is not None
    assert recognised.key is None
    assert "4.50 B parameters" in recognised.how


def test_without_a_tag_ollama_takes_its_latest() -> None:
    for words, key in (
        ("mistral", "mistral-7b-v0.3"),
        ("llama3.2", "llama-3.2-3b"),
        ("llama3.3:latest", "llama-3.3-70b"),
    ):
        recognised = model_of(words, registry=load_engine("ollama").registry)
        assert recognised is not None
        assert recognised.key == key
    bare = model_of("mistral")
    assert bare is not None
    assert bare.key is None


def test_models_built_alike_are_named() -> None:
    recognised = model_of("qwen2 7B Q8_0", 7.62e9)
    assert recognised is not None
    assert "Qwen2.5 7B has the same architecture" in recognised.how


def test_no_words_name_nothing() -> None:
    assert model_of(None) is None
    assert model_of("  ") is None


@pytest.mark.parametrize(
    ("label", "may"),
    [
        ("dots1 ?B", True), ("grok 314B", True), ("glm4moe ?B", True), ("qwen3next ?B", True), ("gemma4 ?B", True),
        ("llama 34B", False), ("qwen2 33B", False), ("cohere2 111B", False), ("Qwen3-32B", False), ("", False),
    ],
)  # fmt: skip
def test_an_architecture_that_is_not_known_to_be_dense_may_have_experts(label: str, may: bool) -> None:
    assert may_have_experts(label) == may
