"""Configs whose layers differ, the fields that matter, with what others count for them."""

from typing import Any

Config = dict[str, Any]

QWEN3_NEXT: Config = {
    "model_type": "qwen3_next", "hidden_size": 2048, "intermediate_size": 5120, "num_hidden_layers": 48,
    "num_attention_heads": 16, "num_key_value_heads": 2, "head_dim": 256, "vocab_size": 151936,
    "max_position_embeddings": 262144, "tie_word_embeddings": False, "decoder_sparse_step": 1,
    "full_attention_interval": 4, "linear_conv_kernel_dim": 4, "linear_key_head_dim": 128, "linear_num_key_heads": 16,
    "linear_num_value_heads": 32, "linear_value_head_dim": 128, "num_experts": 512, "num_experts_per_tok": 10,
    "moe_intermediate_size": 512, "shared_expert_intermediate_size": 512, "mlp_only_layers": [],
}  # fmt: skip
QWEN3_5_27B: Config = {
    "model_type": "qwen3_5",
    "text_config": {
        "model_type": "qwen3_5_text", "hidden_size": 5120, "intermediate_size": 17408, "num_hidden_layers": 64,
        "num_attention_heads": 24, "num_key_value_heads": 4, "head_dim": 256, "vocab_size": 248320,
        "max_position_embeddings": 262144, "full_attention_interval": 4, "linear_conv_kernel_dim": 4,
        "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 48,
        "linear_value_head_dim": 128, "mtp_num_hidden_layers": 1,
    },
    "tie_word_embeddings": False, "vision_config": {"depth": 27},
}  # fmt: skip
NEMOTRON_3_NANO: Config = {
    "model_type": "nemotron_h", "hidden_size": 2688, "num_hidden_layers": 52, "num_attention_heads": 32,
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME", "num_key_value_heads": 2,
    "head_dim": 128, "intermediate_size": 1856, "moe_intermediate_size": 1856, "n_routed_experts": 128,
    "num_experts_per_tok": 6, "n_shared_experts": 1, "moe_shared_expert_intermediate_size": 3712, "n_groups": 8,
    "mamba_num_heads": 64, "mamba_head_dim": 64, "ssm_state_size": 128, "conv_kernel": 4, "use_conv_bias": True,
    "vocab_size": 131072, "max_position_embeddings": 262144, "tie_word_embeddings": False,
}  # fmt: skip
GEMMA_4_26B: Config = {
    "model_type": "gemma4",
    "text_config": {
        "model_type": "gemma4_text", "hidden_size": 2816, "intermediate_size": 2112, "num_hidden_layers": 30,
        "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 256, "global_head_dim": 512,
        "num_global_key_value_heads": 2, "attention_k_eq_v": True, "sliding_window": 1024, "enable_moe_block": True,
        "num_experts": 128, "top_k_experts": 8, "moe_intermediate_size": 704, "hidden_size_per_layer_input": 0,
        "max_position_embeddings": 262144, "vocab_size": 262144,
    },
    "vision_config": {"num_hidden_layers": 27},
}  # fmt: skip
MIMO_V2_FLASH: Config = {
    "model_type": "mimo_v2_flash", "hidden_size": 4096, "num_hidden_layers": 48, "num_attention_heads": 64,
    "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "swa_num_key_value_heads": 8, "sliding_window": 128,
    "hybrid_layer_pattern": [0, *([1, 1, 1, 1, 0] * 1), *([1, 1, 1, 1, 1, 0] * 7)], "intermediate_size": 16384,
    "moe_layer_freq": [0] + [1] * 47, "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": None,
    "moe_intermediate_size": 2048, "vocab_size": 152576, "max_position_embeddings": 262144,
    "tie_word_embeddings": False,
}  # fmt: skip
DEEPSEEK_V3_2: Config = {
    "model_type": "deepseek_v32", "hidden_size": 7168, "intermediate_size": 18432, "num_hidden_layers": 61,
    "num_attention_heads": 128, "num_key_value_heads": 128, "q_lora_rank": 1536, "kv_lora_rank": 512,
    "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "first_k_dense_replace": 3,
    "n_routed_experts": 256, "num_experts_per_tok": 8, "n_shared_experts": 1, "moe_intermediate_size": 2048,
    "index_topk": 2048, "index_head_dim": 128, "index_n_heads": 64, "num_nextn_predict_layers": 1,
    "vocab_size": 129280, "max_position_embeddings": 163840, "tie_word_embeddings": False,
}  # fmt: skip
DEEPSEEK_V4_FLASH: Config = {
    "model_type": "deepseek_v4", "hidden_size": 4096, "num_hidden_layers": 43, "num_attention_heads": 64,
    "num_key_value_heads": 1, "head_dim": 512, "q_lora_rank": 1024, "o_groups": 8, "o_lora_rank": 1024,
    "qk_rope_head_dim": 64, "sliding_window": 128, "compress_ratios": [0, 0, *[4, 128] * 20, 4, 0], "hc_mult": 4,
    "index_topk": 512, "index_head_dim": 128, "index_n_heads": 64, "num_hash_layers": 3, "n_routed_experts": 256,
    "num_experts_per_tok": 6, "n_shared_experts": 1, "moe_intermediate_size": 2048, "num_nextn_predict_layers": 1,
    "vocab_size": 129280, "max_position_embeddings": 1048576, "tie_word_embeddings": False,
}  # fmt: skip
KIMI_K3: Config = {
    "model_type": "kimi_k3",
    "text_config": {
        "model_type": "kimi_linear", "hidden_size": 7168, "intermediate_size": 33792, "num_hidden_layers": 93,
        "num_attention_heads": 96, "num_key_value_heads": 96, "q_lora_rank": 1536, "kv_lora_rank": 512,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "mla_use_output_gate": True,
        "attn_res_block_size": 12, "first_k_dense_replace": 1, "num_experts": 896, "num_experts_per_token": 16,
        "num_shared_experts": 2, "moe_intermediate_size": 3072, "routed_expert_hidden_size": 3584,
        "linear_attn_config": {
            "full_attn_layers": [*range(4, 93, 4), 93], "head_dim": 128, "num_heads": 96, "short_conv_kernel_size": 4,
            "use_full_rank_gate": True,
        },
        "vocab_size": 163840, "max_position_embeddings": 1048576, "tie_word_embeddings": False,
    },
    "vision_config": {"vt_num_hidden_layers": 27},
}  # fmt: skip
LFM2_1_2B: Config = {
    "model_type": "lfm2", "hidden_size": 2048, "num_hidden_layers": 16, "num_attention_heads": 32,
    "num_key_value_heads": 8, "full_attn_idxs": [2, 5, 8, 10, 12, 14], "block_dim": 2048, "block_ff_dim": 12288,
    "conv_L_cache": 3, "conv_bias": False, "max_position_embeddings": 128000, "vocab_size": 65536,
    "tie_word_embeddings": True,
}  # fmt: skip

