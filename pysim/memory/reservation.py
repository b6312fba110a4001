"""Memory reservation: how much an engine sets aside for the KV cache before the first token arrives.

An engine's file in catalog/engines says how: a fixed share of each device's memory, of which the weights leave room
for blocks of cache; the whole context of every conversation; or a context that it chooses by the size of the memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim import checks
from pysim.arrays.search import most_that_fit
from pysim.errors import BadValue
from pysim.memory.engine_settings import DEFAULTS, EngineSettings

if TYPE_CHECKING:
    from pysim.engines.engine import Engine
    from pysim.engines.memory_rules import ReservationRule
    from pysim.memory.placement import Place
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What one engine sets aside on each device, for conversations of `context_tokens` tokens.

    `slot_tokens`: the tokens set aside per conversation. `needed_bytes`: what those conversations will use in the
    engine's own units, such as whole blocks. `reserved_bytes`: what is taken at once. `limit_bytes`: how much of
    the device the engine allows itself.
    """

    engine: Engine
    rule: ReservationRule
    slot_tokens: int
    weights_bytes: tuple[float, ...]
    needed_bytes: tuple[float, ...]
    reserved_bytes: tuple[float, ...]
    limit_bytes: float
    memory_bytes: float

    @property
    def fits(self) -> bool:
        """Is there room on every device for the weights and for what has to be there?"""
        return self.short_bytes <= 0

    @property
    def short_bytes(self) -> float:
        """How much of the limit is missing on the fullest device; negative where there is room."""
        filled = zip(self.weights_bytes, self.needed_bytes, strict=True)
        return max(weights + cache for weights, cache in filled) - self.limit_bytes

    @property
    def free_bytes(self) -> float:
        """What stays free on the fullest device, beside the weights and all that is reserved; may be negative."""
        filled = zip(self.weights_bytes, self.reserved_bytes, strict=True)
        return self.memory_bytes - max(weights + cache for weights, cache in filled)


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
    stored = [place.under(settings.applied(engine.cache), model) for place in placed]
    tokens = checks.count(context_tokens, "context_tokens", least=0)
    several = checks.count(sequences, "sequences")
    memory = checks.amount(memory_bytes, "memory_bytes")
    limit = memory * rule.share
    chosen = max(tokens, default_context_tokens(rule, model, memory * len(placed)))
    needed = tuple(place.cache_bytes(chosen, several) for place in stored)
    taken = tuple(_pool_bytes(place, limit, rule.step_tokens) for place in stored) if rule.pooled else needed
    return Reservation(
        engine=engine,
        rule=rule,
        slot_tokens=_up_to(chosen, rule.step_tokens),
        weights_bytes=tuple(place.weights_bytes for place in placed),
        needed_bytes=needed,
        reserved_bytes=taken,
        limit_bytes=limit,
        memory_bytes=memory,
    )


@lru_cache(maxsize=512)
def longest_context_tokens(
    engine: Engine, model: Model, placed: tuple[Place, ...], memory_bytes: float, sequences: int = 1
) -> int:
    """The longest context, up to the model's own, that an engine told to hold it finds room for."""
    rule = _rule(engine)
    limit = memory_bytes * rule.share
    different = {place.under(engine.cache, model) for place in placed}

    def fits(tokens: int) -> bool:
        return max(place.weights_bytes + place.cache_bytes(tokens, sequences) for place in different) <= limit

    return most_that_fit(fits, model.max_position_embeddings)


def _rule(engine: Engine) -> ReservationRule:
    if engine.reservation is None:
        raise BadValue(f"catalog/engines/{engine.key}.toml has no [reservation]: how {engine.name} takes memory")
    return engine.reservation


def _pool_bytes(place: Place, limit_bytes: float, block_tokens: int) -> float:
    """The whole blocks that fit beside the weights within the limit, each of all the device's layers."""
    block_bytes = block_tokens * place.token_bytes
    free_bytes = limit_bytes - place.weights_bytes
    return float(math.floor(free_bytes / block_bytes) * block_bytes) if block_bytes and free_bytes > 0 else 0.0


def _up_to(tokens: int, step: int) -> int:
    return -(-tokens // step) * step
