"""The simulation behind the demo `kv-memory`: the memory filled, and the time of a token."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import pysim
from demos.kit.declare.controls import Value
from demos.kv_memory.controls import LONGEST
from demos.kv_memory.stored_model import StoredModel
from pysim.memory.kv_cache import windows
from pysim.memory.occupancy import DeviceMemory
from pysim.requests.crossover import cache_equals_weights_tokens

POINTS = 33


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered. `longest` is where the model, or the reserved maximum, ends the context."""

    at: StoredModel
    asked: int
    longest: int
    context: int
    reserve: bool
    max_tokens: int
    filled: DeviceMemory
    equal_at: int | None
    tpot_s: float


def scene(**values: Value) -> Scene:
    """Fill the memory; a context longer than the model's or the reserved maximum is cut to it."""
    at = StoredModel(
        on=pysim.Deployment(
            pysim.load_model(str(values["model"])),
            pysim.load_device(str(values["device"])),
            weight_format=str(values["weights"]),
            kv_format=str(values["kv"]),
        ),
        conversations=int(values["conversations"]),
    )
    return filled_scene(at, int(values["context_tokens"]), bool(values["reserve"]), int(values["max_tokens"]))


def filled_scene(at: StoredModel, asked: int, reserve: bool, max_tokens: int) -> Scene:
    """Fill the memory as asked, the context cut to the model's or the reserved maximum."""
    longest = min(at.on.model.max_position_embeddings, max_tokens) if reserve else at.on.model.max_position_embeddings
    context = min(asked, longest)
    return Scene(
        at=at,
        asked=asked,
        longest=longest,
        context=context,
        reserve=reserve,
        max_tokens=max_tokens,
        filled=at.filled(context, longest if reserve else 0),
        equal_at=cache_equals_weights_tokens(at.on.model, at.on.weight_format, at.on.kv_format, at.conversations),
        tpot_s=at.tpot_s(context),
    )


@lru_cache(maxsize=32)
def token_times(at: StoredModel) -> tuple[tuple[float, float], ...]:
    """Return (context tokens, seconds of one token) over all lengths that the model allows."""
    longest = min(LONGEST, at.on.model.max_position_embeddings)
    bends = {window for _, window in windows(at.on.model) if window is not None and window < longest}
    evenly = {max(1, longest * point // (POINTS - 1)) for point in range(POINTS)}
    return tuple((tokens, at.tpot_s(tokens)) for tokens in sorted(evenly | bends))
