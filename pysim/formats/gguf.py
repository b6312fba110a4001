"""GGUF recipes: which type does llama.cpp give each tensor of a quantized model?

A file called Q4_K_M mixes types: the head, some values and some down projections get more bits.
The rules below are those of llama.cpp's quantizer. Bits of a type: bytes of a block × 8 ÷ weights
in it (ggml-common.h). IQ files are taken as made with an importance matrix, as they usually are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.formats.ggml_types import BY_NAME

if TYPE_CHECKING:
    from pysim.models.model import Model

SOURCE: Final = (
    "https://github.com/ggml-org/llama.cpp/blob/007dbbf3fd17eefe9b47fee45f48f7ba5e62b714/src/llama-quant.cpp"
)

# type → (bytes of a block, weights in it)
_BLOCKS: Final = {name.lower(): (kind.block_bytes, kind.block_weights) for name, kind in BY_NAME.items()}
# recipe → the type of most of its tensors
RECIPES: Final = {
    "q4_0": "q4_0", "q4_1": "q4_1", "q5_0": "q5_0", "q5_1": "q5_1", "q8_0": "q8_0",
    "q2_k": "q2_k", "q2_k_s": "q2_k", "q3_k_s": "q3_k", "q3_k_m": "q3_k", "q3_k_l": "q3_k",
    "q4_k_s": "q4_k", "q4_k_m": "q4_k", "q5_k_s": "q5_k", "q5_k_m": "q5_k", "q6_k": "q6_k",
    "iq1_s": "iq1_s", "iq1_m": "iq1_m", "iq2_xxs": "iq2_xxs", "iq2_xs": "iq2_xs", "iq2_s": "iq2_xs", "iq2_m": "iq2_s",
    "iq3_xxs": "iq3_xxs", "iq3_xs": "iq3_s", "iq3_s": "iq3_s", "iq3_m": "iq3_s", "iq4_nl": "iq4_nl", "iq4_xs": "iq4_xs",
}  # fmt: skip
# For rows that are no multiple of a block of 256.
_FALLBACK: Final = {
    "q2_k": "q4_0", "q3_k": "q4_0", "q4_k": "q5_0", "q5_k": "q5_1", "q6_k": "q8_0",
} | dict.fromkeys(("iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq3_xxs", "iq3_s", "iq4_xs"), "iq4_nl")  # fmt: skip
_IQ2: Final = ("iq1_s", "iq1_m", "iq2_xxs", "iq2_xs", "iq2_s", "iq2_m")


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerBits:
    """Bits per weight of one layer's tensors."""

    query: float
    key: float
    value: float
    output: float
    gate_up: float
    down: float


def type_bits(name: str) -> float:
    """Bits per weight of a ggml type, its block's scales included."""
    size, weights = _BLOCKS[name]
    return 8 * size / weights


def head_bits(model: Model, recipe: str) -> float:
    """Bits of the output head, and of the one table where input and output are tied."""
    base = RECIPES[recipe]
    if model.model_type == "falcon" or model.hidden_size % _BLOCKS[base][1]:
        return type_bits("q8_0")
    if recipe in (*_IQ2, "iq3_xxs"):
        return _bits("q5_k", model.hidden_size)
    return _bits("q8_0" if base == "q8_0" else "q6_k", model.hidden_size)


def embedding_bits(model: Model, recipe: str) -> float:
    """Bits of a separate input table."""
    kind = RECIPES[recipe]
    if recipe in ("iq1_s", "iq1_m", "iq2_xxs", "iq2_xs"):
        kind = "q2_k"
    elif recipe in ("iq2_s", "iq2_m", "iq3_xxs"):
        kind = "iq3_s"
    return _bits(kind, model.hidden_size)


def layer_bits(model: Model, recipe: str, layer: int) -> LayerBits:
    """Bits of the tensors of one layer."""
    base = RECIPES[recipe]
    hidden = model.hidden_size
    query = {"iq3_xs": "iq3_xxs", "iq3_xxs": "iq2_s"}.get(recipe, base)
    value = _value(model, recipe, layer)
    joined = _joined_share(model, layer)
    fused = model.block.fused_qkv
    gate = base
    if recipe == "iq3_xs" and model.num_hidden_layers // 8 <= layer < 7 * model.num_hidden_layers // 8:
        gate = "iq3_xxs"
    return LayerBits(
        query=joined * _bits(value, hidden) + (1 - joined) * _bits(base, hidden)
        if joined
        else _bits(value if fused else query, hidden),
        key=_bits(value if fused else _key(model, recipe, query), hidden),
        value=_bits(value, hidden),
        output=_bits(_output(model, recipe), model.num_attention_heads * (model.v_head_dim or model.head_dim)),
        gate_up=_bits(gate, hidden),
        down=_bits(_down(model, recipe, layer), model.moe_intermediate_size or model.intermediate_size),
    )


