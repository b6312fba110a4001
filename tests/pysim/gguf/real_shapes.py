"""Tensor lists of real models as llama.cpp's converter names and shapes them, with the numbers of their headers.

Names and keys: gguf-py/gguf/constants.py and tensor_mapping.py of https://github.com/ggml-org/llama.cpp, 2026-11;
sizes: the models' own configs.
"""

from __future__ import annotations

from collections.abc import Sequence

from tests.pysim.gguf.writing import Given, gguf

Tensors = list[tuple[str, str, Sequence[int]]]


def norm(name: str, size: int) -> tuple[str, str, Sequence[int]]:
    return (f"{name}.weight", "F32", (size,))


def full(at: str, hidden: int, heads: int, kv_heads: int, width: int, kind: str, gate: int = 1) -> Tensors:
    return [
        norm(f"{at}attn_norm", hidden),
        (f"{at}attn_q.weight", kind, (hidden, gate * heads * width)),
        (f"{at}attn_k.weight", kind, (hidden, kv_heads * width)),
        (f"{at}attn_v.weight", kind, (hidden, kv_heads * width)),
        (f"{at}attn_output.weight", kind, (heads * width, hidden)),
    ]


def head_norms(at: str, width: int) -> Tensors:
    return [norm(f"{at}attn_q_norm", width), norm(f"{at}attn_k_norm", width)]


def gated(at: str, hidden: int, feed: int, kind: str) -> Tensors:
    return [
        (f"{at}ffn_gate.weight", kind, (hidden, feed)),
        (f"{at}ffn_up.weight", kind, (hidden, feed)),
        (f"{at}ffn_down.weight", kind, (feed, hidden)),
    ]


def experts(at: str, hidden: int, feed: int, count: int, kind: str) -> Tensors:
    return [
        (f"{at}ffn_gate_inp.weight", "F32", (hidden, count)),
        (f"{at}ffn_gate_exps.weight", kind, (hidden, feed, count)),
        (f"{at}ffn_up_exps.weight", kind, (hidden, feed, count)),
        (f"{at}ffn_down_exps.weight", kind, (feed, hidden, count)),
    ]


def tables(hidden: int, vocabulary: int, kind: str, *, tied: bool = False) -> Tensors:
    head: Tensors = [] if tied else [("output.weight", kind, (hidden, vocabulary))]
    return [("token_embd.weight", kind, (hidden, vocabulary)), norm("output_norm", hidden), *head]


def header(architecture: str, numbers: dict[str, Given], tensors: Tensors, file_type: int) -> bytes:
    values: dict[str, Given] = {"general.architecture": architecture, "general.file_type": file_type}
    return gguf(values | {f"{architecture}.{name}": value for name, value in numbers.items()}, tensors)


def llama_3_1_8b() -> bytes:
    tensors = [*tables(4096, 128256, "Q8_0"), ("rope_freqs.weight", "F32", (64,))]
    for layer in range(32):
        at = f"blk.{layer}."
        tensors += [*full(at, 4096, 32, 8, 128, "Q8_0"), norm(f"{at}ffn_norm", 4096)]
        tensors += gated(at, 4096, 14336, "Q8_0")
    numbers: dict[str, Given] = {
        "block_count": 32, "context_length": 131072, "embedding_length": 4096, "feed_forward_length": 14336,
        "attention.head_count": 32, "attention.head_count_kv": 8, "rope.dimension_count": 128,
    }  # fmt: skip
    return header("llama", numbers, tensors, 7)


def qwen3_30b_a3b() -> bytes:
    tensors = tables(2048, 151936, "F16")
    for layer in range(48):
        at = f"blk.{layer}."
        tensors += full(at, 2048, 32, 4, 128, "F16") + head_norms(at, 128) + [norm(f"{at}ffn_norm", 2048)]
        tensors += experts(at, 2048, 768, 128, "F16")
    numbers: dict[str, Given] = {
        "block_count": 48, "context_length": 40960, "embedding_length": 2048, "feed_forward_length": 6144,
        "attention.head_count": 32, "attention.head_count_kv": 4, "attention.key_length": 128,
        "attention.value_length": 128, "expert_count": 128, "expert_used_count": 8, "expert_feed_forward_length": 768,
    }  # fmt: skip
    return header("qwen3moe", numbers, tensors, 1)


