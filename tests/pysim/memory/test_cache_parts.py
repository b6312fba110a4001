"""What does each layer keep of a text, and how is it said?"""

import json
from pathlib import Path

import pytest

import pysim
from pysim.memory.cache_parts import kept_by_layer, layers_in_words

# Qwen3-Next's layers: three of Gated DeltaNet, then one of attention, over and over.
HYBRID = {
    "model_type": "qwen3_next",
    "hidden_size": 2048,
    "num_hidden_layers": 8,
    "num_attention_heads": 16,
    "num_key_value_heads": 2,
    "head_dim": 256,
    "vocab_size": 1000,
    "intermediate_size": 5120,
    "moe_intermediate_size": 512,
    "shared_expert_intermediate_size": 512,
    "num_experts": 16,
    "num_experts_per_tok": 2,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_conv_kernel_dim": 4,
    "full_attention_interval": 4,
    "max_position_embeddings": 4096,
}


def of(tmp_path: Path, **config: object) -> pysim.Model:
    file = tmp_path / "config.json"
    file.write_text(json.dumps(config), encoding="utf-8")
    return pysim.load_model(str(file))


def test_every_fourth_layer_of_a_hybrid_keeps_rows_in_the_order_of_the_layers(tmp_path: Path) -> None:
    model = of(tmp_path, **HYBRID)
    assert kept_by_layer(model) == ("state", "state", "state", "rows") * 2
    assert layers_in_words(model) == "2 of 8 layers keep a row for every token and 6 one state of fixed size"


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("llama-3.1-8b", ""),
        ("deepseek-v3", ""),
        # Gemma 3: five layers with a window, then one without; 48 layers.
        ("gemma-3-12b", "8 of 48 layers keep a row for every token and 40 only the last tokens' rows"),
        # gpt-oss: every second layer has a window.
        ("gpt-oss-20b", "12 of 24 layers keep a row for every token and 12 only the last tokens' rows"),
    ],
)
def test_only_models_with_different_layers_need_words(key: str, words: str) -> None:
    assert layers_in_words(pysim.load_model(key)) == words
