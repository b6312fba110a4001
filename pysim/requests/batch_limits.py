"""Batch limits: what ends the rise of a server's total speed as more conversations share its decode passes?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.occupancy import max_batch
from pysim.memory.weights import weights_on
from pysim.roofline.ridge import ridge_batch

if TYPE_CHECKING:
    from pysim.deployed import Deployed

Limit = Literal["ridge", "cache", "memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLimits:
    """Three numbers of conversations, each the end of something.

    `ridge`: from there on the arithmetic takes longer than the reading; None where no batch gets there.
    `equal`: there the caches, of which each conversation reads its own, are as many bytes as the weights
    that all share; beyond it, more conversations mean mostly more reading. `held`: memory holds no more.
    """

    ridge: float | None
    equal: float
    held: int

    @property
    def first(self) -> Limit:
        """Which of the three comes first."""
        flat = self.equal if self.ridge is None else min(self.equal, self.ridge)
        if self.held < flat:
            return "memory"
        return "ridge" if self.ridge is not None and self.ridge <= self.equal else "cache"


def batch_limits(on: Deployed, context_tokens: int) -> BatchLimits:
    """The limits for conversations of `context_tokens` tokens each, best case; MissingFact without a memory size."""
    whole = weights_on(on)
    return BatchLimits(
        ridge=ridge_batch(on, context_tokens),
        equal=(whole.total_bytes - whole.embedding_bytes) / kv_cache_bytes(on.model, context_tokens, on.kv_format),
        held=max_batch(on, context_tokens),
    )
