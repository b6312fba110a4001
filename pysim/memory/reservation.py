"""Memory reservation: how much an engine sets aside for the KV cache before the first token arrives.

An engine's file in catalog/engines says how: a fixed share of each device's memory, of which the weights leave room
for blocks of cache; the whole context of every conversation; or a context that it chooses by the size of the memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim import checks
from pysim.arrays.search import most_that_fit
from pysim.engines.memory_rules import PLAIN_WORKING
from pysim.errors import BadValue
from pysim.memory.cells import StoredParts, stored_parts
from pysim.memory.engine_settings import DEFAULTS, EngineSettings
from pysim.memory.pages import page_token_bytes
from pysim.memory.working_memory import NO_WORKING, WorkingMemory

if TYPE_CHECKING:
    from pysim.engines.engine import Engine
    from pysim.engines.memory_rules import ReservationRule
    from pysim.memory.placement import Place
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What one engine sets aside on each device, for conversations of `context_tokens` tokens.

    `stored`: what each device holds as the engine stores it. `slot_tokens`: the tokens set aside per conversation.
    `needed_bytes`: what those conversations will use in the engine's own units, such as whole blocks.
    `reserved_bytes`: what is taken at once, `pool_tokens` the tokens that the engine says it has room for, None
    without a pool. `working`: what the engine needs besides, as an estimate.
    `limit_bytes`: how much of the device the engine allows itself, `memory_bytes` what a program can have of it.
    """

    engine: Engine
    rule: ReservationRule
    sequences: int
    stored: tuple[Place, ...]
    slot_tokens: int
    weights_bytes: tuple[float, ...]
    needed_bytes: tuple[float, ...]
    reserved_bytes: tuple[float, ...]
    pool_tokens: int | None
    working: tuple[WorkingMemory, ...]
    limit_bytes: float
    memory_bytes: float

    @property
    def parts(self) -> tuple[StoredParts, ...]:
        """What those conversations will use on each device, by kinds of layers."""
        tokens, several = self.slot_tokens, self.sequences
        return tuple(
            stored_parts(place.held, tokens, several, place.rule, place.number_bytes, place.ways)
            for place in self.stored
        )

    @property
    def fits(self) -> bool:
        """Is there room on every device for the weights and for what has to be there?"""
        return self.short_bytes <= 0

    @property
    def short_bytes(self) -> float:
        """How much of the limit is missing on the fullest device; negative where there is room."""
        return self._fullest_bytes(self.needed_bytes) - self.limit_bytes

    @property
    def free_bytes(self) -> float:
        """What stays free on the fullest device, after the weights and all that is reserved; may be negative."""
        return self.memory_bytes - self._fullest_bytes(self.reserved_bytes)

    def _fullest_bytes(self, caches: tuple[float, ...]) -> float:
        """What is taken on the fullest device with these caches."""
        filled = zip(self.weights_bytes, self.working, caches, strict=True)
        return max(weights + working.total_bytes + cache for weights, working, cache in filled)


def default_context_tokens(rule: ReservationRule, model: Model, memory_bytes: float) -> int:
    """The context that an engine takes where nobody says one; 0 for an engine that does not choose by the memory.

    Never more than the model was trained for. `memory_bytes`: of all devices together.
    """
    memory = checks.amount(memory_bytes, "memory_bytes")
    chosen = next((tokens for least_bytes, tokens in rule.contexts if memory >= least_bytes), 0)
    return min(chosen, model.max_position_embeddings)


