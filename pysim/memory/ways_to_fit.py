"""A model does not fit: which single change would make it fit, and if none does, which changes together?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.arrays.search import most_that_fit
from pysim.formats.names import kv_format
from pysim.memory.placement import places
from pysim.memory.weights import weights_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pysim.hardware.device import Device
    from pysim.memory.placement import Place
    from pysim.models.model import Model

# Widest first; what people find ready-made for nearly every model.
COMMON_WEIGHTS: Final = ("f16", "q8_0", "q6_k", "q5_k_m", "q4_k_m", "q3_k_m", "q2_k")
COMMON_CACHES: Final = ("f16", "q8_0", "q4_0")
MOST_DEVICES: Final = 8
MOST_SEQUENCES: Final = 4096
# Formats that nobody would combine with another sacrifice before trying four bits.
WIDE_WEIGHTS: Final = frozenset({"f16", "q8_0", "q6_k", "q5_k_m"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """Everything that has to find room: a model in its formats, the conversations, and the devices."""

    model: Model
    device: Device
    n_devices: int = 1
    split: str = "tensor"
    weights: str = "f16"
    kv: str = "f16"
    context_tokens: int = 8192
    sequences: int = 1

    @property
    def placed(self) -> tuple[Place, ...]:
        """What each device holds."""
        return places(self.model, self.weights, self.kv, self.n_devices, self.split)

    @property
    def free_bytes(self) -> float:
        """What stays free on the fullest device; negative where it does not fit. MissingFact without a memory size."""
        return _free_bytes(self.placed, self.device.memory, self.context_tokens, self.sequences)

    @property
    def longest_context_tokens(self) -> int:
        """The longest context that fits, up to the model's own; 0 where there is no room for one token."""
        placed, memory, several = self.placed, self.device.memory, self.sequences
        most = self.model.max_position_embeddings
        return most_that_fit(lambda tokens: _free_bytes(placed, memory, tokens, several) >= 0, most)

    @property
    def most_sequences(self) -> int:
        """The most conversations of this length that fit, up to 4096; 0 where there is no room for one."""
        placed, memory, tokens = self.placed, self.device.memory, self.context_tokens
        return most_that_fit(lambda count: _free_bytes(placed, memory, tokens, count) >= 0, MOST_SEQUENCES)


def _free_bytes(placed: Sequence[Place], memory_bytes: float, tokens: int, sequences: int) -> float:
    # Devices that hold the same need not be asked twice.
    return memory_bytes - max(each.weights_bytes + each.cache_bytes(tokens, sequences) for each in {*placed})


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
    for weights in _smaller_weights(load):
        if weights in WIDE_WEIGHTS:
            continue
        for way in _single(replace(load, weights=weights)):
            if way.changes[0] in kinds:
                return Way(changes=("weights", *way.changes), after=way.after)
    return None


def _single(load: Load) -> Iterator[Way]:
    """The mildest change of each kind that fits, or nothing of that kind."""
    found: dict[str, list[Load]] = {
        "weights": [replace(load, weights=each) for each in _smaller_weights(load)],
        "kv": [replace(load, kv=each) for each in _smaller_caches(load)],
        "context_tokens": [replace(load, context_tokens=max(1, load.longest_context_tokens))],
        "conversations": [replace(load, sequences=max(1, load.most_sequences))],
        "devices": [replace(load, n_devices=each) for each in range(load.n_devices + 1, MOST_DEVICES + 1)],
    }
    for name, tried in found.items():
        fitting = next((each for each in tried if each.free_bytes >= 0), None)
        if fitting is not None:
            yield Way(changes=(name,), after=fitting)


def _smaller_weights(load: Load) -> list[str]:
    now = weights_bytes(load.model, load.weights)
    return [each for each in COMMON_WEIGHTS if weights_bytes(load.model, each) < now]


def _smaller_caches(load: Load) -> list[str]:
    now = kv_format(load.kv).bits_per_element
    return [each for each in COMMON_CACHES if kv_format(each).bits_per_element < now]
