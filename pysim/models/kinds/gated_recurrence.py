"""The gated linear recurrence of Griffin: one number of state per channel (RecurrentGemma, arXiv:2402.19427)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Scan

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer: two branches in and one out with biases, a convolution, and two gates of one block per head.

    A token scales a channel's state and adds its input: 2 FLOP for each, and as many for the gates' products.
    """
    hidden, width, heads = part.size("hidden_size"), part.size("lru_width"), part.size("num_attention_heads")
    kernel = part.size("conv1d_width")
    gates = 2 * (width * width // heads + width)
    return Mixer(
        kind="gated_recurrence",
        query=hidden * 2 * width,
        output=width * hidden,
        other=2 * width + hidden + width * kernel + width + gates + width,
        state=width,
        conv=width * (kernel - 1),
        scan=Scan(token_flop=4.0 * width),
    )
