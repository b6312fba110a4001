"""Mamba: the selective state space of the first kind, with a state of `mamba_d_state` per channel (Jamba)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Scan

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer (arXiv:2312.00752, section 3.4): decay, write and read of a state are 2 FLOP per number each."""
    hidden, inner, state = part.size("hidden_size"), part.size("mamba_d_inner"), part.size("mamba_d_state")
    kernel, rank = part.size("mamba_d_conv"), part.size("mamba_dt_rank")
    return Mixer(
        kind="mamba",
        query=hidden * 2 * inner,
        output=inner * hidden,
        other=inner * kernel
        + inner * part.flag("conv_bias")
        + (2 * inner + hidden) * part.flag("proj_bias")
        + inner * (rank + 2 * state)
        + rank * inner
        + inner
        + inner * state
        + inner
        + (rank + 2 * state) * part.flag("inner_norms"),
        state=inner * state,
        conv=inner * (kernel - 1),
        scan=Scan(token_flop=6.0 * inner * state),
    )