def gpt_oss_20b() -> bytes:
    tensors = tables(2880, 201088, "Q8_0")
    for layer in range(24):
        at = f"blk.{layer}."
        tensors += full(at, 2880, 64, 8, 64, "Q8_0")
        tensors += [norm(f"{at}post_attention_norm", 2880), norm(f"{at}attn_sinks", 64)]
        widths = {"q": 4096, "k": 512, "v": 512, "output": 2880}
        tensors += [(f"{at}attn_{name}.bias", "F32", (width,)) for name, width in widths.items()]
        tensors += [*experts(at, 2880, 2880, 32, "MXFP4"), (f"{at}ffn_gate_inp.bias", "F32", (32,))]
        tensors += [(f"{at}ffn_{name}_exps.bias", "F32", (2880, 32)) for name in ("gate", "up", "down")]
    numbers: dict[str, Given] = {
        "block_count": 24, "context_length": 131072, "embedding_length": 2880, "feed_forward_length": 2880,
        "attention.head_count": 64, "attention.head_count_kv": 8, "attention.key_length": 64,
        "attention.value_length": 64, "attention.sliding_window": 128, "expert_count": 32, "expert_used_count": 4,
        "expert_feed_forward_length": 2880,
    }  # fmt: skip
    return header("gpt-oss", numbers, tensors, 38)


def gemma_3_12b() -> bytes:
    tensors = tables(3840, 262208, "F16", tied=True)
    for layer in range(48):
        at = f"blk.{layer}."
        tensors += full(at, 3840, 16, 8, 256, "F16") + head_norms(at, 256) + gated(at, 3840, 15360, "F16")
        tensors += [norm(f"{at}{name}", 3840) for name in ("post_attention_norm", "ffn_norm", "post_ffw_norm")]
    numbers: dict[str, Given] = {
        "block_count": 48, "context_length": 131072, "embedding_length": 3840, "feed_forward_length": 15360,
        "attention.head_count": 16, "attention.head_count_kv": 8, "attention.key_length": 256,
        "attention.value_length": 256, "attention.sliding_window": 1024,
    }  # fmt: skip
    return header("gemma3", numbers, tensors, 1)


def deepseek_v2_lite() -> bytes:
    """15.7B: latent 512 + 64, heads of 128 + 64 and 128, one dense layer, 64 experts of 1,408 and two shared."""
    tensors = tables(2048, 102400, "F16")
    for layer in range(27):
        at = f"blk.{layer}."
        tensors += [
            norm(f"{at}attn_norm", 2048),
            (f"{at}attn_q.weight", "F16", (2048, 16 * 192)),
            (f"{at}attn_kv_a_mqa.weight", "F16", (2048, 576)),
            norm(f"{at}attn_kv_a_norm", 512),
            (f"{at}attn_k_b.weight", "F16", (128, 512, 16)),
            (f"{at}attn_v_b.weight", "F16", (512, 128, 16)),
            (f"{at}attn_output.weight", "F16", (2048, 2048)),
            norm(f"{at}ffn_norm", 2048),
        ]
        if layer == 0:
            tensors += gated(at, 2048, 10944, "F16")
            continue
        tensors += experts(at, 2048, 1408, 64, "F16")
        tensors += [(f"{at}ffn_{name}_shexp.weight", "F16", (2048, 2816)) for name in ("gate", "up")]
        tensors += [(f"{at}ffn_down_shexp.weight", "F16", (2816, 2048))]
    numbers: dict[str, Given] = {
        "block_count": 27, "context_length": 163840, "embedding_length": 2048, "feed_forward_length": 10944,
        "attention.head_count": 16, "attention.head_count_kv": 1, "attention.kv_lora_rank": 512,
        "attention.key_length": 576, "attention.value_length": 512, "attention.key_length_mla": 192,
        "attention.value_length_mla": 128, "rope.dimension_count": 64, "leading_dense_block_count": 1,
        "expert_count": 64, "expert_used_count": 6, "expert_shared_count": 2, "expert_feed_forward_length": 1408,
    }  # fmt: skip
    return header("deepseek2", numbers, tensors, 1)


