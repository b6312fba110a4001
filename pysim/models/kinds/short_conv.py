"""The short convolution of LFM2: three gated streams and a convolution over the last few tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer: the convolution's weights count among the parameters, and its FLOP with them."""
    hidden, kernel, bias = part.size("hidden_size"), part.size("conv_L_cache"), part.flag("conv_bias")
    return Mixer(
        kind="short_conv",
        query=hidden * 3 * hidden,
        output=hidden * hidden,
        other=hidden * kernel + bias * (3 * hidden + hidden + hidden),
        conv=hidden * (kernel - 1),
    )
