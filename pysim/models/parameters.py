"""Parameters of a model: how many there are, and where they sit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerParameters:
    """One layer's parameters. `expert` is one routed expert, `shared` all shared ones together."""

    attention: int
    dense: int
    experts: int
    expert: int
    shared: int
    router: int
    norms: int

    @property
    def ffn(self) -> int:
        """Everything between the attention and the next layer, norms apart."""
        return self.dense + self.experts + self.shared + self.router


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """A model's parameters.

    `embedding` is 0 where the input table is the head's; `other` has final norm and positions. `total`: all that
    is stored, a tied table once. `active`: those of one token's way, all but the experts that it does not visit.
    """

    embedding: int
    head: int
    other: int
    layers: tuple[LayerParameters, ...]
    total: int
    active: int

    @property
    def decode(self) -> int:
        """`active` without an input table of its own, of which a token reads one row."""
        return self.active - self.embedding

    @property
    def expert(self) -> int:
        """One routed expert; 0 for a dense model."""
        return max((layer.expert for layer in self.layers), default=0)

    @property
    def shared_expert(self) -> int:
        """All shared experts of one layer with experts."""
        return max((layer.shared for layer in self.layers), default=0)

    @property
    def router(self) -> int:
        """The router of one layer with experts."""
        return max((layer.router for layer in self.layers), default=0)


@lru_cache(maxsize=512)
def parameters(model: Model) -> Parameters:
    """Count every tensor of the architecture; exact, as llama.cpp and Hugging Face count them."""
    table = model.vocab_size * model.hidden_size
    embedding = 0 if model.tie_word_embeddings else table
    other = _norm(model, 1)
    if model.block.learned_positions:
        other += model.max_position_embeddings * model.hidden_size
    dense = _layer(model, moe=False)
    moe = _layer(model, moe=True) if model.num_experts else dense
    with_experts = frozenset(model.moe_layers)
    layers = tuple(moe if i in with_experts else dense for i in range(model.num_hidden_layers))
    total = embedding + table + other + sum(layer.attention + layer.ffn + layer.norms for layer in layers)
    idle = (model.num_experts - model.num_experts_per_tok) * sum(layer.expert for layer in layers)
    return Parameters(embedding=embedding, head=table, other=other, layers=layers, total=total, active=total - idle)


def _layer(model: Model, *, moe: bool) -> LayerParameters:
    expert = _ffn(model, model.moe_intermediate_size) if moe else 0
    router = model.num_experts * (model.hidden_size + model.block.router_bias) if moe else 0
    return LayerParameters(
        attention=_mla(model) if model.kv_lora_rank is not None else _attention(model),
        dense=0 if moe else _ffn(model, model.intermediate_size),
        experts=model.num_experts * expert if moe else 0,
        expert=expert,
        shared=model.n_shared_experts * expert,
        router=router,
        norms=_norm(model, model.block.norms_per_layer),
    )


def _attention(model: Model) -> int:
    hidden, block = model.hidden_size, model.block
    q = model.num_attention_heads * model.head_dim
    kv = model.num_key_value_heads * model.head_dim
    params = hidden * (q + 2 * kv) + q * hidden
    params += (q + 2 * kv) * block.qkv_bias + hidden * block.output_bias
    params += model.num_attention_heads * block.attention_sinks
    return params + {"none": 0, "head": 2 * model.head_dim, "whole": q + kv}[block.qk_norm]


def _mla(model: Model) -> int:
    """Multi-head latent attention: low-rank projections with a norm on each latent (DeepSeek-V2, arXiv:2405.04434)."""
    heads, hidden = model.num_attention_heads, model.hidden_size
    latent, rope = model.kv_lora_rank or 0, model.qk_rope_head_dim or 0
    nope, value = model.qk_nope_head_dim or 0, model.v_head_dim or 0
    query = heads * (nope + rope)
    rank = model.q_lora_rank
    params = hidden * query if rank is None else hidden * rank + rank + rank * query
    params += hidden * (latent + rope) + latent
    params += latent * heads * (nope + value)
    return params + heads * value * hidden


def _ffn(model: Model, width: int) -> int:
    matrices = 3 if model.block.gated_ffn else 2
    bias = ((matrices - 1) * width + model.hidden_size) * model.block.ffn_bias
    return matrices * model.hidden_size * width + bias


def _norm(model: Model, norms: int) -> int:
    return norms * model.hidden_size * (2 if model.block.norm_bias else 1)
