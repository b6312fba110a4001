"""Weights in memory: how many bytes do a model's weights take, and where do they sit?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from pysim import checks
from pysim.formats.gguf import LayerBits, embedding_bits, head_bits, layer_bits
from pysim.formats.names import WeightFormat, weight_format
from pysim.models.model import Model
from pysim.models.parameters import parameters

_F32: Final = 32.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredWeights:
    """Bytes of a model's weights by part.

    `layers_bytes`: all layers with their norms, without routed experts. `experts_bytes`: all routed
    experts of all layers. `embedding_bytes`: the input table, 0 where the head is the table.
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


def weights_bytes(model: Model, weights: str = "f16") -> float:
    """Bytes of all stored weights, an input table of its own included.

    `weights`: a format's common name in any case. BadValue names an unknown one.
    """
    checks.instance(model, Model, "model", "load_model")
    return stored_weights(model, weight_format(weights).name if not isinstance(weights, str) else weights).total_bytes


@lru_cache(maxsize=4096)
def stored_weights(model: Model, weights: str = "f16") -> StoredWeights:
    """The bytes of each part of a model in a weight format."""
    stored = weight_format(weights)
    params = parameters(model)
    head, embedding = stored.head_bits, stored.embedding_bits
    small = stored.bits_per_weight if not stored.packed else 16.0
    if stored.recipe is not None:
        head, embedding, small = head_bits(model, stored.recipe), embedding_bits(model, stored.recipe), _F32
    layers = experts = 0.0
    for index in range(model.num_hidden_layers):
        bits = _layer_bits(model, stored, index)
        split = params.layers[index]
        ffn = _ffn_bits(model, bits)
        layers += split.attention * _attention_bits(model, bits) + (split.dense + split.shared) * ffn
        layers += (split.norms + split.router) * small
        experts += split.experts * (ffn if stored.recipe is not None else stored.expert_bits)
    return StoredWeights(
        layers_bytes=layers / 8,
        experts_bytes=experts / 8,
        head_bytes=params.head * head / 8,
        embedding_bytes=params.embedding * embedding / 8,
        other_bytes=params.other * small / 8,
    )


def _layer_bits(model: Model, stored: WeightFormat, layer: int) -> LayerBits:
    if stored.recipe is not None:
        return layer_bits(model, stored.recipe, layer)
    width = stored.beside_experts_bits if model.num_experts else stored.bits_per_weight
    return LayerBits(query=width, key=width, value=width, output=width, gate_up=width, down=width)


def _attention_bits(model: Model, bits: LayerBits) -> float:
    """The mean over the projections of one layer, by their sizes."""
    if model.kv_lora_rank is not None:
        output = model.num_attention_heads * (model.v_head_dim or 0) * model.hidden_size
        rest = parameters(model).layers[0].attention - output
        return (rest * bits.query + output * bits.output) / (rest + output)
    heads, shared = model.num_attention_heads, model.num_key_value_heads
    total = heads * (bits.query + bits.output) + shared * (bits.key + bits.value)
    return total / (2 * heads + 2 * shared)


def _ffn_bits(model: Model, bits: LayerBits) -> float:
    up = 2 if model.block.gated_ffn else 1
    return (up * bits.gate_up + bits.down) / (up + 1)
