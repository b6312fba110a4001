"""Weights in memory: how many bytes do a model's weights take, and where do they sit?"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from pysim import checks
from pysim.engines.load import find_engine
from pysim.formats.default import AS_CONFIG, format_of, is_configs_own
from pysim.formats.gguf import LayerBits, embedding_bits, head_bits, layer_bits
from pysim.formats.names import WeightFormat, weight_format
from pysim.formats.table import CHECKPOINT_FORMATS
from pysim.memory.other_widths import Widths, more_bits
from pysim.models.layers import layers
from pysim.models.model import Model
from pysim.models.parameters import parameters

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.models.mixer import Layer

_F32: Final = 32.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWeights:
    """Bytes of a model's weights by part.

    `layers_bytes`: all layers with their norms, without routed experts. `experts_bytes`: all routed
    experts of all layers. `embedding_bytes`: the input table, 0 where the head is the table, with tables like it.
    `other_bytes`: final norm and learned positions.
    """

    layers_bytes: float
    experts_bytes: float
    head_bytes: float
    embedding_bytes: float
    other_bytes: float

    @property
    def total_bytes(self) -> float:
        """Everything stored."""
        return self.layers_bytes + self.experts_bytes + self.head_bytes + self.embedding_bytes + self.other_bytes


def weights_bytes(model: Model, weights: str = AS_CONFIG, *, engine: str | None = None) -> float:
    """Bytes of all stored weights, a separate input table included, as an engine's own kind of file holds them.

    `weights`: a format's common name in any case, or "config" for what the model's config says (16 bits where it
    says nothing). BadValue names an unknown one.
    """
    checks.instance(model, Model, "model", "load_model")
    named = weights if isinstance(weights, str) else weight_format(weights).name
    return stored_weights(model, named, engine).total_bytes


def weights_on(on: Deployed) -> StoredWeights:
    """The bytes of each part of a deployment's weights."""
    return stored_weights(on.model, on.weight_format, on.engine)


@lru_cache(maxsize=4096)
def stored_weights(model: Model, weights: str = AS_CONFIG, engine: str | None = None) -> StoredWeights:
    """The bytes of each part of a model in a weight format; without an engine, as llama.cpp's files hold them."""
    held = model.file_bytes
    if held is not None and is_configs_own(model, format_of(model, weights)):
        return StoredWeights(
            layers_bytes=held.layers,
            experts_bytes=held.experts,
            head_bytes=held.head,
            embedding_bytes=held.embedding,
            other_bytes=held.other + held.beside,
        )
    stored = _as_held(weight_format(format_of(model, weights)), engine)
    params = parameters(model)
    head, embedding = stored.head_bits, stored.embedding_bits
    small = _F32 if stored.recipe is not None or stored.multiplies_in == "fp32" else 16.0
    if stored.recipe is not None and stored.head_bits == stored.bits_per_weight:
        head, embedding = head_bits(model, stored.recipe), embedding_bits(model, stored.recipe)
    besides = experts = 0.0
    if _is_checkpoint_of(model, stored, engine):
        more = more_bits(model, Widths(experts=stored.expert_bits, beside=_beside(model, stored)))
        besides, experts = more.layers, more.experts
        head, embedding = more.head or head, more.embedding or embedding
    for index, layer in enumerate(layers(model)):
        bits = _layer_bits(model, stored, index)
        split = layer.params
        ffn = _ffn_bits(model, bits)
        besides += _mixer_bits(layer, bits) + (split.dense + split.shared) * ffn
        besides += (split.norms + split.router) * small
        experts += split.experts * (ffn if stored.recipe is not None else stored.expert_bits)
    return StoredWeights(
        layers_bytes=besides / 8,
        experts_bytes=experts / 8,
        head_bytes=params.head * head / 8,
        embedding_bytes=(params.embedding + params.lookup) * embedding / 8,
        other_bytes=params.other * small / 8,
    )


def _as_held(stored: WeightFormat, engine: str | None) -> WeightFormat:
    """A format as the files of an engine hold it, with what the engine adds when it loads them."""
    known = find_engine(engine)
    if known is None or known.weights is None:
        return stored
    if known.weights.stored_as == "checkpoint":
        stored = CHECKPOINT_FORMATS.get(stored.name, stored)
    if stored.name != "NF4" or not known.weights.nf4_more:
        return stored
    bits = stored.bits_per_weight * (1 + known.weights.nf4_more)
    return replace(stored, bits_per_weight=bits, expert_bits=bits, beside_experts_bits=bits)


def _beside(model: Model, stored: WeightFormat) -> float:
    return stored.beside_experts_bits if model.num_experts else stored.bits_per_weight


def _is_checkpoint_of(model: Model, stored: WeightFormat, engine: str | None) -> bool:
    """Is it the format of the model's own checkpoint, with the exceptions that its config names?

    Not where an engine's own kind of file stores the same format in another way.
    """
    if not model.other_widths or model.quantization is None or weight_format(model.quantization).name != stored.name:
        return False
    known = find_engine(engine)
    loads = known is not None and known.weights is not None and known.weights.stored_as == "checkpoint"
    return loads or stored.name not in CHECKPOINT_FORMATS


def _layer_bits(model: Model, stored: WeightFormat, layer: int) -> LayerBits:
    if stored.recipe is not None:
        return layer_bits(model, stored.recipe, layer)
    width = _beside(model, stored)
    return LayerBits(query=width, key=width, value=width, output=width, gate_up=width, down=width)


def _mixer_bits(layer: Layer, bits: LayerBits) -> float:
    """Bits of one layer's mixers; what is in none of their four matrices is spread over these, by their sizes."""
    total = 0.0
    for mixer in layer.mixers:
        size = mixer.query + mixer.key + mixer.value + mixer.output
        own = mixer.query * bits.query + mixer.key * bits.key + mixer.value * bits.value + mixer.output * bits.output
        total += mixer.params * own / size if size else 0.0
    return total


def _ffn_bits(model: Model, bits: LayerBits) -> float:
    up = 2 if model.block.gated_ffn else 1
    return (up * bits.gate_up + bits.down) / (up + 1)