def reservation(
    engine: Engine,
    model: Model,
    placed: Sequence[Place],
    memory_bytes: float,
    context_tokens: int,
    sequences: int = 1,
    settings: EngineSettings = DEFAULTS,
) -> Reservation:
    """What an engine with these `settings` takes on devices of `memory_bytes` each that hold `placed`.

    A context longer than the engine's default is taken: a shorter one would cut the conversation. Raises BadValue
    for an engine whose file has no [reservation].
    """
    rule = _rule(engine)
    stored = _stored(engine, model, tuple(placed), settings)
    tokens = checks.count(context_tokens, "context_tokens", least=0)
    several = checks.count(sequences, "sequences")
    memory = checks.amount(memory_bytes, "memory_bytes")
    limit = _limit_bytes(rule, memory, len(placed), settings)
    chosen = max(tokens, default_context_tokens(rule, model, memory * len(placed)))
    needed = tuple(place.cache_bytes(chosen, several) for place in stored)
    pools = tuple(_pool(place, model, limit, rule.step_tokens) for place in stored) if rule.pooled else None
    return Reservation(
        engine=engine,
        rule=rule,
        sequences=several,
        stored=stored,
        slot_tokens=_up_to(chosen, rule.step_tokens),
        weights_bytes=tuple(place.weights_bytes for place in stored),
        needed_bytes=needed,
        reserved_bytes=needed if pools is None else tuple(pool for pool, _ in pools),
        pool_tokens=None if pools is None else min(tokens for _, tokens in pools),
        working=tuple(place.working for place in stored),
        limit_bytes=limit,
        memory_bytes=memory,
    )


@lru_cache(maxsize=512)
def longest_context_tokens(
    engine: Engine,
    model: Model,
    placed: tuple[Place, ...],
    memory_bytes: float,
    sequences: int = 1,
    settings: EngineSettings = DEFAULTS,
) -> int:
    """The longest context, up to the model's own, that an engine told to hold it finds room for."""
    rule = _rule(engine)
    limit = _limit_bytes(rule, memory_bytes, len(placed), settings)
    different = {*_stored(engine, model, placed, settings)}

    def fits(tokens: int) -> bool:
        return max(place.filled_bytes + place.cache_bytes(tokens, sequences) for place in different) <= limit

    return most_that_fit(fits, model.max_position_embeddings)


@lru_cache(maxsize=512)
def _stored(engine: Engine, model: Model, placed: tuple[Place, ...], settings: EngineSettings) -> tuple[Place, ...]:
    """The places as the engine stores the cache, with what it needs besides."""
    cache = settings.applied(engine.cache)
    plain = [replace(place, working=NO_WORKING).under(cache, model) for place in placed]
    if engine.reservation is not None and engine.reservation.reserves:
        return tuple(plain)
    working = PLAIN_WORKING if engine.working is None else engine.working
    return tuple(place.running(working, model, settings) for place in plain)


def _limit_bytes(rule: ReservationRule, memory_bytes: float, n_devices: int, settings: EngineSettings) -> float:
    """How much of a device the engine allows itself for weights, cache and, but for a reserve, all else."""
    if settings.share is not None and rule.pooled:
        return memory_bytes * settings.share
    if rule.reserves:
        reserve = next((free for least, free in rule.reserves if memory_bytes >= least), 0.0)
        return max(0.0, memory_bytes - reserve - n_devices * rule.reserve_per_device_bytes)
    share = next((older for version, older in reversed(rule.earlier_shares) if settings.before(version)), rule.share)
    return memory_bytes * share


def _rule(engine: Engine) -> ReservationRule:
    if engine.reservation is None:
        raise BadValue(f"catalog/engines/{engine.key}.toml has no [reservation]: how {engine.name} takes memory")
    return engine.reservation


def _pool(place: Place, model: Model, limit_bytes: float, block_tokens: int) -> tuple[float, int]:
    """The whole blocks that fit next to weights and working memory, in bytes, and the tokens that they hold."""
    token_bytes = page_token_bytes(model, place) if place.rule.equal_pages else place.token_bytes
    free_bytes = limit_bytes - place.filled_bytes
    if not token_bytes or free_bytes <= 0:
        return 0.0, 0
    blocks = math.floor(free_bytes / (block_tokens * token_bytes))
    return blocks * block_tokens * token_bytes, blocks * block_tokens


def _up_to(tokens: int, step: int) -> int:
    return -(-tokens // step) * step
