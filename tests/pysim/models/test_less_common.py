"""Are models of less common shapes counted as their publishers count them?"""

import pytest

from pysim import BadConfig, kv_bytes_per_token
from pysim.models.config import read_config
from pysim.models.parameters import parameters

Config = dict[str, object]
LONGCAT: Config = {
    "model_type": "longcat_flash", "hidden_size": 6144, "ffn_hidden_size": 12288, "expert_ffn_hidden_size": 2048,
    "num_layers": 28, "num_attention_heads": 64, "n_routed_experts": 512, "moe_topk": 12, "zero_expert_num": 256,
    "vocab_size": 131072, "q_lora_rank": 1536, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
    "v_head_dim": 128,
}  # fmt: skip
# Its class's defaults are the 11B model; a nested part is stored as its difference from them.
LLAMA_3_2_VISION: Config = {
    "model_type": "mllama", "vision_config": {"model_type": "mllama_vision_model"},
    "text_config": {"model_type": "mllama_text_model"},
}  # fmt: skip
COMMAND_R_PLUS: Config = {
    "model_type": "cohere", "hidden_size": 12288, "intermediate_size": 33792, "num_hidden_layers": 64,
    "num_attention_heads": 96, "num_key_value_heads": 8, "vocab_size": 256000, "max_position_embeddings": 131072,
    "use_qk_norm": True,
}  # fmt: skip
DEEPSEEK_OCR: Config = {
    "model_type": "deepseek_vl_v2", "vision_config": {"width": {}},
    "language_config": {
        "model_type": "deepseek_v2", "use_mla": False, "kv_lora_rank": None, "q_lora_rank": None, "hidden_size": 1280,
        "intermediate_size": 6848, "moe_intermediate_size": 896, "n_routed_experts": 64, "n_shared_experts": 2,
        "num_experts_per_tok": 6, "num_hidden_layers": 12, "num_attention_heads": 10, "num_key_value_heads": 10,
        "first_k_dense_replace": 1, "vocab_size": 129280, "max_position_embeddings": 8192, "v_head_dim": 0,
    },
}  # fmt: skip


@pytest.mark.parametrize(
    ("config", "billions", "active", "kv_bytes"),
    [
        # 560B, of which 18.6 to 31.3B work (technical report, 2025-09): moe_topk experts of a token at most.
        # 28 layers with two latents of 512 and 64 in 16 bits.
        (LONGCAT, 560, 31.3, 28 * 2 * (512 + 64) * 2),
        # 10.7B with the vision encoder's 0.9B; 32 of 40 layers keep 2 · 8 · 128 numbers for each token of the text.
        (LLAMA_3_2_VISION, 9.8, 9.8, 32 * 2 * 8 * 128 * 2),
        (COMMAND_R_PLUS, 104, 104, 64 * 2 * 8 * 128 * 2),
        # 3B, 570M of them active without the two tables of 129,280 rows of 1,280.
        (DEEPSEEK_OCR, 2.9, 0.57 + 0.165, 12 * 2 * 10 * 128 * 2),
    ],
)
def test_a_model_is_counted(config: Config, billions: float, active: float, kv_bytes: int) -> None:
    model = read_config(config)
    assert parameters(model).total / 1e9 == pytest.approx(billions, rel=0.015)
    assert parameters(model).active / 1e9 == pytest.approx(active, rel=0.03)
    assert kv_bytes_per_token(model) == kv_bytes


def test_the_first_command_r_was_trained_on_more_than_its_usual_field_says() -> None:
    first = {**COMMAND_R_PLUS, "use_qk_norm": False, "max_position_embeddings": 8192, "model_max_length": 131072}
    assert read_config(first).max_position_embeddings == 131_072
    assert read_config({**COMMAND_R_PLUS, "max_position_embeddings": 8192}).max_position_embeddings == 8192


def test_a_setting_that_leads_to_another_reading_is_named() -> None:
    language = DEEPSEEK_OCR["language_config"]
    assert isinstance(language, dict)
    with pytest.raises(BadConfig, match="use_mla is False: moe_intermediate_size is missing"):
        read_config({name: value for name, value in language.items() if name != "moe_intermediate_size"})


def test_a_language_part_is_what_its_settings_say() -> None:
    """Without MLA a config of DeepSeek V2 keeps whole keys and values; a null rank is not the class's 512."""
    assert read_config(DEEPSEEK_OCR).attention_kind == "mha"
    assert read_config(DEEPSEEK_OCR).left_out == ("a vision encoder",)
