"""Gated DeltaNet: linear attention whose state is one matrix per value head (Qwen3-Next, Qwen3.5, OLMo hybrid)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Scan

if TYPE_CHECKING:
    from pysim.models.part import Part

CHUNK_TOKENS = 64  # of the reference's chunked kernel (flash-linear-attention)


def delta_scan(heads: int, key: int, value: int) -> Scan:
    """FLOP of the delta rule in chunks (arXiv:2412.06464, section 3.3).

    Per token and head the state is read twice and updated once, 2·key·value each; against each token of its chunk
    three products of keys and queries, 2·key each, and two of values, 2·value each.
    """
    return Scan(
        token_flop=6.0 * heads * key * value,
        pair_flop=heads * (6.0 * key + 4.0 * value),
        chunk_tokens=CHUNK_TOKENS,
    )


def read(part: Part) -> Mixer:
    """The mixer: projections to q, k, v and gate, two numbers per value head, a short convolution, a gated norm."""
    hidden = part.size("hidden_size")
    keys, values = part.size("linear_num_key_heads"), part.size("linear_num_value_heads")
    key, value = part.size("linear_key_head_dim"), part.size("linear_value_head_dim")
    kernel = part.size("linear_conv_kernel_dim")
    channels = 2 * keys * key + values * value
    return Mixer(
        kind="gated_deltanet",
        query=hidden * (channels + values * value),
        output=values * value * hidden,
        other=hidden * 2 * values + channels * kernel + 2 * values + value,
        state=values * key * value,
        conv=channels * (kernel - 1),
        scan=delta_scan(values, key, value),
    )
