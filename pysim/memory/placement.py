"""The placement: which part of the weights and of the cache does each device of a deployment hold?

In a tensor split every device holds its part of every matrix. In a layer split it holds whole layers,
with the input table on the first device and the head on the last. A host holds its layers, the first
ones, and the input table with them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, overload

from pysim.engines.load import find_engine
from pysim.engines.memory_rules import PLAIN_CACHE, PLAIN_WORKING, CacheRule, WorkingRule
from pysim.memory.cells import reads_windows, stored_bytes, without_windows
from pysim.memory.engine_settings import DEFAULTS, EngineSettings
from pysim.memory.kv_cache import Held, held, number_bytes
from pysim.memory.weights import StoredWeights, weights_on
from pysim.memory.working_memory import NO_WORKING, WorkingMemory, working_memory

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.deployed import Deployed
    from pysim.hardware.device import Device
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One device's part: bytes of weights, and what its layers hold for each conversation.

    `number_bytes` is what a cached number takes, `ways` how many devices work together on these layers, `rule` how
    the engine stores the cache. `working`: what the engine needs besides. `head`: it computes the scores of the next
    token. `memory_bytes` is what a program can have of `device`'s memory, None where its size is not known.
    """

    device: Device
    weights_bytes: float
    layers: int
    held: Held
    number_bytes: float
    ways: int = 1
    rule: CacheRule = PLAIN_CACHE
    working: WorkingMemory = NO_WORKING
    head: bool = True

    @property
    def memory_bytes(self) -> float | None:
        """What a program can have of the device's memory; None where its size is not known."""
        return self.device.usable_memory_bytes

    @property
    def filled_bytes(self) -> float:
        """Bytes of weights, and of what the engine needs besides."""
        return self.weights_bytes + self.working.total_bytes

    @property
    def token_bytes(self) -> float:
        """Bytes that one more token takes on this device while every window still has room."""
        return self.held.token_bytes(self.number_bytes, self.ways)

    @overload
    def cache_bytes(self, tokens: float, sequences: float = 1) -> float: ...
    @overload
    def cache_bytes(self, tokens: Numeric, sequences: Numeric = 1) -> Numeric: ...
    def cache_bytes(self, tokens: Numeric, sequences: Numeric = 1) -> Numeric:
        """Bytes that the cache of `sequences` conversations of `tokens` tokens each takes on this device."""
        return stored_bytes(self.held, tokens, sequences, self.rule, self.number_bytes, self.ways)

    def under(self, rule: CacheRule, model: Model) -> Place:
        """The same part of `model`, its cache stored by `rule`."""
        read = self.held if reads_windows(rule, model) else without_windows(self.held)
        return replace(self, rule=rule, held=read)

    def running(self, rule: WorkingRule, model: Model, settings: EngineSettings = DEFAULTS) -> Place:
        """The same part of `model`, with what an engine needs by `rule`; a device without layers runs nothing."""
        if not self.weights_bytes:
            return self
        working = working_memory(rule, model, self.device, settings, self.ways, head=self.head)
        return replace(self, working=working)


@lru_cache(maxsize=512)
def places(on: Deployed) -> tuple[Place, ...]:
    """What each device holds: the host, where layers are on it, then the devices in their order.

    The cache is stored as the deployment's engine does; without an engine, rows as they are.
    """
    engine = find_engine(on.engine)
    cache = PLAIN_CACHE if engine is None else engine.cache
    working = PLAIN_WORKING if engine is None or engine.working is None else engine.working
    return tuple(place.under(cache, on.model).running(working, on.model) for place in _plain_places(on))


def _plain_places(on: Deployed) -> tuple[Place, ...]:
    stored = weights_on(on)
    total, hosted = on.model.num_hidden_layers, on.layers_on_host
    number = number_bytes(on.kv_format)
    host = None if on.host is None or not hosted else on.host
    before: tuple[Place, ...] = ()
    if host is not None:
        ends = hosted == total
        weights = _weights_bytes(stored, hosted, total, table=True, head=ends)
        before = (_place(host, weights, hosted, held(on.model, 0, hosted), number, head=ends),)
        if ends:
            return before
    rest = total - hosted
    if on.split == "tensor":
        whole = stored.total_bytes
        if host is not None:
            whole = _weights_bytes(stored, rest, total, table=False, head=True)
        part = _place(on.device, whole / on.n_devices, rest, held(on.model, hosted, total), number, on.together)
        return (*before, *(part,) * on.n_devices)
    placed = list(before)
    first = hosted
    for index in range(on.n_devices):
        count = rest // on.n_devices + (index < rest % on.n_devices)
        last = index == on.n_devices - 1
        weights = _weights_bytes(stored, count, total, table=index == 0 and host is None, head=last)
        placed.append(_place(on.device, weights, count, held(on.model, first, first + count), number, head=last))
        first += count
    return tuple(placed)


def _place(
    device: Device, weights_bytes: float, layers: int, of: Held, number: float, ways: int = 1, *, head: bool = True
) -> Place:
    return Place(
        device=device, weights_bytes=weights_bytes, layers=layers, held=of, number_bytes=number, ways=ways, head=head
    )


def _weights_bytes(stored: StoredWeights, layers: int, total: int, *, table: bool, head: bool) -> float:
    """Bytes of some of the layers, with the input table or the head where they are with them."""
    part = (stored.layers_bytes + stored.experts_bytes) * layers / total
    part += stored.embedding_bytes if table else 0.0
    return part + (stored.head_bytes + stored.other_bytes if head else 0.0)
