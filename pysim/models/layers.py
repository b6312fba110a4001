"""The layers of a model one by one: what each mixes tokens with, and its parameters."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.models.kinds.attention import attention
from pysim.models.kinds.latent_attention import latent_attention
from pysim.models.mixer import Layer, LayerParameters, Mixer

if TYPE_CHECKING:
    from pysim.models.model import Model


@lru_cache(maxsize=512)
def layers(model: Model) -> tuple[Layer, ...]:
    """The layers of a model in their order, each with its mixers and its parameters."""
    if model.layer_order:
        return tuple(model.distinct_layers[kind] for kind in model.layer_order)
    dense = _parameters(model, moe=False)
    moe = _parameters(model, moe=True) if model.num_experts else dense
    with_experts = frozenset(model.moe_layers)
    mixers = {window: _mixer(model, window) for window in {model.window(i) for i in range(model.num_hidden_layers)}}
    built = {
        (window, sparse): Layer(mixers=(mixer,), params=moe if sparse else dense)
        for window, mixer in mixers.items()
        for sparse in (False, True)
    }
    return tuple(built[model.window(i), i in with_experts] for i in range(model.num_hidden_layers))


def _parameters(model: Model, *, moe: bool) -> LayerParameters:
    expert = _ffn(model, model.moe_intermediate_size) if moe else 0
    router = model.num_experts * (model.hidden_size + model.block.router_bias) if moe else 0
    return LayerParameters(
        attention=_mixer(model, None).params,
        dense=0 if moe else _ffn(model, model.intermediate_size),
        experts=model.num_experts * expert if moe else 0,
        expert=expert,
        shared=model.n_shared_experts * expert,
        router=router,
        norms=norm_params(model, model.block.norms_per_layer),
    )


def _mixer(model: Model, window: int | None) -> Mixer:
    hidden, heads, block = model.hidden_size, model.num_attention_heads, model.block
    if model.kv_lora_rank is not None:
        return latent_attention(
            hidden, heads,
            latent=model.kv_lora_rank, rope=model.qk_rope_head_dim or 0, nope=model.qk_nope_head_dim or 0,
            value=model.v_head_dim or 0, query_rank=model.q_lora_rank,
        )  # fmt: skip
    width, kv_heads = model.head_dim, model.num_key_value_heads
    q, kv = heads * width, kv_heads * width
    other = (q + 2 * kv) * block.qkv_bias + hidden * block.output_bias + heads * block.attention_sinks
    other += {"none": 0, "head": 2 * width, "whole": q + kv, "each": q + kv}[block.qk_norm]
    return attention(hidden, heads, kv_heads, width, width, window=window, other=other)


def _ffn(model: Model, width: int) -> int:
    matrices = 3 if model.block.gated_ffn else 2
    bias = ((matrices - 1) * width + model.hidden_size) * model.block.ffn_bias
    return matrices * model.hidden_size * width + bias


def norm_params(model: Model, norms: int) -> int:
    """Parameters of norms as wide as the model."""
    return norms * model.hidden_size * (2 if model.block.norm_bias else 1)
