"""Headers of published files, by what llama.cpp's loader printed of them: keys, and tensors with their types.

Counts of tensors per type and sizes stand in public logs ("- type q4_K: 193 tensors", "file size = 4.58 GiB"), read on
2026-12-01; shapes follow from the models' config.json.
"""

from __future__ import annotations

from tests.pysim.gguf.writing import Given

T = tuple[str, str, tuple[int, ...]]


def _more_bits(layer: int, layers: int) -> bool:
    """Layers that Q4_K_M treats better: the first and last eighth, and every third between."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def llama_8b() -> tuple[dict[str, Given], list[T]]:
    """Llama 3.1 8B Q4_K_M: 66 f32, 193 q4_K and 33 q6_K tensors, 4.58 GiB, 4.89 bits."""
    values: dict[str, Given] = {
        "general.architecture": "llama", "general.name": "Meta Llama 3.1 8B Instruct", "general.file_type": 15,
        "llama.block_count": 32, "llama.context_length": 131072, "llama.embedding_length": 4096,
        "llama.feed_forward_length": 14336, "llama.attention.head_count": 32, "llama.attention.head_count_kv": 8,
        "llama.vocab_size": 128256, "llama.rope.dimension_count": 128,
    }  # fmt: skip
    tensors = [("token_embd.weight", "Q4_K", (4096, 128256)), ("rope_freqs.weight", "F32", (64,))]
    tensors += [("output_norm.weight", "F32", (4096,)), ("output.weight", "Q6_K", (4096, 128256))]
    for layer in range(32):
        better = "Q6_K" if _more_bits(layer, 32) else "Q4_K"
        tensors += [
            (f"blk.{layer}.{name}", kind, shape)
            for name, shape, kind in (
                ("attn_norm.weight", (4096,), "F32"),
                ("attn_q.weight", (4096, 4096), "Q4_K"),
                ("attn_k.weight", (4096, 1024), "Q4_K"),
                ("attn_v.weight", (4096, 1024), better),
                ("attn_output.weight", (4096, 4096), "Q4_K"),
                ("ffn_norm.weight", (4096,), "F32"),
                ("ffn_gate.weight", (4096, 14336), "Q4_K"),
                ("ffn_up.weight", (4096, 14336), "Q4_K"),
                ("ffn_down.weight", (14336, 4096), better),
            )
        ]
    return values, tensors


def qwen3_30b() -> tuple[dict[str, Given], list[T]]:
    """Qwen3-30B-A3B Q4_K_M: 241 f32, 289 q4_K and 49 q6_K tensors, 17.28 GiB, 4.86 bits."""
    values: dict[str, Given] = {
        "general.architecture": "qwen3moe", "general.name": "Qwen3-30B-A3B", "general.file_type": 15,
        "qwen3moe.block_count": 48, "qwen3moe.context_length": 40960, "qwen3moe.embedding_length": 2048,
        "qwen3moe.feed_forward_length": 6144, "qwen3moe.attention.head_count": 32,
        "qwen3moe.attention.head_count_kv": 4, "qwen3moe.attention.key_length": 128,
        "qwen3moe.attention.value_length": 128, "qwen3moe.expert_count": 128, "qwen3moe.expert_used_count": 8,
        "qwen3moe.expert_feed_forward_length": 768,
    }  # fmt: skip
    tensors = [("token_embd.weight", "Q4_K", (2048, 151936)), ("output_norm.weight", "F32", (2048,))]
    tensors.append(("output.weight", "Q6_K", (2048, 151936)))
    for layer in range(48):
        better = "Q6_K" if _more_bits(layer, 48) else "Q4_K"
        tensors += [
            (f"blk.{layer}.{name}.weight", kind, shape)
            for name, shape, kind in (
                ("attn_norm", (2048,), "F32"),
                ("attn_q", (2048, 4096), "Q4_K"),
                ("attn_q_norm", (128,), "F32"),
                ("attn_k", (2048, 512), "Q4_K"),
                ("attn_k_norm", (128,), "F32"),
                ("attn_v", (2048, 512), better),
                ("attn_output", (4096, 2048), "Q4_K"),
                ("ffn_norm", (2048,), "F32"),
                ("ffn_gate_inp", (2048, 128), "F32"),
                ("ffn_gate_exps", (2048, 768, 128), "Q4_K"),
                ("ffn_up_exps", (2048, 768, 128), "Q4_K"),
                ("ffn_down_exps", (768, 2048, 128), better),
            )
        ]
    return values, tensors


def qwen35_35b() -> tuple[dict[str, Given], list[T]]:
    """Qwen3.5-35B-A3B, here all in q8_0: 733 tensors, three of four layers with a fixed state."""
    values: dict[str, Given] = {
        "general.architecture": "qwen35moe", "general.name": "Qwen3.5-35B-A3B", "general.file_type": 7,
        "qwen35moe.block_count": 40, "qwen35moe.context_length": 262144, "qwen35moe.embedding_length": 2048,
        "qwen35moe.attention.head_count": 16, "qwen35moe.attention.head_count_kv": 2,
        "qwen35moe.attention.key_length": 256, "qwen35moe.attention.value_length": 256,
        "qwen35moe.expert_count": 256, "qwen35moe.expert_used_count": 8,
        "qwen35moe.expert_feed_forward_length": 512, "qwen35moe.expert_shared_feed_forward_length": 512,
        "qwen35moe.ssm.conv_kernel": 4, "qwen35moe.ssm.state_size": 128, "qwen35moe.ssm.group_count": 16,
        "qwen35moe.ssm.time_step_rank": 32, "qwen35moe.ssm.inner_size": 4096, "qwen35moe.full_attention_interval": 4,
    }  # fmt: skip
    tensors = [("token_embd.weight", "Q8_0", (2048, 248320)), ("output_norm.weight", "F32", (2048,))]
    tensors.append(("output.weight", "Q8_0", (2048, 248320)))
    for layer in range(40):
        linear: list[tuple[str, tuple[int, ...], str]] = [
            ("attn_qkv.weight", (2048, 8192), "Q8_0"),
            ("attn_gate.weight", (2048, 4096), "Q8_0"),
            ("ssm_conv1d.weight", (4, 8192), "F32"),
            ("ssm_dt.bias", (32,), "F32"),
            ("ssm_a", (32,), "F32"),
            ("ssm_beta.weight", (2048, 32), "Q8_0"),
            ("ssm_alpha.weight", (2048, 32), "Q8_0"),
            ("ssm_norm.weight", (128,), "F32"),
            ("ssm_out.weight", (4096, 2048), "Q8_0"),
        ]
        full: list[tuple[str, tuple[int, ...], str]] = [
            ("attn_q.weight", (2048, 8192), "Q8_0"),  # each query with its gate
            ("attn_q_norm.weight", (256,), "F32"),
            ("attn_k.weight", (2048, 512), "Q8_0"),
            ("attn_k_norm.weight", (256,), "F32"),
            ("attn_v.weight", (2048, 512), "Q8_0"),
            ("attn_output.weight", (4096, 2048), "Q8_0"),
        ]
        both: list[tuple[str, tuple[int, ...], str]] = [
            ("attn_norm.weight", (2048,), "F32"),
            ("post_attention_norm.weight", (2048,), "F32"),
            ("ffn_gate_inp.weight", (2048, 256), "F32"),
            ("ffn_gate_exps.weight", (2048, 512, 256), "Q8_0"),
            ("ffn_up_exps.weight", (2048, 512, 256), "Q8_0"),
            ("ffn_down_exps.weight", (512, 2048, 256), "Q8_0"),
            ("ffn_gate_inp_shexp.weight", (2048,), "F32"),
            ("ffn_gate_shexp.weight", (2048, 512), "Q8_0"),
            ("ffn_up_shexp.weight", (2048, 512), "Q8_0"),
            ("ffn_down_shexp.weight", (512, 2048), "Q8_0"),
        ]
        own = full if layer % 4 == 3 else linear
        tensors += [(f"blk.{layer}.{name}", kind, shape) for name, shape, kind in (*own, *both)]
    return values, tensors


def nemotron_30b() -> tuple[dict[str, Given], list[T]]:
    """Nemotron 3 Nano 30B-A3B, here all in q8_0: 52 layers of which each is one thing."""
    pattern = "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME"
    arch = "nemotron_h_moe"
    values: dict[str, Given] = {
        "general.architecture": arch, "general.name": "Nemotron 3 Nano", "general.file_type": 7,
        f"{arch}.block_count": 52, f"{arch}.context_length": 1048576, f"{arch}.embedding_length": 2688,
        f"{arch}.attention.head_count": tuple(32 * (mark == "*") for mark in pattern),
        f"{arch}.attention.head_count_kv": tuple(2 * (mark == "*") for mark in pattern),
        f"{arch}.feed_forward_length": tuple(1856 * (mark == "E") for mark in pattern),
        f"{arch}.attention.key_length": 128, f"{arch}.attention.value_length": 128,
        f"{arch}.expert_count": 128, f"{arch}.expert_used_count": 6, f"{arch}.expert_shared_count": 1,
        f"{arch}.expert_feed_forward_length": 1856, f"{arch}.expert_shared_feed_forward_length": 3712,
        f"{arch}.ssm.conv_kernel": 4, f"{arch}.ssm.inner_size": 4096, f"{arch}.ssm.state_size": 128,
        f"{arch}.ssm.group_count": 8, f"{arch}.ssm.time_step_rank": 64,
    }  # fmt: skip
    parts: dict[str, tuple[tuple[str, tuple[int, ...], str], ...]] = {
        "M": (
            ("ssm_in.weight", (2688, 4096 + 4096 + 2 * 8 * 128 + 64), "Q8_0"),
            ("ssm_conv1d.weight", (4, 4096 + 2 * 8 * 128), "F32"),
            ("ssm_conv1d.bias", (4096 + 2 * 8 * 128,), "F32"),
            ("ssm_dt.bias", (64,), "F32"),
            ("ssm_a", (1, 64), "F32"),
            ("ssm_d", (1, 64), "F32"),
            ("ssm_norm.weight", (512, 8), "F32"),
            ("ssm_out.weight", (4096, 2688), "Q8_0"),
        ),
        "*": (
            ("attn_q.weight", (2688, 4096), "Q8_0"),
            ("attn_k.weight", (2688, 256), "Q8_0"),
            ("attn_v.weight", (2688, 256), "Q8_0"),
            ("attn_output.weight", (4096, 2688), "Q8_0"),
        ),
        "E": (
            ("ffn_gate_inp.weight", (2688, 128), "F32"),
            ("exp_probs_b.bias", (128,), "F32"),
            ("ffn_up_exps.weight", (2688, 1856, 128), "Q8_0"),
            ("ffn_down_exps.weight", (1856, 2688, 128), "Q8_0"),
            ("ffn_up_shexp.weight", (2688, 3712), "Q8_0"),
            ("ffn_down_shexp.weight", (3712, 2688), "Q8_0"),
        ),
    }
    tensors = [("token_embd.weight", "Q8_0", (2688, 131072)), ("output_norm.weight", "F32", (2688,))]
    tensors.append(("output.weight", "Q8_0", (2688, 131072)))
    for layer, mark in enumerate(pattern):
        tensors.append((f"blk.{layer}.attn_norm.weight", "F32", (2688,)))
        tensors += [(f"blk.{layer}.{name}", kind, shape) for name, shape, kind in parts[mark]]
    return values, tensors
