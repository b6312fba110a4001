"""What model does a Hugging Face config.json describe?

A field that the config leaves out is filled from the sourced table of its architecture, or it
is an error that names the field. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pysim import checks
from pysim.errors import BadConfig, BadValue
from pysim.models.architecture import architecture_of, is_known, load_architecture
from pysim.models.checkpoint import quantization_section, read_checkpoint
from pysim.models.config_fields import FieldReader
from pysim.models.exceptions import read_exceptions
from pysim.models.layer_plan import count_layers, read_plan
from pysim.models.model import MOST_LAYERS, Model, Published
from pysim.models.part import Part

_SIZES: Final = (
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "num_key_value_heads", "vocab_size", "max_position_embeddings",
)  # fmt: skip
_MLA: Final = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim", "q_lora_rank")
_EXPERTS: Final = ("num_experts", "num_experts_per_tok", "moe_intermediate_size")
_EXPERT_EXTRAS: Final = ("n_shared_experts", "first_k_dense_replace", "moe_layer_step")
# A multimodal config keeps these beside its language part, which goes by one of these names.
_OUTER: Final = ("tie_word_embeddings", "quantization_config", "quantization")
_LANGUAGE_PARTS: Final = ("text_config", "llm_config", "language_config", "thinker_config", "language_model_config")
_DEEPEST: Final = 4
_BESIDE: Final = {
    "a vision encoder": ("vision_config", "vision_tower_config", "img_processor", "visual", "vit_config"),
    "an audio encoder": ("audio_config", "audio_processor", "speech_config", "audio_encoder_config"),
    "a voice output": ("talker_config", "tts_config"),
}
MORE_TOKENS: Final = (
    "num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules", "mtp_num_layers", "n_predict_layers",
    "mtp_layers_block_type",
)  # fmt: skip
_LONGEST_NAME: Final = 200


def read_config(
    config: Mapping[str, object],
    *,
    key: str = "",
    name: str = "",
    source: str = "",
    published: Published | None = None,
    where: str = "",
) -> Model:
    """The model of a config (its language part, where it is nested).

    BadConfig names what is wrong and `where`, by default the config of `key`.
    """
    where = where or (f"the config of {key}" if key else "config")
    try:
        part = _language_part(config)
        left_out = _left_out(config, part)
        return _read(part, left_out, key=key, name=name, source=source, published=published or Published())
    except (BadValue, BadConfig) as error:
        raise BadConfig(f"{where}: {error}") from error


def _language_part(config: object) -> dict[str, object]:
    """The part of a config that describes the language model, with the fields that are next to it.

    What the part leaves out of its class's defaults is filled in: a nested part is stored as its difference from
    them (PretrainedConfig.to_diff_dict of transformers).
    """
    if not isinstance(config, Mapping):
        raise BadConfig(f"must be a JSON object, not {checks.typed(config)}")
    part = dict(config)
    for _ in range(_DEEPEST):
        name = next((name for name in _LANGUAGE_PARTS if part.get(name) is not None), None)
        if name is None:
            return part
        inner = part[name]
        if not isinstance(inner, Mapping):
            raise BadConfig(f"{name} must be a JSON object, not {checks.typed(inner)}")
        outer = part
        beside = {field: outer[field] for field in _OUTER if outer.get(field) is not None}
        part = beside | {field: value for field, value in inner.items() if value is not None or field not in beside}
        kind = outer.get("model_type")
        if not isinstance(part.get("model_type"), str) and isinstance(kind, str):
            part["model_type"] = kind if is_known(kind) and not is_known(f"{kind}_text") else f"{kind}_text"
        kind = part.get("model_type")
        if isinstance(kind, str) and is_known(kind):
            part = dict(load_architecture(kind).class_defaults) | part
    return part


def _left_out(config: object, part: Mapping[str, object]) -> tuple[str, ...]:
    """What a config describes besides the language model that is counted."""
    left: list[str] = []
    places = [config, *(config.get(name) for name in _LANGUAGE_PARTS)] if isinstance(config, Mapping) else []
    for words, fields in _BESIDE.items():
        if any(isinstance(place, Mapping) and _there(place.get(name)) for place in places for name in fields):
            left.append(words)
    more = next((part[name] for name in MORE_TOKENS if part.get(name)), 0)
    if isinstance(more, int) and more > 0:
        layers = "a layer that predicts" if more == 1 else f"{checks.shown(int(more))} layers that predict"
        left.append(f"{layers} more tokens (MTP)")
    elif isinstance(more, list):
        left.append("layers that predict more tokens (MTP)")
    return tuple(left)


def _there(value: object) -> bool:
    """Does a config have this part? An empty one is all defaults."""
    return isinstance(value, Mapping) or bool(value)


def _read(
    config: dict[str, object], left_out: tuple[str, ...], *, key: str, name: str, source: str, published: Published
) -> Model:
    if "model_type" not in config:
        raise BadConfig(_without_type(config))
    model_type = checks.text(config["model_type"], "model_type")
    architecture, setting = architecture_of(config, model_type)
    reader = FieldReader(config, architecture)
    try:
        reader.check_only()
        shape = _layered(reader) if architecture.layers.marks else _alike(reader)
    except (BadValue, BadConfig) as error:
        raise BadConfig(f"{setting}: {error}" if setting else str(error)) from error
    called = key or str(config.get("_name_or_path") or model_type)[:_LONGEST_NAME]
    stored = read_checkpoint(config)
    return Model(
        key=called,
        name=name or called,
        model_type=model_type,
        source=source,
        **shape,
        tie_word_embeddings=reader.flag("tie_word_embeddings"),
        block=reader.block(),
        left_out=left_out,
        quantization=stored.weight_format,
        quantization_note=stored.note,
        other_widths=read_exceptions(quantization_section(config), shape["layer_types"]),
        published=published,
    )


def _alike(reader: FieldReader) -> dict[str, Any]:
    """The shape of a model whose layers differ by window and experts alone."""
    fields: dict[str, Any] = {size: reader.size(size) for size in _SIZES if size != "num_hidden_layers"}
    layers = reader.size("num_hidden_layers", most=MOST_LAYERS)
    latent = {field: reader.optional(field) for field in _MLA}
    experts = {field: reader.optional(field) or 0 for field in (*_EXPERTS, *_EXPERT_EXTRAS)}
    if not experts["num_experts"]:
        experts = dict.fromkeys(experts, 0)
    experts["moe_layer_step"] = experts["moe_layer_step"] or 1
    reader.check_needs()
    window = reader.window()
    return (
        fields
        | latent
        | experts
        | {
            "num_hidden_layers": layers,
            "head_dim": reader.size("head_dim"),
            "layer_types": reader.layer_types(layers, window),
            "sliding_window": window,
            "mlp_only_layers": reader.mlp_only_layers(layers),
        }
    )


def _layered(reader: FieldReader) -> dict[str, Any]:
    """The shape of a model whose layers its architecture's entry describes part by part."""
    fields: dict[str, Any] = {size: reader.size(size) for size in ("hidden_size", "vocab_size")}
    layers = count_layers(reader)
    whole, count = Part(reader, {}, 0), reader.architecture.count
    experts = {field: whole.optional(field) or 0 for field in ("num_experts", "num_experts_per_tok")}
    fields |= {"num_hidden_layers": layers} | experts
    for field in reader.architecture.needs:
        if reader.raw(field) is None:
            raise reader.missing(field)
    plan = read_plan(reader, layers)
    latent = {field: reader.optional(field) for field in _MLA}
    if latent["kv_lora_rank"] is None:
        latent = dict.fromkeys(latent, None)
    sizes = dict(plan.sizes)
    for size in ("num_attention_heads", "num_key_value_heads", "head_dim"):
        if size not in sizes:
            sizes[size] = reader.size(size)
    sizes.setdefault("intermediate_size", sizes.get("moe_intermediate_size", 1))
    if not any(layer.params.expert for layer in plan.distinct):
        fields |= {"num_experts": 0, "num_experts_per_tok": 0}
        sizes.pop("moe_intermediate_size", None)
    return (
        fields
        | latent
        | sizes
        | {
            "max_position_embeddings": reader.size("max_position_embeddings"),
            "layer_types": plan.layer_types,
            "sliding_window": plan.window,
            "distinct_layers": plan.distinct,
            "layer_order": plan.order,
            "other_params": sum(whole.number(text) for text in count.model),
            "table_params": sum(whole.number(text) for text in count.table),
        }
    )


def fields_read(config: Mapping[str, object]) -> frozenset[str]:
    """The fields of a config that the reading of its layers part by part asks for; none where layers are alike."""
    reader = FieldReader(config, load_architecture(checks.text(config.get("model_type"), "model_type")))
    if not reader.architecture.layers.marks:
        return frozenset()
    reader.check_only()
    _layered(reader)
    reader.block()
    return frozenset(reader.asked | set(MORE_TOKENS))


def _without_type(config: Mapping[str, object]) -> str:
    """What to say of a JSON object without a model_type, by the fields that give away what it is."""
    if "dim" in config and ("n_layers" in config or "n_heads" in config):
        return "model_type is missing: this is a params.json of Meta or Mistral; paste the Hugging Face config.json"
    if "quantization" in config or "producer" in config:
        return "model_type is missing: this is a quantizer's file; paste the config.json next to it"
    if "weight_map" in config:
        return "model_type is missing: this is an index of weights; paste the config.json next to it"
    if "tokenizer_class" in config and "hidden_size" not in config:
        return "model_type is missing: this is a tokenizer's file; paste the config.json next to it"
    return "model_type is missing"
