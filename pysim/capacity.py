"""How many conversations does a memory hold beside the weights?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pysim import checks
from pysim.kv_cache import kv_cache_bytes
from pysim.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.device import Device
    from pysim.model import Model


def max_sequences(
    model: Model,
    device: Device,
    context_tokens: int,
    weights: str = "f16",
    kv: str = "f16",
    reserve_bytes: float = 0,
) -> int:
    """The most conversations of `context_tokens` tokens each whose caches fit beside the weights and a reserve.

    0 where the weights leave no room for one. MissingFact if the memory's size is not known.
    """
    tokens = checks.count(context_tokens, "context_tokens")
    free = device.memory - weights_bytes(model, weights) - checks.amount(reserve_bytes, "reserve_bytes")
    each = kv_cache_bytes(model, tokens, kv)
    # As many as fit exactly must not lose one to the last bit of a division.
    return max(0, math.floor(free / each * (1 + 2**-50)))
