"""The cache by kinds of layers: how many layers keep rows that grow, a window of them, or a state of fixed size."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from pysim import units
from pysim.memory.kv_cache import number_bytes
from pysim.models.layers import layers

if TYPE_CHECKING:
    from pysim.models.mixer import Layer
    from pysim.models.model import Model

Keeps = Literal["rows", "coarse", "window", "state", "both", "nothing"]
WORDS: dict[Keeps, str] = {
    "rows": "a row for every token",
    "coarse": "rows for several tokens each",
    "window": "only the last tokens' rows",
    "state": "one state of fixed size",
    "both": "a row for every token and a state of fixed size",
    "nothing": "no cache",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CachePart:
    """What `layers` layers each keep of a conversation: bytes for each token, up to a window, and a fixed state.

    `window_tokens` None: each token adds to it for good. `token_bytes` 0: nothing that grows.
    """

    layers: int
    token_bytes: float
    window_tokens: int | None
    state_bytes: int

    def words(self, of_layers: int) -> str:
        """The part in words, such as "12 of 48 layers keep 2,048 B for each token"."""
        which = f"{self.layers} of {of_layers} layers"
        kept = [f"{self.token_bytes:,.9g} B for each token"] if self.token_bytes else []
        if kept and self.window_tokens is not None:
            kept = [f"{kept[0]} of the last {self.window_tokens:,}"]
        if self.state_bytes:
            state = f"a state of {units.show(self.state_bytes, 'B')} that does not grow"
            kept.append(state if kept else f"no growing rows, but {state}")
        return f"{which} keep {' and '.join(kept) or 'no cache'}"


@lru_cache(maxsize=256)
def cache_parts(model: Model, kv: str = "f16") -> tuple[CachePart, ...]:
    """The cache of one conversation by kinds of layers, those with rows for good first."""
    number = number_bytes(kv)
    counted: Counter[tuple[float, int | None, int]] = Counter()
    for layer in layers(model):
        rows = [rows for mixer in layer.mixers for rows in mixer.rows]
        state = sum(mixer.state_bytes for mixer in layer.mixers)
        grows = sum((row.numbers * number + row.fixed_bytes) / row.tokens_per_row for row in rows if row.window is None)
        bounded = [row for row in rows if row.window is not None and row.numbers]
        if grows or not bounded:
            counted[grows, None, state] += 1
        for row in bounded:
            counted[row.numbers * number, row.window, 0 if grows else state] += 1
    parts = (
        CachePart(layers=count, token_bytes=kept, window_tokens=window, state_bytes=state)
        for (kept, window, state), count in counted.items()
    )
    return tuple(sorted(parts, key=lambda part: (not part.token_bytes, part.window_tokens or 0)))


@lru_cache(maxsize=256)
def kept_by_layer(model: Model) -> tuple[Keeps, ...]:
    """What each layer keeps of a text, in the order of the layers."""
    return tuple(_kept(layer) for layer in layers(model))


@lru_cache(maxsize=256)
def layers_in_words(model: Model) -> str:
    """How many layers keep what, such as "12 of 48 layers keep a row for every token, 36 one state of fixed size".

    Empty where every layer keeps a row for every token, which needs no word.
    """
    counted = Counter(kept_by_layer(model))
    if set(counted) == {"rows"}:
        return ""
    kinds = [kind for kind in WORDS if counted[kind]]
    if len(kinds) == 1:
        return f"All {model.num_hidden_layers} layers keep {WORDS[kinds[0]]}"
    said = [f"{counted[kind]} {WORDS[kind]}" for kind in kinds]
    said[0] = f"{counted[kinds[0]]} of {model.num_hidden_layers} layers keep {WORDS[kinds[0]]}"
    return f"{', '.join(said[:-1])}{',' if len(said) > 2 else ''} and {said[-1]}" if len(said) > 1 else said[0]


def _kept(layer: Layer) -> Keeps:
    """What a layer keeps; a window next to rows that stay is the smaller part and is left out."""
    rows = [row for mixer in layer.mixers for row in mixer.rows if row.numbers or row.fixed_bytes]
    growing = [row for row in rows if row.window is None]
    state = any(mixer.state_bytes for mixer in layer.mixers)
    if growing:
        kept: Keeps = "rows" if min(row.tokens_per_row for row in growing) == 1 else "coarse"
        return "both" if state else kept
    if rows:
        return "window"
    return "state" if state else "nothing"