# Total and active parameters, bytes of the cache per token in 16 bits for good and in windows, of an index, and of
# the fixed state, in MiB. Counted by hand from the configs and checked against: llama.cpp's model_n_params
# (Qwen3.5-27B 26.90B, Gemma 4 26B 25.23B, DeepSeek V4 Flash 284.33B), and the publishers' cards (80B/3B, 31.6B/3.6B,
# 309B/15B, 671B/37B, 2.8T/104B, 1.17B).
COUNTED = {
    "qwen3-next": (QWEN3_NEXT, 79.67e9, 3.87e9, 24_576, 0, 0, 73.7),
    "qwen3.5-27b": (QWEN3_5_27B, 26.90e9, 26.90e9, 65_536, 0, 0, 146.8),
    "nemotron-3-nano": (NEMOTRON_3_NANO, 31.58e9, 3.58e9, 6_144, 0, 0, 46.8),
    "gemma-4-26b": (GEMMA_4_26B, 25.23e9, 3.82e9, 20_480, 204_800, 0, 0),
    "mimo-v2-flash": (MIMO_V2_FLASH, 308.78e9, 15.45e9, 23_040, 199_680, 0, 0),
    "deepseek-v3.2": (DEEPSEEK_V3_2, 671.88e9, 38.40e9, 70_272, 0, 8_052, 0),
    # 21 layers keep a row for 4 tokens, 20 for 128: 1024 × (21/4 + 20/128); the index 132 × 21/4.
    "deepseek-v4-flash": (DEEPSEEK_V4_FLASH, 284.33e9, 13.80e9, 5_536, 44_032, 693, 0),
    # 69 layers with 96 heads of 128 × 128 in 32 bits, and 3 inputs of 3 × 12,288 channels in 16.
    "kimi-k3": (KIMI_K3, 2779.9e9, 105.4e9, 27_648, 0, 0, 69 * (6 + 3 * 3 * 12_288 * 2 / 2**20)),
    # 10 convolutions of 2,048 channels keep two inputs in 16 bits.
    "lfm2-1.2b": (LFM2_1_2B, 1.17e9, 1.17e9, 12_288, 0, 0, 10 * 2 * 2048 * 2 / 2**20),
}
