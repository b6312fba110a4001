"""The feed-forward part of a layer: one wide network, or experts of which each token visits a few."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from pysim import checks
from pysim.errors import BadConfig
from pysim.models.model import MOST_LAYERS

if TYPE_CHECKING:
    from pysim.models.config_fields import FieldReader
    from pysim.models.part import Part

# Marks of `mlp_layer_types` with experts, as the configs of GLM-5, Laguna and DeepSeek V4 say them.
_SPARSE: Final = ("sparse", "moe", "hash_moe")


def dense(part: Part) -> int:
    """Parameters of one dense network: two or three matrices, with biases where the architecture has them."""
    return _network(part, part.size("hidden_size"), part.size("intermediate_size"))


def experts(part: Part) -> dict[str, int]:
    """Parameters of a layer's experts, its shared ones and its router.

    With `moe_latent_size` the routed experts work on a narrower row, into and out of which two more matrices of
    the layer project (Nemotron 3, arXiv:2512.20856); these are counted with the shared experts, as every token
    uses them.
    """
    hidden, number = part.size("hidden_size"), part.size("num_experts")
    width, latent = part.size("moe_intermediate_size"), part.optional("moe_latent_size") or 0
    expert = _network(part, latent or hidden, width)
    shared_width = part.optional("shared_expert_intermediate_size")
    shared = part.optional("n_shared_experts")
    if shared is None:
        shared = 1 if shared_width else 0
    together = shared * _network(part, hidden, width if shared_width is None else shared_width) if shared else 0
    together += 2 * hidden * latent + hidden * (part.flag("shared_gate") and shared > 0)
    return {
        "experts": number * expert,
        "expert": expert,
        "shared": together,
        "router": number * (hidden + part.flag("router_bias")),
    }


def _network(part: Part, into: int, width: int) -> int:
    if not width:
        return 0
    matrices = 3 if part.flag("gated_ffn") else 2
    return matrices * into * width + part.flag("ffn_bias") * ((matrices - 1) * width + into)


def layers_with_experts(reader: FieldReader, layers: int) -> frozenset[int]:
    """Which layers have experts: as a list of the config says, or by the fields that count and step."""
    if not reader.optional("num_experts"):
        return frozenset()
    marks = reader.raw("mlp_layer_types")
    if marks is not None:
        return frozenset(i for i, mark in enumerate(_list(marks, "mlp_layer_types", layers)) if mark in _SPARSE)
    marks = reader.get("moe_layer_freq")
    if isinstance(marks, list):
        return frozenset(i for i, mark in enumerate(_list(marks, "moe_layer_freq", layers)) if mark)
    numbered = reader.get("moe_layers_enum")
    if isinstance(numbered, str) and numbered.strip():
        words = numbered.split(",")
        if not all(word.strip().isdecimal() and int(word) < layers for word in words):
            raise BadConfig(f"moe_layers_enum must list layers below {layers}")
        return frozenset(int(word) for word in words)
    first, step = reader.optional("first_k_dense_replace") or 0, reader.optional("moe_layer_step") or 1
    offset = reader.optional("moe_layer_offset")
    only = reader.mlp_only_layers(layers)
    if offset is not None:
        return frozenset(i for i in range(first, layers) if i % step == offset and i not in only)
    return frozenset(i for i in range(first, layers) if (i + 1) % step == 0 and i not in only)


def _list(value: object, name: str, layers: int) -> list[object]:
    if not isinstance(value, list | tuple) or len(value) > MOST_LAYERS:
        raise BadConfig(f"{name} must be a list with one entry per layer, not {checks.shown(value)}")
    if len(value) < layers:
        raise BadConfig(f"{name} has {len(value)} entries for num_hidden_layers {layers}")
    return cast("list[object]", list(value[:layers]))
