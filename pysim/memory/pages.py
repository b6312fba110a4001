"""Pages of one pool: how many bytes does a token take where all kinds of layers share pages of one size?

vLLM puts layers of one kind into groups as large as the smallest kind, and each group takes its own pages from the
pool; the tokens that it prints are those that all groups have room for.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.models.layers import layers

if TYPE_CHECKING:
    from pysim.memory.placement import Place
    from pysim.models.mixer import Layer, Rows
    from pysim.models.model import Model

# Kinds whose numbers of layers differ by less than this share one size of group: the smaller kinds are filled up.
_NEARLY: Final = 1.25


@lru_cache(maxsize=512)
def page_token_bytes(model: Model, place: Place) -> float:
    """Bytes of the pool for each token on a device, padding of groups included."""
    kinds: Counter[tuple[Rows, ...]] = Counter(_rows(layer) for layer in layers(model)[: place.layers])
    if len(kinds) < 2 or any(row.tokens_per_row != 1 for rows in kinds for row in rows):
        return place.token_bytes
    fewest, most = min(kinds.values()), max(kinds.values())
    size = most if most < fewest * _NEARLY else fewest
    groups = sum(-(-count // size) for count in kinds.values())
    return groups * size * max(_token_bytes(rows, place) for rows in kinds)


def _rows(layer: Layer) -> tuple[Rows, ...]:
    """What a layer keeps; a layer with a state alone keeps no rows, and is a separate kind."""
    return tuple(rows for mixer in layer.mixers for rows in mixer.rows if rows.numbers)


def _token_bytes(rows: tuple[Rows, ...], place: Place) -> float:
    return sum((row.numbers * place.number_bytes + row.fixed_bytes) / min(place.ways, row.heads) for row in rows)
