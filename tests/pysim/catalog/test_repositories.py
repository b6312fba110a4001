"""Do ids, files and tags of models lead to the model that they hold, whoever stored it and how?"""

import tomllib
from dataclasses import replace

import pytest

from pysim import BadValue, UnknownName, load_model, model_keys
from pysim.catalog.files import CATALOG
from pysim.formats.default import says_format
from pysim.formats.names import weight_format


@pytest.mark.parametrize("key", model_keys())
def test_the_ids_of_an_entry_lead_to_it(key: str) -> None:
    ids = tomllib.loads((CATALOG / "models" / f"{key}.toml").read_text(encoding="utf-8")).get("hugging_face", [])
    for name in ids:
        assert load_model(name).key == key
        assert load_model(name.lower()).key == key


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("Qwen/Qwen3.5-27B-FP8", "qwen3.5-27b"),
        ("unsloth/Qwen3.6-35B-A3B-GGUF", "qwen3.6-35b-a3b"),
        ("mlx-community/Qwen3.6-27B-4bit", "qwen3.6-27b"),
        ("cyankiwi/Qwen3.5-35B-A3B-AWQ-4bit", "qwen3.5-35b-a3b"),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "llama-3.3-70b"),
        ("nvidia/Qwen3-32B-NVFP4", "qwen3-32b"),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", "nemotron-3-nano-30b"),
        ("bartowski/Qwen_Qwen3-30B-A3B-Instruct-2507-GGUF", "qwen3-30b-a3b-2507"),
        ("lmstudio-community/gemma-4-26B-A4B-it-GGUF", "gemma-4-26b-a4b"),
        ("gemma-4-26B-A4B-it-UD-Q4_K_XL.gguf", "gemma-4-26b-a4b"),
        ("Qwen3-235B-A22B-Q3_K_M-00001-of-00003.gguf", "qwen3-235b-a22b"),
        ("qwen3.5:27b", "qwen3.5-27b"),
        ("gemma4:e4b", "gemma-4-e4b"),
        ("gpt-oss:20b", "gpt-oss-20b"),
        ("qwen3:30b-a3b-instruct-2507-q4_K_M", "qwen3-30b-a3b-2507"),
        ("zai-org/GLM-4.5-Air-FP8", "glm-4.5-air"),
        ("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "qwen2.5-72b"),
        ("Qwen/Qwen2.5-7B-Instruct-1M", "qwen2.5-7b-1m"),
        ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "llama-3.1-8b"),
        ("deepseek-ai/DeepSeek-R1-Distill-Llama-8B", "llama-3.1-8b"),
        ("hf.co/unsloth/Qwen3.5-27B-GGUF:Q4_K_M", "qwen3.5-27b"),
        ("https://huggingface.co/google/gemma-4-31B-it", "gemma-4-31b"),
        ("Mistral 7B", "mistral-7b-v0.3"),
    ],
)
def test_how_a_model_is_stored_does_not_change_it(name: str, key: str) -> None:
    assert load_model(name).key == key


@pytest.mark.parametrize(
    "name",
    [
        "deepreinforce-ai/Ornith-1.0-35B",  # a model trained further, whose name does not say from which
        "someone/Qwen3-9B-FP8",  # a size that Qwen3 does not have
        "Qwen/Qwen3-30B-A3B-Instruct-2603",  # another edition
        "../models/gpt2", "/models/gpt2", "a/b/gpt2", "a/b", "x/GGUF", "/", "-GGUF", "FP8", "unsloth/",
    ],
)  # fmt: skip
def test_what_is_not_known_is_refused(name: str) -> None:
    with pytest.raises(UnknownName):
        load_model(name)


def test_a_tag_that_means_several_asks() -> None:
    with pytest.raises(BadValue, match=r'"deepseek-r1-0528-qwen3-8b" or "llama-3\.1-8b"'):
        load_model("deepseek-r1:8b")


def test_mistral_7b_has_a_window_in_its_first_version_alone() -> None:
    windows = {name: load_model(f"mistralai/Mistral-7B-{name}").sliding_window for name in ("v0.1", "v0.3")}
    assert windows == {"v0.1": 4096, "v0.3": None}
    assert load_model("mistralai/Mistral-7B-Instruct-v0.2").sliding_window is None


