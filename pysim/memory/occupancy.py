"""The occupancy of each device's memory: does a deployment fit, what stays free, and how much more would fit?

The one answer to "does it fit": every other part of pysim asks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim import checks
from pysim.arrays.numeric import lesser
from pysim.arrays.search import most_that_fit
from pysim.deployed import check_deployment
from pysim.errors import MissingFact
from pysim.memory.placement import Place, places
from pysim.memory.working_memory import NO_WORKING, WorkingMemory

if TYPE_CHECKING:
    from pysim.arrays.numeric import Flags, Numeric
    from pysim.deployed import Deployed

MOST_TOKENS: Final = 10**12
MOST_BATCH: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceMemory:
    """Bytes in one device's memory; sizes are None where they are not known.

    `cache_bytes` is what the cache of the conversations takes, `reserved_bytes` what was set aside for them at once,
    `working` what the engine needs besides, as an estimate. `size_bytes` is the whole memory, `memory_bytes` what a
    program can usually have of it.
    """

    weights_bytes: float
    cache_bytes: float
    reserved_bytes: float
    memory_bytes: float | None
    working: WorkingMemory = NO_WORKING
    size_bytes: float | None = None

    @property
    def taken_bytes(self) -> float:
        """What the cache takes: what is in use, or all that was set aside for it."""
        return max(self.cache_bytes, self.reserved_bytes)

    @property
    def free_bytes(self) -> float | None:
        """What is left; negative where it does not fit, None where the memory's size is not known."""
        if self.memory_bytes is None:
            return None
        return self.memory_bytes - (self.weights_bytes + self.working.total_bytes + self.taken_bytes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Occupancy:
    """The memories of a deployment, filled."""

    per_device: tuple[DeviceMemory, ...]

    @property
    def free_bytes(self) -> float | None:
        """What is left on the fullest device; negative where it does not fit, None where a size is not known."""
        fullest = self.fullest
        return None if fullest is None else fullest.free_bytes

    @property
    def fullest(self) -> DeviceMemory | None:
        """The device that has least left; None where the size of a memory is not known."""
        if any(memory.memory_bytes is None for memory in self.per_device):
            return None
        return min(self.per_device, key=lambda memory: memory.free_bytes or 0.0)

    @property
    def fits(self) -> bool | None:
        """Is there room on every device? None where the size of a memory is not known."""
        free = self.free_bytes
        return None if free is None else free >= 0

    @property
    def possible(self) -> bool | None:
        """Do weights and cache alone go into the whole memories, whatever is usual? What ran may have taken all of it.

        None where the size of a memory is not known.
        """
        if any(memory.size_bytes is None for memory in self.per_device):
            return None
        return all(
            memory.weights_bytes + memory.taken_bytes <= (memory.size_bytes or 0.0) for memory in self.per_device
        )


def occupancy(on: Deployed, context_tokens: int, batch: int = 1, reserved_tokens: int = 0) -> Occupancy:
    """Fill the memories with the weights and the caches of `batch` conversations of `context_tokens` tokens each.

    `reserved_tokens`: the length for which each conversation's cache is set aside up front, 0 where it
    grows as needed. Raises BadValue.
    """
    check_deployment(on)
    tokens = checks.count(context_tokens, "context_tokens", least=0)
    sequences = checks.count(batch, "batch")
    reserved = checks.count(reserved_tokens, "reserved_tokens", least=0)
    return Occupancy(
        per_device=tuple(
            DeviceMemory(
                weights_bytes=place.weights_bytes,
                cache_bytes=place.cache_bytes(tokens, sequences),
                reserved_bytes=place.cache_bytes(reserved, sequences),
                memory_bytes=place.memory_bytes,
                working=place.working,
                size_bytes=place.device.memory_bytes,
            )
            for place in places(on)
        )
    )


@lru_cache(maxsize=512)
def different_places(on: Deployed) -> tuple[Place, ...]:
    """The places that differ: devices that hold the same need not be asked twice."""
    return tuple(dict.fromkeys(places(on)))


def free_bytes(different: tuple[Place, ...], tokens: Numeric, batch: Numeric) -> Numeric | None:
    """What stays free on the fullest device, in bytes; None where the size of a memory is not known.

    `tokens` and `batch` may be arrays that broadcast.
    """
    least: Numeric | None = None
    for place in different:
        if place.memory_bytes is None:
            return None
        free = place.memory_bytes - (place.filled_bytes + place.cache_bytes(tokens, batch))
        least = free if least is None else lesser(least, free)
    return least


def fits(different: tuple[Place, ...], tokens: Numeric, batch: Numeric) -> Flags | None:
    """Is there room on every device? None where the size of a memory is not known."""
    free = free_bytes(different, tokens, batch)
    return None if free is None else free >= 0


def max_context_tokens(on: Deployed, batch: int = 1, reserve_bytes: float = 0) -> int:
    """The longest context that memory holds for each of `batch` conversations, with `reserve_bytes` kept free.

    0 where the weights leave no room for one token. This is memory's limit, which may lie beyond what
    the model was trained for (`max_position_embeddings`); where windows bound the whole cache and
    it fits, memory sets none and the model's own is returned. MissingFact if a memory's size is not known.
    """
    sequences, reserve = checks.count(batch, "batch"), checks.amount(reserve_bytes, "reserve_bytes")
    different = _with_known_memory(on)
    most = most_that_fit(lambda tokens: _free(different, tokens, sequences) >= reserve, MOST_TOKENS)
    return on.model.max_position_embeddings if most == MOST_TOKENS else most


def max_batch(on: Deployed, context_tokens: int, reserve_bytes: float = 0) -> int:
    """The most conversations of `context_tokens` tokens each that memory holds, with `reserve_bytes` kept free.

    0 where there is no room for one. MissingFact if a memory's size is not known.
    """
    tokens, reserve = checks.count(context_tokens, "context_tokens"), checks.amount(reserve_bytes, "reserve_bytes")
    different = _with_known_memory(on)
    return most_that_fit(lambda batch: _free(different, tokens, batch) >= reserve, MOST_BATCH)


def _free(different: tuple[Place, ...], tokens: int, batch: int) -> float:
    return min(
        (place.memory_bytes or 0.0) - (place.filled_bytes + place.cache_bytes(tokens, batch)) for place in different
    )


def _with_known_memory(on: Deployed) -> tuple[Place, ...]:
    check_deployment(on)
    different = different_places(on)
    if any(place.memory_bytes is None for place in different):
        unknown = on.device if on.device.memory_bytes is None else on.host
        raise MissingFact(f'the memory size of device "{"" if unknown is None else unknown.key}" is not known')
    return different
