"""Kimi Delta Attention: the delta rule with a decay per channel (Kimi Linear, arXiv:2510.26692)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.kinds.gated_deltanet import delta_scan
from pysim.models.mixer import Mixer

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer: q, k and v with a convolution each, a decay of low rank, and a gate of low or full rank."""
    hidden, heads, width = part.size("hidden_size"), part.size("kda_num_heads"), part.size("kda_head_dim")
    kernel, inner = part.size("kda_conv_kernel"), heads * width
    low_rank = hidden * width + width * inner
    gate = hidden * inner if part.flag("full_rank_gate") else low_rank
    return Mixer(
        kind="kimi_delta",
        query=hidden * 3 * inner,
        output=inner * hidden,
        other=low_rank + gate + hidden * heads + 3 * inner * kernel + inner + heads + width,
        state=heads * width * width,
        conv=3 * inner * (kernel - 1),
        scan=delta_scan(heads, width, width),
    )