# As the publishers' cards and configs say, by the name under which people ask.
CONTEXTS = {
    "Mistral 7B": 32_768, "Mistral 7B v0.1": 32_768, "Command R": 131_072, "Aya 23 8B": 8_192,
    "Llama 3 8B": 8_192, "Llama 3 70B": 8_192, "Llama 3.1 8B": 131_072, "Llama 3.3 70B": 131_072,
    "R1 Distill Llama 70B": 131_072, "QwQ 32B": 131_072, "Qwen2.5 1.5B": 131_072, "Qwen2 1.5B": 32_768,
    "Qwen2.5 7B Instruct 1M": 1_010_000, "Qwen3 0.6B": 40_960, "Qwen3 8B": 40_960, "Qwen3 32B": 40_960,
    "Qwen3 30B A3B": 40_960, "Qwen3 30B A3B Instruct 2507": 262_144, "Qwen3 4B Thinking 2507": 262_144,
    "Qwen3 Coder 30B": 262_144, "Qwen3 Coder 480B": 262_144, "DeepSeek R1 0528 Qwen3 8B": 131_072,
    "Qwen3 VL 8B": 262_144, "Qwen3 Next": 262_144, "Qwen3.6 27B": 262_144, "Gemma 3 1B": 32_768, "Gemma 3 4B": 131_072,
    "Gemma 4 E4B": 131_072, "Gemma 4 31B": 262_144, "GLM-4.5": 131_072, "GLM-4.6": 202_752, "GLM-4.7": 202_752,
    "Kimi K2 Instruct": 131_072, "Kimi K2 Thinking": 262_144, "Kimi K2.5": 262_144, "MiniMax M2.5": 196_608,
    "Devstral Small": 131_072, "Mistral Small 24B Instruct 2501": 32_768, "Mistral Small 3.2": 131_072,
    "Mistral Large 2": 131_072,
    "LFM2 1.2B": 128_000, "LFM2.5 1.2B": 32_768, "Nemotron-H 56B": 8_192, "Nemotron Nano 9B v2": 131_072,
    "Phi-4": 16_384, "Phi-4 reasoning": 32_768, "Phi 3 mini": 4_096, "Phi 3 mini 128k": 131_072, "Moonlight": 8_192,
    "Olmo 3 7B Instruct": 65_536, "Granite 3.3": 131_072, "Code Llama 7B": 16_384, "DeepSeek V3.1": 163_840,
}  # fmt: skip


@pytest.mark.parametrize(("name", "tokens"), CONTEXTS.items())
def test_a_name_leads_to_an_entry_with_its_context(name: str, tokens: int) -> None:
    assert load_model(name).max_position_embeddings == tokens


@pytest.mark.parametrize(
    ("name", "stored"),
    [
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "fp8"),
        ("nvidia/Qwen3-32B-NVFP4", "nvfp4"),
        ("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4", "awq-int4"),
        ("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int4", "gptq-int4"),
        ("Qwen/Qwen2.5-72B-Instruct-GPTQ-Int8", "gptq-int8"),
        ("mlx-community/Qwen3.6-27B-4bit", "mlx-q4"),
        ("unsloth/Llama-3.1-8B-Instruct-bnb-4bit", "nf4"),
        ("gemma-4-26B-A4B-it-UD-Q4_K_XL.gguf", "ud-q4_k_xl"),
        ("Qwen3-235B-A22B-Q3_K_M-00001-of-00003.gguf", "q3_k_m"),
        ("qwen3:30b-a3b-instruct-2507-q4_K_M", "q4_k_m"),
        ("hf.co/unsloth/Qwen3.5-27B-GGUF:IQ4_XS", "iq4_xs"),
        ("openai/gpt-oss-20b", "mxfp4"),
        ("lmstudio-community/gpt-oss-20b-BF16", "bf16"),
        ("nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", None),
        ("unsloth/Qwen3.6-35B-A3B-GGUF", None),
        ("Qwen/Qwen3-32B", None),
    ],
)
def test_how_its_weights_are_stored_is_what_the_name_says(name: str, stored: str | None) -> None:
    model = load_model(name)
    assert model.quantization == stored
    assert stored is None or weight_format(stored)
    assert load_model(name) is model
    own = load_model(model.key)
    assert model == replace(own, quantization=stored, stored_by=model.stored_by, other_widths=model.other_widths)
    if model.stored_by == "name":
        assert says_format(model).endswith(", as its name says")
