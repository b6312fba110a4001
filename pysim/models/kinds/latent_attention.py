"""Latent attention (MLA): each layer keeps one compressed row per token, with or without an index of rows to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Rows

if TYPE_CHECKING:
    from pysim.models.part import Part


def latent_attention(
    hidden: int,
    heads: int,
    *,
    latent: int,
    rope: int,
    nope: int,
    value: int,
    query_rank: int | None,
    other: int = 0,
    index: tuple[Rows, ...] = (),
    most_read: int | None = None,
) -> Mixer:
    """Low-rank projections with a norm on each latent (DeepSeek-V2, arXiv:2405.04434, section 2.1).

    One query against one row is 2·heads·(nope + rope + value) FLOP on expanded keys and values, which cost
    2·latent·heads·(nope + value) per row, or 2·heads·(2·latent + rope) on the latents themselves.
    """
    query = heads * (nope + rope)
    queries = hidden * query if query_rank is None else hidden * query_rank + query_rank + query_rank * query
    naive, absorbed = 2.0 * heads * (nope + rope + value), 2.0 * heads * (2 * latent + rope)
    row = latent + rope
    return Mixer(
        kind="latent_attention",
        query=queries + hidden * row + latent + latent * heads * (nope + value),
        output=heads * value * hidden,
        other=other,
        rows=(
            Rows(
                numbers=row,
                read=row,
                most_read=most_read,
                pair_flop=naive,
                absorbed_pair_flop=absorbed,
                expand_flop=2.0 * latent * heads * (nope + value),
            ),
            *index,
        ),
    )


def read(part: Part) -> Mixer:
    """The mixer of a layer's part; with `index_topk` a lightning indexer chooses the rows (DeepSeek-V3.2).

    The indexer has its own queries from the query latent, one key of `index_head_dim` per token, kept in FP8 with
    a 32-bit scale, and a weight per head. Source: https://arxiv.org/abs/2512.02556, section 2.1.
    """
    hidden, heads = part.size("hidden_size"), part.size("num_attention_heads")
    rank = part.optional("q_lora_rank")
    other, topk = 0, part.optional("index_topk") or None
    index: tuple[Rows, ...] = ()
    if topk is not None:
        width, index_heads = part.size("index_head_dim"), part.size("index_n_heads")
        if part.flag("own_index"):
            other = (rank or hidden) * index_heads * width + hidden * width + hidden * index_heads + 2 * width
            flop = 2.0 * width * index_heads
            index = (Rows(numbers=0, read=0, fixed_bytes=width + 4.0, pair_flop=flop, absorbed_pair_flop=flop),)
    value = part.size("v_head_dim")
    if part.word("output_gate", "none") == "element":
        other += hidden * heads * value
    return latent_attention(
        hidden, heads,
        latent=part.size("kv_lora_rank"), rope=part.optional("qk_rope_head_dim") or 0,
        nope=part.size("qk_nope_head_dim"), value=value, query_rank=rank,
        other=other, index=index, most_read=topk,
    )  # fmt: skip
