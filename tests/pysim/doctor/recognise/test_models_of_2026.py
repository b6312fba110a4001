"""Are the models that people run in 2026 known by the words in which they write of them?"""

import pytest

from pysim import load_model
from pysim.doctor.case import Case
from pysim.doctor.diagnose import diagnose
from pysim.doctor.recognise.model import model_of

ANSWER = """
total duration:       14.1s
load duration:        21.4ms
prompt eval count:    640 token(s)
prompt eval duration: 2.0s
prompt eval rate:     320.00 tokens/s
eval count:           240 token(s)
eval duration:        12.0s
eval rate:            20.00 tokens/s
"""


def first(text: str) -> Case:
    return diagnose(text).cases[0]


@pytest.mark.parametrize(
    ("words", "key"),
    [
        ("Qwen3.6-35B-A3B-UD-Q4_K_XL.gguf", "qwen3.6-35b-a3b"),
        ("unsloth/Qwen3.6-27B-GGUF", "qwen3.6-27b"),
        ("gemma-4-26B-A4B-it-UD-Q4_K_XL.gguf", "gemma-4-26b-a4b"),
        ("gemma4:e4b", "gemma-4-e4b"),
        ("gemma4:31b", "gemma-4-31b"),
        ("GLM-4.5-Air-Q4_K_M-00001-of-00002.gguf", "glm-4.5-air"),
        ("zai-org/GLM-5.3-Flash", "glm-5.3-flash"),
        ("glm-5.1:cloud", "glm-5.1"),
        ("MiniMaxAI/MiniMax-M2.7", "minimax-m2.7"),
        ("moonshotai/Kimi-K2-Instruct-0905", "kimi-k2"),
        ("Kimi-K2.5-UD-TQ1_0.gguf", "kimi-k2.5"),
        ("NVIDIA-Nemotron-3-Nano-30B-A3B-NVFP4", "nemotron-3-nano-30b"),
        ("nemotron-3-super:120b", "nemotron-3-super-120b"),
        ("nvidia/Nemotron-Cascade-2-30B-A3B", "nemotron-3-nano-30b"),
        ("LFM2-8B-A1B-Q4_K_M.gguf", "lfm2-8b-a1b"),
        ("LFM2.5-8B-A1B", "lfm2.5-8b-a1b"),
        ("Qwen3-Coder-Next-MXFP4_MOE.gguf", "qwen3-coder-next"),
        ("granite-4.0-h-tiny-Q8_0.gguf", "granite-4.0-h-tiny"),
        ("mistralai/Ministral-3-14B-Instruct-2512", "ministral-3-14b"),
        ("deepseek-ai/DeepSeek-V4-Flash", "deepseek-v4-flash"),
        ("qwen3.5:122b", "qwen3.5-122b-a10b"),
        ("Step-3.7-Flash-IQ4_XS.gguf", "step-3.7-flash"),
        ("Laguna-XS.2.1-Q4_K_M", "laguna-xs.2"),
        ("smollm3:3b", "smollm3-3b"),
        ("Seed-OSS-36B-Instruct", "seed-oss-36b"),
        ("mistral:7b", "mistral-7b-v0.3"),
        ("mistralai/Mistral-7B-Instruct-v0.2", "mistral-7b-v0.2"),
    ],
)
def test_a_model_is_known_by_its_file_its_repository_or_its_tag(words: str, key: str) -> None:
    recognised = model_of(words)
    assert recognised is not None
    assert recognised.key == key


@pytest.mark.parametrize(
    ("sentence", "key"),
    [
        ("running qwen3.5 27b on it", "qwen3.5-27b"),
        ("Qwen3.6-35B-A3B, all layers on the card", "qwen3.6-35b-a3b"),
        ("that is GLM-4.5-Air by the way", "glm-4.5-air"),
        ("this is GLM 4.5 Air Q4_K_M", "glm-4.5-air"),
        ("with gpt-oss:20b", "gpt-oss-20b"),
        ("ollama run gemma4:e4b --verbose", "gemma-4-e4b"),
        ("the new Kimi K2.5 from unsloth", "kimi-k2.5"),
        ("MiniMax M2.7 at last", "minimax-m2.7"),
        ("DeepSeek V3.2, of course", "deepseek-v3.2"),
        ("qwen3 coder next, mxfp4", "qwen3-coder-next"),
        ("Step-3.7-Flash on two cards", "step-3.7-flash"),
        ("llama 3.3 70b", "llama-3.3-70b"),
        ("Phi-4-mini", "phi-4-mini"),
    ],
)
def test_a_model_is_heard_in_running_text(sentence: str, key: str) -> None:
    model = first(f"{sentence}\n{ANSWER}").model
    assert model is not None
    assert model.key == key


@pytest.mark.parametrize(
    "sentence", ["Kimi K2.9 is out", "GLM-6 soon", "I read about glm and kimi", "see section 4.5 of phi"]
)
def test_what_is_not_named_is_not_heard(sentence: str) -> None:
    model = first(f"{sentence}\n{ANSWER}").model
    assert model is None or model.key is None


def test_two_names_without_a_size_are_asked_about() -> None:
    model = first(f"Kimi K2.5 or GLM-4.5-Air?\n{ANSWER}").model
    assert model is not None
    assert (model.key, set(model.candidates)) == (None, {"kimi-k2.5", "glm-4.5-air"})


@pytest.mark.parametrize("words", ["Ornith-1.0-35B-Q4_K_M.gguf", "some-finetune-35b", "Qwen3.7-27B", "GLM-6-Air"])
def test_a_name_that_does_not_say_from_what_it_was_made_is_said_to_be_unknown(words: str) -> None:
    recognised = model_of(words)
    assert recognised is not None
    assert (recognised.key, recognised.candidates) == (None, ())
    assert "paste its config.json" in recognised.how


@pytest.mark.parametrize(
    ("label", "billions", "key"),
    [
        ("qwen35 27B Q4_K - Medium", 26.90, "qwen3.8-27b"),  # three models of one shape, the latest first
        ("qwen35moe 35B.A3B Q4_K - Medium", 34.66, "qwen3.6-35b-a3b"),
        ("gemma4 26B.A4B Q4_K - Medium", 25.23, "gemma-4-26b-a4b"),
        ("glm4moe 106B.A12B IQ4_XS - 4.25 bpw", 106.85, "glm-4.5-air"),
        ("qwen3next 80B.A3B Q4_K - Medium", 79.67, "qwen3-next-80b-a3b"),
        ("nemotron_h_moe 31B.A3.5B Q4_K - Medium", 31.58, "nemotron-3.5-lightning-30b"),
        ("deepseek2 671B Q2_K", 1026.41, "kimi-k2.6"),
        ("mistral3 14B Q4_K - Medium", 13.51, "ministral-3-14b"),
        ("granite 3B Q4_K - Medium", 8.17, "granite-3.3-8b"),
        ("qwen3vl 4B Q8_0", 4.02, "qwen3-vl-4b"),
        ("lfm2moe 8B.A1B Q4_K - Medium", 8.34, "lfm2-8b-a1b"),
    ],
)
def test_llama_cpps_label_and_count_tell_the_model(label: str, billions: float, key: str) -> None:
    recognised = model_of(label, billions * 1e9)
    assert recognised is not None
    assert recognised.key == key


def test_models_of_one_shape_are_named_together() -> None:
    recognised = model_of("qwen35 27B Q4_K - Medium", 26.90e9)
    assert recognised is not None
    for key in ("qwen3.5-27b", "qwen3.6-27b"):
        assert f"{load_model(key).name} has the same architecture" in recognised.how
