"""Which part of the weights and of the cache does each of several devices hold?

In a tensor split every device holds its part of every matrix. In a layer split it holds whole layers,
with the input table on the first device and the head on the last.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from pysim import checks
from pysim.errors import BadValue
from pysim.formats.names import kv_format
from pysim.memory.weights import stored_weights
from pysim.roofline.setting import SPLITS

if TYPE_CHECKING:
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """One device's part: bytes of weights, and for its layers how many look back how far (None: all the way).

    `row_bytes` is what one token takes in one of these layers on this device.
    """

    weights_bytes: float
    layers: int
    windows: tuple[tuple[int, int | None], ...]
    row_bytes: float

    def cache_bytes(self, tokens: int, sequences: int = 1) -> float:
        """Bytes of the cache of `sequences` conversations of `tokens` tokens each on this device."""
        rows = sum(layers * (tokens if window is None else min(tokens, window)) for layers, window in self.windows)
        return rows * self.row_bytes * sequences


@lru_cache(maxsize=512)
def places(
    model: Model, weights: str = "f16", kv: str = "f16", n_devices: int = 1, split: str = "tensor"
) -> tuple[Place, ...]:
    """What each device holds; raises BadValue for an unknown format or split.

    Keys and values can be divided between devices down to one head each, MLA's latents not at all:
    beyond that every device keeps a copy.
    """
    checks.count(n_devices, "n_devices", most=1024)
    if split not in SPLITS:
        raise BadValue(f'unknown split "{split}"; allowed: {", ".join(SPLITS)}')
    stored = stored_weights(model, weights)
    row_bytes = model.kv_elements_per_token_per_layer * kv_format(kv).bits_per_element / 8
    total = model.num_hidden_layers
    if split == "tensor":
        ways = 1 if model.attention_kind == "mla" else min(n_devices, model.num_key_value_heads)
        each = Place(
            weights_bytes=stored.total_bytes / n_devices,
            layers=total,
            windows=_windows(model, 0, total),
            row_bytes=row_bytes / ways,
        )
        return (each,) * n_devices
    found: list[Place] = []
    first = 0
    for index in range(n_devices):
        count = total // n_devices + (index < total % n_devices)
        held = (stored.layers_bytes + stored.experts_bytes) * count / total
        held += stored.embedding_bytes if index == 0 else 0.0
        held += stored.head_bytes + stored.other_bytes if index == n_devices - 1 else 0.0
        windows = _windows(model, first, first + count)
        found.append(Place(weights_bytes=held, layers=count, windows=windows, row_bytes=row_bytes))
        first += count
    return tuple(found)


def _windows(model: Model, first: int, end: int) -> tuple[tuple[int, int | None], ...]:
    found: dict[int | None, int] = {}
    for layer in range(first, end):
        window = model.window(layer)
        found[window] = found.get(window, 0) + 1
    return tuple((layers, window) for window, layers in found.items())
