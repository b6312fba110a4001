"""The setting of a pass: which facts decide the speed of this model on this device, stored and run this way?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim.arrays.numeric import choose
from pysim.deployed import check_deployment, check_speed
from pysim.engines.efficiency import BEST_CASE
from pysim.engines.measured import measured_efficiency
from pysim.engines.names import TYPICAL, absorbs, piece_tokens
from pysim.engines.spread import Spread, spread
from pysim.formats.names import WeightFormat, weight_format
from pysim.memory.kv_cache import number_bytes
from pysim.memory.occupancy import different_places
from pysim.memory.weights import weights_on
from pysim.models.parameters import parameters
from pysim.roofline.corrections import Corrections, corrections
from pysim.roofline.facts import facts_of
from pysim.roofline.times import Stage, Stored
from pysim.roofline.work import Shape

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.deployed import Deployed
    from pysim.engines.efficiency import Efficiency
    from pysim.hardware.device import Device
    from pysim.memory.placement import Place
    from pysim.models.model import Model


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """Everything about a run but its token counts.

    `in_line`: devices of a layer split that hold layers, which a prompt's pieces pass one after the other.
    `spread`: how far such runs scatter; None for the best case. `correction`: what was measured there.

    `places`: what the devices hold that differ.
    """

    shape: Shape
    stored: Stored
    stages: tuple[Stage, ...]
    weights_bytes: float
    places: tuple[Place, ...]
    peak_flop_per_s: float
    bandwidth_bytes_per_s: float
    ridge_flop_per_byte: float
    in_line: int
    spread: Spread | None
    correction: Corrections | None = None


# What all-reduces of a tensor split add up: twice per layer a row of the hidden size, in 16 bits.
_REDUCTIONS_PER_LAYER: Final = 2
_REDUCED_BYTES: Final = 2
# Where no link's speed is known: PCIe 4.0 x16, as most cards have it; a 200 Gb/s network between whole computers.
_USUAL_LINK_BYTES_PER_S: Final = 31.5e9
_NETWORK_BYTES_PER_S: Final = 25e9


def pass_overhead_s(efficiency: Efficiency, layers: Numeric, together: Numeric, in_line: Numeric = 1) -> Numeric:
    """What a pass costs besides its bytes and FLOP; a tensor split reduces twice in every layer."""
    reductions = _REDUCTIONS_PER_LAYER * layers * choose(together > 1, 1.0, 0.0)
    once = efficiency.pass_s + efficiency.hand_over_s * (in_line - 1)
    return once + efficiency.layer_s * layers + efficiency.reduce_s * reductions


def link_bytes(model: Model, together: int) -> float:
    """Bytes that each device of a tensor split sends for a token: a ring sends 2 (n - 1) / n of what is added up."""
    reduced = _REDUCTIONS_PER_LAYER * model.num_hidden_layers * model.hidden_size * _REDUCED_BYTES
    return reduced * 2 * (together - 1) / together


def link_speed(device: Device) -> float:
    """Bytes per second that a device sends to its like in one direction, as far as it is known."""
    known = [link.bytes_per_s for link in device.links]
    if device.kind == "gpu":
        return max(known, default=_USUAL_LINK_BYTES_PER_S)
    return max((link.bytes_per_s for link in device.links if link.name == "ici"), default=_NETWORK_BYTES_PER_S)


def peak_of(device: Device, weights: WeightFormat) -> float:
    """The peak FLOP/s at which weights of a format are multiplied; MissingFact where nobody published one.

    Matrices of 32 bits go at half the rate of 16 bits where nothing else is known: that is the ratio of
    TF32 to FP16 in matrix units (A100: 156 to 312 TFLOPS, H100: 494 to 989, MI300X: 654 to 1307).
    """
    if weights.multiplies_in == "fp32" and "fp32" not in device.peak_flop_per_s:
        return device.peak("fp16") / 2
    return device.peak(weights.multiplies_in)


def setting(on: Deployed, speed: str = "typical") -> Setting:
    """Look everything up once; raises BadValue, UnknownName or MissingFact naming what is wrong."""
    check_deployment(on)
    check_speed(speed)
    return _setting(on, speed)


@lru_cache(maxsize=1024)
def _setting(on: Deployed, speed: str) -> Setting:
    model, device = on.model, on.device
    weights = weight_format(on.weight_format)
    whole = weights_on(on)
    stored = Stored(
        layers=whole.layers_bytes + whole.other_bytes,
        head=whole.head_bytes,
        embedding_row=whole.embedding_bytes / model.vocab_size,
        expert=whole.experts_bytes / max(1, model.num_experts * len(model.moe_layers)),
        kv_number=number_bytes(on.kv_format),
    )
    layers = model.num_hidden_layers
    engine = None if speed == "datasheet" else on.engine or TYPICAL
    peak = peak_of(device, weights)
    in_line = max(1, min(on.n_devices, layers - on.layers_on_host)) if on.split == "layers" else 1
    piece = on.micro_batch_tokens or piece_tokens(engine)
    stages: list[Stage] = []
    spreads: list[Spread] = []
    for place, share, ways, cache_ways in (
        (device, layers - on.layers_on_host, on.together, on.cache_ways),
        (on.host, on.layers_on_host, 1, 1),
    ):
        if place is None or not share:
            continue
        efficiency = BEST_CASE
        if engine is not None:
            facts = facts_of(on, place, engine)
            efficiency = measured_efficiency(facts)
            spreads.append(spread(facts, parameters(model).total))
        bandwidth = place.memory_bandwidth_bytes_per_s
        stages.append(
            Stage(
                share=share / layers,
                peak_flop_per_s=peak_of(place, weights) * ways,
                bandwidth_bytes_per_s=bandwidth * ways,
                kv_bandwidth_bytes_per_s=bandwidth * cache_ways,
                efficiency=efficiency,
                overhead_s=float(pass_overhead_s(efficiency, share, ways, in_line if place is device else 1)),
                link_bytes=0.0 if engine is None else link_bytes(model, ways),
                link_bytes_per_s=link_speed(place),
            )
        )
    scattered = max(spreads, key=lambda scatter: scatter.decode.high, default=None)
    corrected = None if engine is None else corrections(on)
    return Setting(
        shape=Shape.of(model, absorbs=absorbs(engine), piece_tokens=piece),
        stored=stored,
        stages=tuple(stages),
        weights_bytes=whole.total_bytes,
        places=different_places(on),
        peak_flop_per_s=peak * on.together,
        bandwidth_bytes_per_s=device.memory_bandwidth_bytes_per_s * on.together,
        ridge_flop_per_byte=peak / device.memory_bandwidth_bytes_per_s,
        in_line=in_line,
        spread=scattered if corrected is None or scattered is None else corrected.narrowed(scattered),
        correction=corrected,
    )
