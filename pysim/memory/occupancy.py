"""What fills the memory: the weights, the cache in use, the cache set aside, and what stays free?"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim import checks
from pysim.memory.kv_cache import kv_cache_bytes, reserved_kv_bytes
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from pysim.hardware.device import Device
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """Bytes in a device's memory; `memory_bytes` is None where its size is not known."""

    weights_bytes: float
    cache_bytes: float
    reserved_bytes: float
    memory_bytes: float | None

    @property
    def taken_bytes(self) -> float:
        """What the cache takes: what is in use, or all that was set aside for it."""
        return max(self.cache_bytes, self.reserved_bytes)

    @property
    def free_bytes(self) -> float | None:
        """What is left; negative where it does not fit, None where the memory's size is not known."""
        return None if self.memory_bytes is None else self.memory_bytes - self.weights_bytes - self.taken_bytes

    @property
    def fits(self) -> bool | None:
        return None if self.free_bytes is None else self.free_bytes >= 0


def occupancy(
    model: Model,
    device: Device,
    *,
    context_tokens: int,
    reserved_tokens: int = 0,
    sequences: int = 1,
    weights: str = "f16",
    kv: str = "f16",
) -> Occupancy:
    """Fill a device's memory with a model and the cache of `sequences` conversations.

    `reserved_tokens`: the length for which each conversation's cache is set aside up front, 0 where it
    grows as needed. Raises BadValue or UnknownName.
    """
    return Occupancy(
        weights_bytes=weights_bytes(model, weights),
        cache_bytes=float(kv_cache_bytes(model, context_tokens, kv, sequences)),
        reserved_bytes=float(reserved_kv_bytes(model, reserved_tokens, sequences, kv)),
        memory_bytes=device.memory_bytes,
    )


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
