"""Cross-attention: heads that look at an image's rows alone and keep nothing for each token of the text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pysim.models.mixer import Mixer

if TYPE_CHECKING:
    from pysim.models.part import Part


def read(part: Part) -> Mixer:
    """The mixer of a layer of Llama 3.2 Vision: the matrices of attention, norms of queries and keys, two gates.

    Without an image such a layer is skipped; with one its keys and values are those of the image, as many for any
    length of text, and are not counted here. Source: transformers, modeling_mllama.py.
    """
    hidden, heads, width = part.size("hidden_size"), part.size("num_attention_heads"), part.size("head_dim")
    kv_heads = part.optional("num_key_value_heads") or heads
    return Mixer(
        kind="cross_attention",
        query=hidden * heads * width,
        key=hidden * kv_heads * width,
        value=hidden * kv_heads * width,
        output=hidden * heads * width,
        other=2 * width + 2,
    )
