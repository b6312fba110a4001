"""Attention with heads: each layer keeps a key and a value per key-value head and token."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Rows

if TYPE_CHECKING:
    from pysim.models.part import Part


def attention(
    hidden: int,
    heads: int,
    kv_heads: int,
    key_dim: int,
    value_dim: int,
    *,
    window: int | None = None,
    other: int = 0,
    own_value: bool = True,
    keeps: bool = True,
    projects: bool = True,
    index: tuple[Rows, ...] = (),
    most_read: int | None = None,
) -> Mixer:
    """Heads of queries over shared heads of keys and values (GQA, arXiv:2305.13245).

    A query against a key is 2·key_dim FLOP per head, its weight times the value 2·value_dim. Without `own_value`
    the value is the projected key; a layer that does not `keep` rows reads those of an earlier one, and need not
    `project` any.
    """
    row = kv_heads * (key_dim + value_dim)
    pair = 2.0 * heads * (key_dim + value_dim)
    return Mixer(
        kind="attention",
        query=hidden * heads * key_dim,
        key=hidden * kv_heads * key_dim * projects,
        value=hidden * kv_heads * value_dim * (own_value and projects),
        output=hidden * heads * value_dim,
        other=other,
        rows=(
            Rows(
                numbers=row * keeps,
                read=row,
                window=window,
                heads=kv_heads,
                most_read=most_read,
                pair_flop=pair,
                absorbed_pair_flop=pair,
            ),
            *index,
        ),
    )


def read(part: Part) -> Mixer:
    """The mixer of a layer's part: heads, widths, window, gate, norms, biases and index as the entry names them."""
    hidden, heads = part.size("hidden_size"), part.size("num_attention_heads")
    kv_heads = part.optional("num_key_value_heads") or heads
    key = part.size("head_dim")
    value = part.optional("v_head_dim") or key
    projects, own = not part.flag("kv_shared"), not part.flag("k_eq_v")
    keeps = projects and not part.flag("rows_shared")
    query_width, key_width = heads * key, kv_heads * key * projects
    other = (query_width + key_width + kv_heads * value * (projects and own)) * part.flag("qkv_bias")
    other += hidden * part.flag("output_bias") + heads * part.flag("attention_sinks")
    norms = part.word("qk_norm", "none")
    other += {"head": key * (1 + projects), "whole": query_width + key_width, "each": key * (heads + kv_heads)}.get(
        norms, 0
    )
    gate = part.word("output_gate", "none")  # sigmoid of a projection, per element of the output or per head
    other += hidden * {"element": heads * value, "head": heads}.get(gate, 0)
    topk = part.optional("index_topk") or None
    index: tuple[Rows, ...] = ()
    if topk is not None:
        # MiniMax M3: keys of an index, one head's width per token, choose whole blocks of the cache.
        width, index_heads = part.size("index_head_dim"), part.size("index_n_heads")
        block = part.optional("index_block_tokens") or 1
        flop = 2.0 * width * index_heads
        index = (Rows(numbers=0, read=0, fixed_bytes=2.0 * width, pair_flop=flop, absorbed_pair_flop=flop),)
        other += hidden * width * (index_heads + 1) + 2 * width
        topk *= block
    return attention(
        hidden, heads, kv_heads, key, value,
        window=part.optional("window") or None, other=other, own_value=own, keeps=keeps, projects=projects,
        index=index, most_read=topk,
    )  # fmt: skip
