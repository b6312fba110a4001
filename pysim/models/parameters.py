"""Parameters of a model: how many there are, and where they sit."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim.models.layers import layers, norm_params

if TYPE_CHECKING:
    from pysim.models.mixer import LayerParameters
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """A model's parameters.

    `embedding` is 0 where the input table is the head's; `other` has final norm and positions. `total`: all that
    is stored, a tied table once. `active`: those of one token's way, all but the experts that it does not visit and
    but for `lookup`, tables of which a token reads one row, as of the input table.
    """

    embedding: int
    lookup: int
    head: int
    other: int
    layers: tuple[LayerParameters, ...]
    total: int
    active: int

    @property
    def decode(self) -> int:
        """`active` without a separate input table, of which a token reads one row."""
        return self.active - self.embedding

    @property
    def expert(self) -> int:
        """One routed expert; 0 for a dense model."""
        return max((layer.expert for layer in self.layers), default=0)

    @property
    def shared_expert(self) -> int:
        """All shared experts of one layer with experts."""
        return max((layer.shared for layer in self.layers), default=0)

    @property
    def router(self) -> int:
        """The router of one layer with experts."""
        return max((layer.router for layer in self.layers), default=0)


@lru_cache(maxsize=512)
def parameters(model: Model) -> Parameters:
    """Count every tensor of the architecture; exact, as llama.cpp and Hugging Face count them."""
    table = model.vocab_size * model.hidden_size
    embedding = 0 if model.tie_word_embeddings else table
    other = norm_params(model, 1) + model.other_params
    if model.block.learned_positions:
        other += model.max_position_embeddings * model.hidden_size
    if model.block.head_bias:
        other += model.vocab_size
    split = tuple(layer.params for layer in layers(model))
    active = embedding + table + other + sum(layer.attention + layer.ffn + layer.norms for layer in split)
    idle = (model.num_experts - model.num_experts_per_tok) * sum(layer.expert for layer in split)
    return Parameters(
        embedding=embedding,
        lookup=model.table_params,
        head=table,
        other=other,
        layers=split,
        total=active + model.table_params,
        active=active - idle,
    )
