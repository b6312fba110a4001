"""The model: a language model as far as its speed and memory go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from pysim import checks
from pysim.errors import BadValue

if TYPE_CHECKING:
    from pysim.models.exceptions import OtherWidth
    from pysim.models.file_bytes import FileBytes
    from pysim.models.mixer import Layer

LayerType = Literal["full_attention", "sliding_attention", "chunked_attention", "linear_attention", "none"]
AttentionKind = Literal["mha", "gqa", "mqa", "mla"]
# What a config without layers of its own kinds may list; see `distinct_layers` for the others.
LAYER_TYPES: Final = ("full_attention", "sliding_attention", "chunked_attention")
MOST_LAYERS: Final = 10_000
MOST_SIZE: Final = 10**9


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """How an architecture builds one layer: what decides its smaller parameter counts.

    `qk_norm`: "head" has head_dim weights for queries and for keys, "whole" one per element, "each" head_dim
    weights for every head.
    `fused_qkv`: queries, keys and values are one tensor (quantizers have separate rules for it).
    """

    gated_ffn: bool = True
    norms_per_layer: int = 2
    norm_bias: bool = False
    qk_norm: Literal["none", "head", "whole", "each"] = "none"
    qkv_bias: bool = False
    output_bias: bool = False
    ffn_bias: bool = False
    router_bias: bool = False
    attention_sinks: bool = False
    learned_positions: bool = False
    fused_qkv: bool = False
    head_bias: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Published:
    """What others say the parameter counts are; None where they do not say."""

    total_params: int | None = None
    active_params: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """A decoder-only language model; the fields carry Hugging Face's own names.

    Where layers differ by more than a window or experts, `distinct_layers` has each kind once and `layer_order` which
    of them each layer is; the sizes are then those of the first layer with attention. `table_params` are looked up
    row by row like the input table, `other_params` are outside the layers. `left_out` says what the config also
    describes and pysim does not count: a vision encoder, layers that predict more tokens. `quantization_note` says
    what of the config's quantization has no format here, `other_widths` which parts it stores in other bits.
    `file_bytes`: what a file of weights has for each part. `stored_by`: what says how the weights are stored.

    `sliding_window` bounds the layers that `layer_types` calls sliding or chunked (for chunked
    ones it is the attention_chunk_size). `num_experts` 0 is a dense model; of the others the
    first `first_k_dense_replace` layers and `mlp_only_layers` are dense, of the rest every
    `moe_layer_step`-th has experts. `intermediate_size` is the width of dense layers and
    `moe_intermediate_size` that of one expert, routed or shared. The MLA ranks are None without
    MLA; `q_lora_rank` may be None with it.
    """

    key: str
    name: str
    model_type: str
    hidden_size: int
    intermediate_size: int
    num_hidden_layers: int
    num_attention_heads: int
    num_key_value_heads: int
    head_dim: int
    vocab_size: int
    tie_word_embeddings: bool
    max_position_embeddings: int
    layer_types: tuple[LayerType, ...]
    sliding_window: int | None
    block: Block
    num_experts: int = 0
    num_experts_per_tok: int = 0
    n_shared_experts: int = 0
    moe_intermediate_size: int = 0
    first_k_dense_replace: int = 0
    moe_layer_step: int = 1
    mlp_only_layers: tuple[int, ...] = ()
    kv_lora_rank: int | None = None
    qk_rope_head_dim: int | None = None
    qk_nope_head_dim: int | None = None
    v_head_dim: int | None = None
    q_lora_rank: int | None = None
    distinct_layers: tuple[Layer, ...] = ()
    layer_order: tuple[int, ...] = ()
    other_params: int = 0
    table_params: int = 0
    left_out: tuple[str, ...] = ()
    quantization: str | None = None
    other_widths: tuple[OtherWidth, ...] = ()
    quantization_note: str = ""
    stored_by: Literal["config", "name"] = "config"
    file_bytes: FileBytes | None = None
    published: Published = Published()
    source: str = ""

    def __post_init__(self) -> None:
        _check(self)

    @property
    def attention_kind(self) -> AttentionKind:
        """Do the heads share their keys and values: not at all, in groups, all of them, or as a latent?"""
        if self.kv_lora_rank is not None:
            return "mla"
        if self.num_key_value_heads == self.num_attention_heads:
            return "mha"
        return "mqa" if self.num_key_value_heads == 1 else "gqa"

    @property
    def is_moe(self) -> bool:
        """Has it routed experts?"""
        return self.num_experts > 0

    @property
    def moe_layers(self) -> tuple[int, ...]:
        """The layers with routed experts."""
        if not self.num_experts:
            return ()
        if self.layer_order:
            return tuple(i for i, kind in enumerate(self.layer_order) if self.distinct_layers[kind].params.expert)
        step, first = self.moe_layer_step, self.first_k_dense_replace
        layers = range(first, self.num_hidden_layers)
        return tuple(i for i in layers if (i + 1) % step == 0 and i not in self.mlp_only_layers)

    @property
    def kv_elements_per_token_per_layer(self) -> int:
        """Numbers that a layer with attention keeps per token: keys and values, or one latent with its rope part.

        Where layers differ, those of the first layer that keeps rows; 0 where none does.
        """
        if self.layer_order:
            layers = (self.distinct_layers[kind] for kind in self.layer_order)
            kept = (rows.numbers for layer in layers for mixer in layer.mixers for rows in mixer.rows)
            return next((numbers for numbers in kept if numbers), 0)
        if self.kv_lora_rank is not None:
            return self.kv_lora_rank + (self.qk_rope_head_dim or 0)
        return 2 * self.num_key_value_heads * self.head_dim

    def window(self, layer: int) -> int | None:
        """The most tokens that a layer looks back on; None is all of them, 0 where it keeps a state and no rows."""
        if self.layer_order:
            mixers = self.distinct_layers[self.layer_order[layer]].mixers
            looks = [rows.window for mixer in mixers for rows in mixer.rows if rows.read]
            return 0 if not looks else None if None in looks else max(window or 0 for window in looks)
        return None if self.layer_types[layer] == "full_attention" else self.sliding_window


def _check(model: Model) -> None:
    """Refuse sizes that no model can have, naming the field."""
    _check_sizes(model)
    _check_heads(model)
    _check_experts(model)
    _check_layer_types(model)


def _check_sizes(model: Model) -> None:
    checks.text(model.model_type, "model_type")
    checks.count(model.num_hidden_layers, "num_hidden_layers", most=MOST_LAYERS)
    for name in (
        "hidden_size", "intermediate_size", "num_attention_heads", "num_key_value_heads", "head_dim",
        "vocab_size", "max_position_embeddings", "moe_layer_step",
    ):  # fmt: skip
        checks.count(getattr(model, name), name, most=MOST_SIZE)
    for name in (
        "num_experts",
        "num_experts_per_tok",
        "n_shared_experts",
        "moe_intermediate_size",
        "first_k_dense_replace",
    ):
        checks.count(getattr(model, name), name, least=0, most=MOST_SIZE)
    for name in ("sliding_window", "kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim", "q_lora_rank"):
        if getattr(model, name) is not None:
            # Latent attention without positions has no rotary part (GLM-5.3 Flash).
            least = 0 if name == "qk_rope_head_dim" else 1
            checks.count(getattr(model, name), name, least=least, most=MOST_SIZE)


def _check_heads(model: Model) -> None:
    if not model.layer_order and model.num_attention_heads % model.num_key_value_heads:
        raise BadValue(
            f"num_attention_heads {model.num_attention_heads} is not a multiple of "
            f"num_key_value_heads {model.num_key_value_heads}"
        )
    if model.kv_lora_rank is not None:
        for name in ("qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim"):
            if getattr(model, name) is None:
                raise BadValue(f"{name} must be given where kv_lora_rank is")


def _check_experts(model: Model) -> None:
    if model.num_experts and not 1 <= model.num_experts_per_tok <= model.num_experts:
        raise BadValue(f"num_experts_per_tok must be from 1 to {model.num_experts}, not {model.num_experts_per_tok}")
    if model.num_experts and not model.moe_intermediate_size:
        raise BadValue("moe_intermediate_size must be at least 1 in a model with experts")


def _check_layer_types(model: Model) -> None:
    if len(model.layer_types) != model.num_hidden_layers:
        raise BadValue(
            f"layer_types has {len(model.layer_types)} entries for num_hidden_layers {model.num_hidden_layers}"
        )
    if model.layer_order:
        _check_layers(model)
        return
    for layer_type in model.layer_types:
        if layer_type not in LAYER_TYPES:
            raise BadValue(f"layer_types holds {checks.shown(layer_type)}; allowed: {', '.join(LAYER_TYPES)}")
        if layer_type != "full_attention" and model.sliding_window is None:
            raise BadValue(f'sliding_window must be given where layer_types holds "{layer_type}"')


def _check_layers(model: Model) -> None:
    if len(model.layer_order) != model.num_hidden_layers:
        raise BadValue(f"there are {len(model.layer_order)} layers for num_hidden_layers {model.num_hidden_layers}")
    for name in ("other_params", "table_params"):
        checks.count(getattr(model, name), name, least=0)
