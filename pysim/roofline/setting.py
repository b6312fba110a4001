"""Which facts decide the speed of this model on this device, stored and run this way?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Literal

from pysim import checks
from pysim.arrays.numeric import choose
from pysim.engines.efficiency import BEST_CASE
from pysim.engines.measured import Spread, facts_of, reached, spread
from pysim.engines.names import absorbs
from pysim.errors import BadValue
from pysim.formats.names import WeightFormat, kv_format, weight_format
from pysim.memory.weights import stored_weights
from pysim.roofline.times import Stage, Stored
from pysim.roofline.work import Shape

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.engines.efficiency import Efficiency
    from pysim.hardware.device import Device
    from pysim.models.model import Model

Split = Literal["tensor", "layers"]
SPLITS: Final = ("tensor", "layers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Everything about a run but its token counts.

    `in_line`: devices of a layer split, that a prompt's pieces pass one after the other.
    `spread`: how far such runs scatter; None for the best case.

    `memories`: for the fullest device of each kind its share of the weights, its share of the cache, and the bytes of
    the memory that both must fit in.
    """

    shape: Shape
    stored: Stored
    stages: tuple[Stage, ...]
    weights_bytes: float
    memories: tuple[tuple[float, float, float | None], ...]
    peak_flop_per_s: float
    bandwidth_bytes_per_s: float
    ridge_flop_per_byte: float
    in_line: int
    spread: Spread | None


def pass_overhead_s(efficiency: Efficiency, layers: Numeric, together: Numeric) -> Numeric:
    """What a pass costs besides its bytes and FLOP; a tensor split reduces twice in every layer."""
    reductions = 2 * layers * choose(together > 1, 1.0, 0.0)
    return efficiency.pass_s + efficiency.layer_s * layers + efficiency.reduce_s * reductions


def peak_of(device: Device, how: WeightFormat) -> float:
    """The peak FLOP/s at which weights of a format are multiplied; MissingFact where nobody published one.

    Matrices of 32 bits go at half the rate of 16 bits where nothing else is known: that is the ratio of
    TF32 to FP16 in matrix units (A100: 156 to 312 TFLOPS, H100: 494 to 989, MI300X: 654 to 1307).
    """
    if how.multiplies_in == "fp32" and "fp32" not in device.peak_flop_per_s:
        return device.peak("fp16") / 2
    return device.peak(how.multiplies_in)


@lru_cache(maxsize=1024)
def setting(
    model: Model,
    device: Device,
    weights: str,
    kv: str,
    engine: str | None,
    backend: str | None,
    n_devices: int,
    split: str,
    layers_on_host: int,
    host: Device | None,
) -> Setting:
    """Look everything up once; raises BadValue, UnknownName or MissingFact naming what is wrong."""
    checks.count(n_devices, "n_devices", most=100_000)
    checks.count(layers_on_host, "layers_on_host", least=0, most=model.num_hidden_layers)
    if split not in SPLITS:
        raise BadValue(f'unknown split "{split}"; allowed: {", ".join(SPLITS)}')
    if layers_on_host and host is None:
        raise BadValue(f"layers_on_host is {layers_on_host}, so host must say which device these layers run on")
    how = weight_format(weights)
    whole = stored_weights(model, weights)
    stored = Stored(
        layers=whole.layers_bytes + whole.other_bytes,
        head=whole.head_bytes,
        embedding_row=whole.embedding_bytes / model.vocab_size,
        expert=whole.experts_bytes / max(1, model.num_experts * len(model.moe_layers)),
        kv_row=model.kv_elements_per_token_per_layer * kv_format(kv).bits_per_element / 8,
    )
    together = n_devices if split == "tensor" else 1
    layers = model.num_hidden_layers
    # MLA's latent cannot be divided by heads, and keys and values not further than to one head each.
    cache_ways = 1 if model.attention_kind == "mla" else min(together, model.num_key_value_heads)
    peak = peak_of(device, how)
    stages: list[Stage] = []
    memories: list[tuple[float, float, float | None]] = []
    spreads: list[Spread] = []
    places = [(device, layers - layers_on_host, together, n_devices), (host, layers_on_host, 1, 1)]
    for place, share, ways, parts in places:
        if place is None or not share:
            continue
        efficiency = BEST_CASE
        if engine is not None:
            facts = facts_of(place, engine, backend if place is device else None, how, is_moe=model.is_moe)
            efficiency = reached(facts)
            spreads.append(spread(facts))
        bandwidth = place.memory_bandwidth_bytes_per_s
        stages.append(
            Stage(
                share=share / layers,
                peak_flop_per_s=peak_of(place, how) * ways,
                bandwidth_bytes_per_s=bandwidth * ways,
                kv_bandwidth_bytes_per_s=bandwidth * (cache_ways if place is device else 1),
                efficiency=efficiency,
                overhead_s=float(pass_overhead_s(efficiency, share, ways)),
            )
        )
        # A layer split deals out whole layers; a tensor split parts of each, but a copy of what cannot be divided.
        of_weights = -(-share // parts) / layers if parts > ways else share / layers / parts
        of_cache = share / layers / cache_ways if ways > 1 else of_weights
        memories.append((of_weights, of_cache, place.memory_bytes))
    return Setting(
        shape=Shape.of(model, absorbs=absorbs(engine)),
        stored=stored,
        stages=tuple(stages),
        weights_bytes=whole.total_bytes,
        memories=tuple(memories),
        peak_flop_per_s=peak * together,
        bandwidth_bytes_per_s=device.memory_bandwidth_bytes_per_s * together,
        ridge_flop_per_byte=peak / device.memory_bandwidth_bytes_per_s,
        in_line=n_devices if split == "layers" else 1,
        spread=max(spreads, key=lambda each: each.decode[1], default=None),
    )
