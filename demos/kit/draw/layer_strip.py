"""The layers of a model as a strip of cells, each drawn by what it keeps of a text."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache

from simple_html import SafeString, b, div, span

import pysim
from demos.kit.html import element
from pysim.memory.cache_parts import WORDS, kept_by_layer, layers_in_words


@lru_cache(maxsize=64)
def layer_strip(model: pysim.Model) -> SafeString | None:
    """Return one cell per layer and what the kinds of cells mean; None where every layer keeps every token's row."""
    if not layers_in_words(model):
        return None
    kept = kept_by_layer(model)
    counted = Counter(kept)
    legend = [
        span({"class": f"layer-key {kind}"}, f"{counted[kind]} of {len(kept)} layers: {WORDS[kind]}")
        for kind in WORDS
        if counted[kind]
    ]
    return element(
        div,
        {"class": "layer-strip"},
        div({"class": "layer-cells", "aria-hidden": "true"}, *[element(b, {"class": kind}) for kind in kept]),
        div({"class": "layer-legend"}, *legend),
    )
