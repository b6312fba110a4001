"""Compressed attention (DeepSeek V4): a window of rows, and behind it one row for several tokens.

Keys are values. With an index the queries choose among the compressed rows; without one they read all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Rows

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer, as DeepseekV4Attention of transformers builds it.

    A row has `head_dim` numbers, key and value in one; `compress_ratio` 0 is the window alone. With `index_topk`
    the compressor's windows overlap (twice the width) and the index has its own compressor; its keys are
    taken as kept in FP8 with a 32-bit scale, as DeepSeek-V3.2's are.
    """
    hidden, heads, width = part.size("hidden_size"), part.size("num_attention_heads"), part.size("head_dim")
    rank, groups, out = part.size("q_lora_rank"), part.size("o_groups"), part.size("o_lora_rank")
    ratio, topk = part.optional("compress_ratio") or 0, part.optional("index_topk") or None
    pair = 4.0 * heads * width
    rows = [Rows(numbers=width, read=width, window=part.size("window"), pair_flop=pair, absorbed_pair_flop=pair)]
    other = heads
    if ratio:
        wide = 1 if topk is None else 2
        other += 2 * hidden * wide * width + ratio * wide * width + width
        rows.append(
            Rows(
                numbers=width,
                read=width,
                tokens_per_row=ratio,
                most_read=topk,
                pair_flop=pair,
                absorbed_pair_flop=pair,
            )
        )
        if topk is not None:
            small, index_heads = part.size("index_head_dim"), part.size("index_n_heads")
            other += 2 * hidden * 2 * small + ratio * 2 * small + small
            other += rank * index_heads * small + hidden * index_heads
            flop = 2.0 * small * index_heads
            rows.append(
                Rows(
                    numbers=0,
                    read=0,
                    fixed_bytes=small + 4.0,
                    tokens_per_row=ratio,
                    pair_flop=flop,
                    absorbed_pair_flop=flop,
                )
            )
    return Mixer(
        kind="compressed_attention",
        query=hidden * rank + rank + rank * heads * width,
        key=hidden * width + width,
        output=heads * width * out + groups * out * hidden,
        other=other,
        rows=tuple(rows),
    )
