"""The crossover of cache and weights: at how many tokens does a conversation weigh as much as the model?"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.arrays.search import most_that_fit
from pysim.formats.default import AS_CONFIG
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.models.model import Model

MOST_TOKENS: Final = 10**12


@lru_cache(maxsize=64)
def cache_equals_weights_tokens(
    model: Model, weights: str = AS_CONFIG, kv: str = "f16", sequences: int = 1
) -> int | None:
    """The shortest context, in tokens of each of `sequences`, whose cache is at least as big as the weights.

    None where it never is (every layer keeps a window only). Found by halving, since windows bend the line.
    Raises BadValue for unknown formats.
    """
    target_bytes = weights_bytes(model, weights)

    def smaller(tokens: int) -> bool:
        return bool(kv_cache_bytes(model, tokens, kv, sequences) < target_bytes)

    return None if smaller(MOST_TOKENS) else most_that_fit(smaller, MOST_TOKENS) + 1
