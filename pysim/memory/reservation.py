"""How much memory do vLLM, llama.cpp and ollama set aside for the cache before the first token arrives?

vLLM takes a fixed share of each device's memory and fills what the weights leave of it with blocks of
cache. llama.cpp sets aside the whole context of every slot. ollama sets aside num_ctx for each of its
parallel requests, and where nobody says num_ctx it chooses one by the size of the memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from pysim import checks
from pysim.arrays.search import most_that_fit
from pysim.memory.kv_cache import BLOCK_TOKENS
from pysim.units import GIB

if TYPE_CHECKING:
    from pysim.memory.placement import Place
    from pysim.models.model import Model

Habit = Literal["vllm", "llama.cpp", "ollama"]
HABITS: Final[tuple[Habit, ...]] = ("vllm", "llama.cpp", "ollama")

# gpu_memory_utilization, https://docs.vllm.ai/en/v0.10.0/api/vllm/config.html (versions of 2026 take 0.92)
VLLM_SHARE: Final = 0.9
# GGML_PAD(n_ctx, 256), https://github.com/ggml-org/llama.cpp/blob/master/src/llama-context.cpp
LLAMACPP_PAD_TOKENS: Final = 256
# By the memory of all devices together, https://docs.ollama.com/context-length
OLLAMA_CONTEXTS: Final = ((48 * GIB, 262_144), (24 * GIB, 32_768), (0, 4_096))


@dataclass(frozen=True, slots=True, kw_only=True)
class Reservation:
    """What one engine sets aside on each device, for conversations of `context_tokens` tokens.

    `slot_tokens`: the tokens set aside per conversation. `needed_bytes`: what those conversations will use in the
    engine's own units, such as whole blocks. `reserved_bytes`: what is taken at once. `limit_bytes`: how much of
    the device the engine allows itself.
    """

    habit: Habit
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


def ollama_context_tokens(model: Model, memory_bytes: float) -> int:
    """The num_ctx that ollama takes where nobody says one; never more than the model was trained for.

    `memory_bytes`: of all devices together. Source: https://docs.ollama.com/context-length.
    """
    memory = checks.amount(memory_bytes, "memory_bytes")
    chosen = next(tokens for least, tokens in OLLAMA_CONTEXTS if memory >= least)
    return min(chosen, model.max_position_embeddings)


def reservation(
    habit: Habit,
    model: Model,
    placed: Sequence[Place],
    memory_bytes: float,
    context_tokens: int,
    sequences: int = 1,
) -> Reservation:
    """What an engine takes on devices of `memory_bytes` each that hold `placed`.

    ollama's num_ctx is its default, or the context where that is longer: a shorter one would cut the conversation.
    """
    tokens = checks.count(context_tokens, "context_tokens", least=0)
    several = checks.count(sequences, "sequences")
    memory = checks.amount(memory_bytes, "memory_bytes")
    limit = memory * VLLM_SHARE if habit == "vllm" else memory
    slot = _slot_tokens(habit, model, memory * len(placed), tokens)
    needed = tuple(place.cache_bytes(slot, several) for place in placed)
    taken = tuple(_pool_bytes(place, limit) for place in placed) if habit == "vllm" else needed
    return Reservation(
        habit=habit,
        slot_tokens=slot,
        weights_bytes=tuple(place.weights_bytes for place in placed),
        needed_bytes=needed,
        reserved_bytes=taken,
        limit_bytes=limit,
        memory_bytes=memory,
    )


@lru_cache(maxsize=512)
def longest_context_tokens(
    habit: Habit, model: Model, placed: tuple[Place, ...], memory_bytes: float, sequences: int = 1
) -> int:
    """The longest context, up to the model's own, that an engine told to hold it finds room for."""
    limit = memory_bytes * (VLLM_SHARE if habit == "vllm" else 1.0)
    different = {*placed}
    pad = {"vllm": BLOCK_TOKENS, "llama.cpp": LLAMACPP_PAD_TOKENS}.get(habit, 1)

    def fits(tokens: int) -> bool:
        slot = _up_to(tokens, pad)
        return max(each.weights_bytes + each.cache_bytes(slot, sequences) for each in different) <= limit

    return most_that_fit(fits, model.max_position_embeddings)


def _slot_tokens(habit: Habit, model: Model, memory_bytes: float, tokens: int) -> int:
    if habit == "vllm":
        return _up_to(tokens, BLOCK_TOKENS)
    if habit == "llama.cpp":
        return _up_to(tokens, LLAMACPP_PAD_TOKENS)
    return max(tokens, ollama_context_tokens(model, memory_bytes))


def _pool_bytes(place: Place, limit_bytes: float) -> float:
    """The whole blocks that fit beside the weights within the limit, each of all the device's layers."""
    block = BLOCK_TOKENS * place.layers * place.row_bytes
    free = limit_bytes - place.weights_bytes
    return math.floor(free / block) * block if block and free > 0 else 0.0


def _up_to(tokens: int, step: int) -> int:
    return -(-tokens // step) * step
