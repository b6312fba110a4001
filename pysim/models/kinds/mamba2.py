"""Mamba-2: a state-space layer with one state of `mamba_d_head` × `mamba_d_state` per head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Scan

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer (arXiv:2405.21060, section 6, and Mamba2Mixer of transformers).

    Per token and head 2·width·state FLOP write the state and as many read it; against each token of its chunk
    2·state per group score it and 2·width per head weigh it.
    """
    hidden, heads = part.size("hidden_size"), part.size("mamba_n_heads")
    width, state, groups = part.size("mamba_d_head"), part.size("mamba_d_state"), part.size("mamba_n_groups")
    kernel, inner = part.size("mamba_d_conv"), heads * width
    channels = inner + 2 * groups * state
    into = inner + channels + heads
    return Mixer(
        kind="mamba2",
        query=hidden * into,
        output=inner * hidden,
        other=channels * kernel
        + channels * part.flag("conv_bias")
        + (into + hidden) * part.flag("proj_bias")
        + 3 * heads
        + inner * part.flag("gated_norm"),
        state=inner * state,
        conv=channels * (kernel - 1),
        scan=Scan(
            token_flop=4.0 * inner * state,
            pair_flop=2.0 * groups * state + 2.0 * inner,
            chunk_tokens=part.optional("mamba_chunk_size") or 256,
        ),
    )