def _joined_share(model: Model, layer: int) -> float:
    """How much of what goes into a Gated DeltaNet is one tensor of queries, keys and values; its gate is the rest.

    llama.cpp calls that tensor attn_qkv and treats it as it treats values. 0 for layers of other kinds.
    """
    mixers = model.distinct_layers[model.layer_order[layer]].mixers if model.layer_order else ()
    if not mixers or mixers[0].kind != "gated_deltanet":
        return 0.0
    return 1 - mixers[0].output / mixers[0].query


def _bits(kind: str, row: int) -> float:
    while row % _BLOCKS[kind][1]:
        kind = _FALLBACK.get(kind, "f16")
    return type_bits(kind)


def _more_bits(layer: int, layers: int) -> bool:
    """The layers that the medium mixtures treat better: the first and last eighth, and every third between."""
    return layer < layers // 8 or layer >= 7 * layers // 8 or (layer - layers // 8) % 3 == 2


def _value(model: Model, recipe: str, layer: int) -> str:
    base, grouped = RECIPES[recipe], model.num_attention_heads // model.num_key_value_heads >= 4
    if model.kv_lora_rank is not None:
        return base
    if recipe in _IQ2:
        few = "iq3_s" if recipe in ("iq2_s", "iq2_m") else "q2_k"
        return "q4_k" if grouped or model.num_experts >= 4 else few
    kind = base
    if recipe in ("q2_k", "q2_k_s", "iq3_xxs", "iq3_xs", "iq3_s") and grouped:
        kind = "q4_k"
    elif recipe == "q2_k":
        kind = "q3_k"
    elif recipe in ("iq3_m", "q3_k_m"):
        kind = "q5_k" if recipe == "q3_k_m" and layer < 2 else "q4_k"
    elif recipe == "q3_k_l" or (recipe in ("iq4_nl", "iq4_xs") and grouped) or (recipe == "q4_k_s" and layer < 4):
        kind = "q5_k"
    elif recipe in ("q4_k_m", "q5_k_m") and _more_bits(layer, model.num_hidden_layers):
        kind = "q6_k"
    if model.num_hidden_layers == 80 and grouped and kind in ("q3_k", "q4_k"):
        kind = "q5_k"
    return "q8_0" if model.num_experts == 8 else kind


def _key(model: Model, recipe: str, otherwise: str) -> str:
    if model.num_experts == 8:
        return "q4_k" if recipe in _IQ2 else "q8_0"
    return otherwise


def _output(model: Model, recipe: str) -> str:
    base = RECIPES[recipe]
    if model.model_type == "falcon":
        return "q4_k" if recipe == "q3_k_l" else base
    if model.num_experts == 8:
        return base if recipe in ("q4_0", "q4_1", "q5_0", "q5_1", "q5_k_s", "q5_k_m", "q6_k", "q8_0") else "q5_k"
    return {
        "q2_k": "q3_k", "q3_k_m": "q4_k", "q3_k_l": "q5_k", "iq3_m": "q4_k", "iq3_xxs": "iq3_s",
        "iq1_s": "iq2_xxs", "iq1_m": "iq2_xxs", "iq2_s": "iq3_s", "iq2_m": "iq3_s",
    }.get(recipe, base)  # fmt: skip


def _down(model: Model, recipe: str, layer: int) -> str:
    base, layers, falcon = RECIPES[recipe], model.num_hidden_layers, model.model_type == "falcon"
    early, more = layer < layers // 8, _more_bits(layer, layers)
    if recipe in _IQ2:
        return base if not early else "iq3_s" if recipe in ("iq2_s", "iq2_m") else "q2_k"
    if recipe == "q2_k":
        return "q3_k"
    if recipe == "q3_k_l":
        return "q4_k" if falcon else "q5_k"
    if recipe == "q3_k_m":
        return "q5_k" if layer < layers // 16 else "q4_k" if more or not falcon else "q3_k"
    if recipe == "q4_k_m" and falcon:
        return "q6_k" if layer < layers // 16 else "q5_k" if more else "q4_k"
    if recipe in ("q4_k_m", "q5_k_m") and more:
        return "q6_k"
    if early and recipe in ("q2_k_s", "iq3_m"):
        return "q4_k"
    if early and recipe == "q4_k_s" and not falcon:
        return "q5_k"
    return base
