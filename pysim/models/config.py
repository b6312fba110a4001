"""What model does a Hugging Face config.json describe?

A field that the config leaves out is filled from the sourced table of its architecture, or it
is an error that names the field. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from pysim import checks
from pysim.errors import BadConfig, BadValue, quoted
from pysim.models.architecture import load_architecture
from pysim.models.checkpoint import read_quantization
from pysim.models.config_fields import FieldReader
from pysim.models.model import MOST_LAYERS, Model, Published

_SIZES: Final = (
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "num_key_value_heads", "vocab_size", "max_position_embeddings",
)  # fmt: skip
_MLA: Final = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim", "q_lora_rank")
_EXPERTS: Final = ("num_experts", "num_experts_per_tok", "moe_intermediate_size")
_EXPERT_EXTRAS: Final = ("n_shared_experts", "first_k_dense_replace", "moe_layer_step")
# A multimodal config keeps these beside its text_config.
_OUTER: Final = ("tie_word_embeddings", "quantization_config")


def read_config(
    config: Mapping[str, object],
    *,
    key: str = "",
    name: str = "",
    source: str = "",
    published: Published | None = None,
    where: str = "",
) -> Model:
    """The model of a config (its text part, where it is nested).

    BadConfig names what is wrong and `where`, by default the config of `key`.
    """
    where = where or (f"the config of {key}" if key else "config")
    try:
        return _read(_text_config(config), key=key, name=name, source=source, published=published or Published())
    except (BadValue, BadConfig) as error:
        raise BadConfig(f"{where}: {error}") from error


def _text_config(config: object) -> dict[str, object]:
    if not isinstance(config, Mapping):
        raise BadConfig(f"must be a JSON object, not {checks.typed(config)}")
    inner = config.get("text_config")
    if inner is None:
        return dict(config)
    if not isinstance(inner, Mapping):
        raise BadConfig(f"text_config must be a JSON object, not {checks.typed(inner)}")
    text = {name: config[name] for name in _OUTER if name in config} | dict(inner)
    if "model_type" not in text and isinstance(config.get("model_type"), str):
        text["model_type"] = f"{config['model_type']}_text"
    return text


def _read(config: dict[str, object], *, key: str, name: str, source: str, published: Published) -> Model:
    if "model_type" not in config:
        raise BadConfig("model_type is missing")
    model_type = checks.text(config["model_type"], "model_type")
    if not model_type.isidentifier():
        raise BadConfig(f"unknown architecture: model_type {quoted(model_type)}")
    reader = FieldReader(config, load_architecture(model_type))
    reader.check_only()
    fields = {each: reader.size(each) for each in _SIZES if each != "num_hidden_layers"}
    layers = reader.size("num_hidden_layers", most=MOST_LAYERS)
    latent = {each: reader.optional(each) for each in _MLA}
    experts = {each: reader.optional(each) or 0 for each in (*_EXPERTS, *_EXPERT_EXTRAS)}
    if not experts["num_experts"]:
        experts = dict.fromkeys(experts, 0)
    experts["moe_layer_step"] = experts["moe_layer_step"] or 1
    reader.check_needs()
    window = reader.window()
    return Model(
        key=key or str(config.get("_name_or_path") or model_type),
        name=name or key or str(config.get("_name_or_path") or model_type),
        model_type=model_type,
        **fields,
        num_hidden_layers=layers,
        head_dim=reader.size("head_dim"),
        tie_word_embeddings=reader.flag("tie_word_embeddings"),
        layer_types=reader.layer_types(layers, window),
        sliding_window=window,
        block=reader.block(),
        **experts,
        mlp_only_layers=reader.mlp_only_layers(),
        kv_lora_rank=latent["kv_lora_rank"],
        qk_rope_head_dim=latent["qk_rope_head_dim"],
        qk_nope_head_dim=latent["qk_nope_head_dim"],
        v_head_dim=latent["v_head_dim"],
        q_lora_rank=latent["q_lora_rank"],
        quantization=read_quantization(config.get("quantization_config")),
        published=published,
        source=source,
    )
