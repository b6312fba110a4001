"""Ways to fit: which single change makes a model fit, and if none does, which changes together?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.formats.common import READY_MADE_CACHES, READY_MADE_WEIGHTS
from pysim.formats.names import kv_format
from pysim.memory.occupancy import max_batch, max_context_tokens, occupancy
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pysim.deployed import Deployed

MOST_DEVICES: Final = 8
MOST_BATCH: Final = 4096
# Formats that nobody would combine with another sacrifice before trying four bits.
WIDE_WEIGHTS: Final = frozenset({"f16", "q8_0", "q6_k", "q5_k_m"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Everything that has to find room: a deployment, and the conversations in its cache."""

    on: Deployed
    context_tokens: int = 8192
    batch: int = 1

    @property
    def free_bytes(self) -> float:
        """What stays free on the fullest device; negative where it does not fit. MissingFact without a memory size."""
        free = occupancy(self.on, self.context_tokens, self.batch).free_bytes
        return self.on.device.memory if free is None else free

    @property
    def max_context_tokens(self) -> int:
        """The longest context that fits, up to the model's own; 0 where there is no room for one token."""
        return min(max_context_tokens(self.on, self.batch), self.on.model.max_position_embeddings)

    @property
    def max_batch(self) -> int:
        """The most conversations of this length that fit, up to 4096; 0 where there is no room for one."""
        return min(max_batch(self.on, self.context_tokens), MOST_BATCH)


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A change, by the names of what changes, and the load after it."""

    changes: tuple[str, ...]
    after: Load


def ways_to_fit(load: Load) -> tuple[Way, ...]:
    """The mildest change of each kind that makes it fit; where none does alone, smaller weights with one other.

    Empty where it fits already, or where nothing of this helps.
    """
    if load.free_bytes >= 0:
        return ()
    alone = list(_single(load))
    if any(way.changes == ("weights",) for way in alone):
        return tuple(alone)
    beside = [("kv", "context_tokens", "conversations"), ("devices",)]
    return (*alone, *(way for kinds in beside if (way := _with_smaller_weights(load, kinds))))


def _with_smaller_weights(load: Load, kinds: tuple[str, ...]) -> Way | None:
    """The widest weights of four bits or less that fit together with one other change."""
    for name in _smaller_weights(load.on):
        if name in WIDE_WEIGHTS:
            continue
        for way in _single(_changed(load, weight_format=name)):
            if way.changes[0] in kinds:
                return Way(changes=("weights", *way.changes), after=way.after)
    return None


def _single(load: Load) -> Iterator[Way]:
    """The mildest change of each kind that fits, or nothing of that kind."""
    candidates: dict[str, list[Load]] = {
        "weights": [_changed(load, weight_format=name) for name in _smaller_weights(load.on)],
        "kv": [_changed(load, kv_format=name) for name in _smaller_caches(load.on)],
        "context_tokens": [replace(load, context_tokens=max(1, load.max_context_tokens))],
        "conversations": [replace(load, batch=max(1, load.max_batch))],
        "devices": [_changed(load, n_devices=count) for count in range(load.on.n_devices + 1, MOST_DEVICES + 1)],
    }
    for kind, loads in candidates.items():
        fitting = next((after for after in loads if after.free_bytes >= 0), None)
        if fitting is not None:
            yield Way(changes=(kind,), after=fitting)


def _changed(load: Load, **changes: object) -> Load:
    return replace(load, on=replace(load.on, **changes))  # type: ignore[arg-type]


def _smaller_weights(on: Deployed) -> list[str]:
    now = weights_bytes(on.model, on.weight_format, engine=on.engine)
    return [name for name in READY_MADE_WEIGHTS if weights_bytes(on.model, name, engine=on.engine) < now]


def _smaller_caches(on: Deployed) -> list[str]:
    now = kv_format(on.kv_format).bits_per_element
    return [name for name in READY_MADE_CACHES if kv_format(name).bits_per_element < now]
