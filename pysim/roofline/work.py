"""What does one pass ask of a device: how many FLOP, and how many bytes of which kind?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import greater, lesser
from pysim.memory.kv_cache import Windows, rows_kept, windows
from pysim.models.parameters import parameters

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.models.model import Model

# Tokens of one batch choose alike: n tokens visit as many different experts as n ** this many
# tokens with independent choices would. Found with the fitted constants (pysim/fit).
ROUTING_INDEPENDENCE: Final = 0.85


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What a pass computes and what it touches; numbers, or arrays of one shape.

    Experts and cache rows are summed over the layers; `weights_touched` counts parameters, and
    `kv_rows_seen` the rows that each fed token looks at, those of the other fed tokens included.
    """

    linear_flop: Numeric
    head_flop: Numeric
    attention_flop: Numeric
    weights_touched: Numeric
    experts_read: Numeric
    embedding_rows: Numeric
    logit_rows: Numeric
    kv_rows_read: Numeric
    kv_rows_written: Numeric
    kv_rows_seen: Numeric

    @property
    def flop(self) -> Numeric:
        """All of it."""
        return self.linear_flop + self.head_flop + self.attention_flop


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """A model as far as the work of a pass goes.

    `windows`: how many layers look back how far (None is all the way).
    `naive_pair_flop` and `absorbed_pair_flop`: one query against one key and its value in one
    layer. They differ for MLA alone, which either expands the cached latents to keys and values
    (`expand_flop` for each cached token and layer) or multiplies the latents themselves
    (DeepSeek-V2, arXiv:2405.04434, section 2.1.2).
    """

    layers: int
    moe_layers: int
    num_experts: int
    num_experts_per_tok: int
    windows: Windows
    dense_params: int
    expert_params: int
    linear_flop_per_token: float
    head_flop_per_row: float
    naive_pair_flop: float
    absorbed_pair_flop: float
    expand_flop: float
    routing_independence: float = ROUTING_INDEPENDENCE

    @property
    def edges(self) -> tuple[int, ...]:
        """The different window sizes, ascending."""
        return tuple(sorted(window for _, window in self.windows if window is not None))

    @classmethod
    @lru_cache(maxsize=512)
    def of(cls, model: Model, *, absorbs: bool = False) -> Shape:
        """The shape of a model; an engine that `absorbs` multiplies MLA's latents themselves, however long the pass."""
        heads, params = model.num_attention_heads, parameters(model)
        naive = absorbed = 4.0 * heads * model.head_dim
        expand = 0.0
        if model.kv_lora_rank is not None:
            latent, rope = model.kv_lora_rank, model.qk_rope_head_dim or 0
            nope, value = model.qk_nope_head_dim or 0, model.v_head_dim or 0
            naive = 2.0 * heads * (nope + rope + value)
            absorbed = 2.0 * heads * (2 * latent + rope)
            expand = 2.0 * latent * heads * (nope + value)
            if absorbs:
                naive, expand = absorbed, 0.0
        return cls(
            layers=model.num_hidden_layers,
            moe_layers=len(model.moe_layers),
            num_experts=model.num_experts,
            num_experts_per_tok=model.num_experts_per_tok,
            windows=windows(model),
            dense_params=params.decode - len(model.moe_layers) * model.num_experts_per_tok * params.expert,
            expert_params=params.expert,
            linear_flop_per_token=2.0 * (params.decode - params.head),
            head_flop_per_row=2.0 * params.head,
            naive_pair_flop=naive,
            absorbed_pair_flop=absorbed,
            expand_flop=expand,
        )


def work(shape: Shape, new_tokens: Numeric, context_tokens: Numeric, batch: Numeric, logit_rows: Numeric = 1) -> Work:
    """The work of a pass in which each of `batch` sequences feeds `new_tokens` after `context_tokens`.

    `logit_rows`: for how many tokens of each sequence the next one is predicted.
    """
    tokens = new_tokens * batch
    pairs: Numeric = 0.0
    for count, window in shape.windows:
        pairs = pairs + count * _pairs(new_tokens, context_tokens, window)
    read = rows_kept(shape.windows, context_tokens)
    attention = shape.naive_pair_flop * pairs + shape.expand_flop * read
    if shape.expand_flop:
        attention = lesser(attention, shape.absorbed_pair_flop * pairs)
    experts = shape.moe_layers * _distinct(shape, tokens)
    return Work(
        linear_flop=shape.linear_flop_per_token * tokens,
        head_flop=shape.head_flop_per_row * logit_rows * batch,
        attention_flop=attention * batch,
        weights_touched=shape.dense_params + shape.expert_params * experts,
        experts_read=experts,
        embedding_rows=tokens,
        logit_rows=logit_rows * batch,
        kv_rows_read=read * batch,
        kv_rows_written=shape.layers * tokens,
        kv_rows_seen=pairs * batch,
    )


def add(shape: Shape, first: Work, more: Work) -> Work:
    """Two works that share a pass: the weights are touched once, of experts those that all tokens visit."""
    tokens = first.embedding_rows + more.embedding_rows
    experts = shape.moe_layers * _distinct(shape, tokens)
    return Work(
        linear_flop=first.linear_flop + more.linear_flop,
        head_flop=first.head_flop + more.head_flop,
        attention_flop=first.attention_flop + more.attention_flop,
        weights_touched=shape.dense_params + shape.expert_params * experts,
        experts_read=experts,
        embedding_rows=tokens,
        logit_rows=first.logit_rows + more.logit_rows,
        kv_rows_read=first.kv_rows_read + more.kv_rows_read,
        kv_rows_written=first.kv_rows_written + more.kv_rows_written,
        kv_rows_seen=first.kv_rows_seen + more.kv_rows_seen,
    )


def _distinct(shape: Shape, tokens: Numeric) -> Numeric:
    return distinct_experts(shape.num_experts, shape.num_experts_per_tok, tokens, shape.routing_independence)


def distinct_experts(experts: int, chosen: int, tokens: Numeric, independence: float = ROUTING_INDEPENDENCE) -> Numeric:
    """How many different experts of a layer the tokens of a pass visit, expected.

    One token visits `chosen`. If each chose independently, n tokens would leave each expert
    unvisited with probability (1 - chosen / experts) ** n.
    """
    if not experts:
        return 0.0
    unvisited = (1.0 - chosen / experts) ** (tokens**independence)
    return experts * (1.0 - unvisited)


def _pairs(new: Numeric, context: Numeric, window: int | None) -> Numeric:
    """Query-key pairs of one causal layer: token i of the pass sees the cache and the i tokens so far."""
    if window is None:
        return new * context + new * (new + 1) / 2
    growing = lesser(greater(window - context, 0.0), new)  # tokens whose view is not yet cut
    return growing * context + growing * (growing + 1) / 2 + (new - growing) * window
