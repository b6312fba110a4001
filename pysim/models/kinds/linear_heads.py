"""Linear attention with one decaying matrix per head: Lightning Attention and the time mixing of RWKV.

What an architecture has besides its projections is arithmetic in its entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer, Scan

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer: `input_projections` and one output matrix of all heads' width, and `beside` for the rest.

    A token writes the state of each head with 2·width² FLOP and reads it with as many (arXiv:2401.04658).
    """
    hidden, heads, width = part.size("hidden_size"), part.size("linear_heads"), part.size("linear_head_dim")
    inner = heads * width
    return Mixer(
        kind="linear_heads",
        query=hidden * inner * part.size("input_projections"),
        output=inner * hidden,
        other=part.optional("beside") or 0,
        state=inner * width,
        conv=part.optional("shifted") or 0,
        scan=Scan(token_flop=4.0 * inner * width, pair_flop=4.0 * inner, chunk_tokens=64),
    )