def qwen3_next_80b() -> bytes:
    """Three layers of Gated DeltaNet, then one of attention with gated queries; 512 experts and a shared one."""
    tensors = tables(2048, 151936, "F16")
    for layer in range(48):
        at = f"blk.{layer}."
        if (layer + 1) % 4 == 0:
            tensors += full(at, 2048, 16, 2, 256, "F16", gate=2) + head_norms(at, 256)
        else:
            tensors += [
                norm(f"{at}attn_norm", 2048),
                (f"{at}attn_qkv.weight", "F16", (2048, 8192)),
                (f"{at}attn_gate.weight", "F16", (2048, 4096)),
                (f"{at}ssm_ba.weight", "F16", (2048, 64)),
                (f"{at}ssm_conv1d.weight", "F32", (4, 8192)),
                (f"{at}ssm_dt.bias", "F32", (32,)),
                (f"{at}ssm_a", "F32", (32,)),
                norm(f"{at}ssm_norm", 128),
                (f"{at}ssm_out.weight", "F16", (4096, 2048)),
            ]
        tensors += [norm(f"{at}post_attention_norm", 2048), *experts(at, 2048, 512, 512, "F16")]
        tensors += [(f"{at}ffn_{name}_shexp.weight", "F16", (2048, 512)) for name in ("gate", "up")]
        tensors += [(f"{at}ffn_down_shexp.weight", "F16", (512, 2048)), norm(f"{at}ffn_gate_inp_shexp", 2048)]
    numbers: dict[str, Given] = {
        "block_count": 48, "context_length": 262144, "embedding_length": 2048, "feed_forward_length": 5120,
        "attention.head_count": 16, "attention.head_count_kv": 2, "attention.key_length": 256,
        "attention.value_length": 256, "expert_count": 512, "expert_used_count": 10, "expert_feed_forward_length": 512,
        "expert_shared_feed_forward_length": 512, "ssm.conv_kernel": 4, "ssm.state_size": 128, "ssm.group_count": 16,
        "ssm.time_step_rank": 32, "ssm.inner_size": 4096,
    }  # fmt: skip
    return header("qwen3next", numbers, tensors, 1)


def lfm2_1_2b() -> bytes:
    """Ten short convolutions and six layers of attention, at places 2, 5, 8, 10, 12, 14."""
    tensors: Tensors = [("token_embd.weight", "F16", (2048, 65536)), norm("token_embd_norm", 2048)]
    attending = (2, 5, 8, 10, 12, 14)
    for layer in range(16):
        at = f"blk.{layer}."
        if layer in attending:
            tensors += full(at, 2048, 32, 8, 64, "F16") + head_norms(at, 64)
        else:
            tensors += [
                norm(f"{at}attn_norm", 2048),
                (f"{at}shortconv.conv.weight", "F32", (3, 2048)),
                (f"{at}shortconv.in_proj.weight", "F16", (2048, 6144)),
                (f"{at}shortconv.out_proj.weight", "F16", (2048, 2048)),
            ]
        tensors += [norm(f"{at}ffn_norm", 2048), *gated(at, 2048, 8192, "F16")]
    numbers: dict[str, Given] = {
        "block_count": 16, "context_length": 128000, "embedding_length": 2048, "feed_forward_length": 8192,
        "attention.head_count": 32, "attention.head_count_kv": [8 if i in attending else 0 for i in range(16)],
        "shortconv.l_cache": 3,
    }  # fmt: skip
    return header("lfm2", numbers, tensors, 1)


FILES = {
    "llama-3.1-8b": llama_3_1_8b,
    "qwen3-30b-a3b": qwen3_30b_a3b,
    "gpt-oss-20b": gpt_oss_20b,
    "gemma-3-12b": gemma_3_12b,
    "deepseek-v2-lite": deepseek_v2_lite,
    "qwen3-next-80b-a3b": qwen3_next_80b,
    "lfm2-1.2b": lfm2_1_2b,
}
