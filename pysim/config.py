"""What model does a Hugging Face config.json describe?

A field that the config leaves out is filled from the sourced table of its architecture, or it
is an error that names the field. Nothing is guessed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from pysim import checks
from pysim.architecture import Architecture, derive, load_architecture
from pysim.errors import BadConfig, BadValue
from pysim.model import MOST_LAYERS, MOST_SIZE, Block, LayerType, Model, Published
from pysim.quantization import read_quantization

_SIZES: Final = (
    "hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size",
    "num_key_value_heads", "vocab_size", "max_position_embeddings",
)  # fmt: skip
_MLA: Final = ("kv_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim", "v_head_dim", "q_lora_rank")
_EXPERTS: Final = ("num_experts", "num_experts_per_tok", "moe_intermediate_size")
_EXPERT_EXTRAS: Final = ("n_shared_experts", "first_k_dense_replace", "moe_layer_step")
_NULLABLE: Final = ("q_lora_rank",)
# A multimodal config keeps these beside its text_config.
_OUTER: Final = ("tie_word_embeddings", "quantization_config")


def read_config(
    config: Mapping[str, object],
    *,
    key: str = "",
    name: str = "",
    source: str = "",
    published: Published | None = None,
) -> Model:
    """The model of a config (its text part, where it is nested); BadConfig names what is wrong and where."""
    where = f"the config of {key}" if key else "the config"
    try:
        return _read(_text_config(config), key=key, name=name, source=source, published=published or Published())
    except (BadValue, BadConfig) as error:
        raise BadConfig(f"{where}: {error}") from error


def _text_config(config: object) -> dict[str, object]:
    if not isinstance(config, Mapping):
        raise BadConfig(f"must be a JSON object, not a {type(config).__name__}")
    inner = config.get("text_config")
    if inner is None:
        return dict(config)
    if not isinstance(inner, Mapping):
        raise BadConfig(f"text_config must be a JSON object, not a {type(inner).__name__}")
    text = {name: config[name] for name in _OUTER if name in config} | dict(inner)
    if "model_type" not in text and isinstance(config.get("model_type"), str):
        text["model_type"] = f"{config['model_type']}_text"
    return text


def _read(config: dict[str, object], *, key: str, name: str, source: str, published: Published) -> Model:
    if "model_type" not in config:
        raise BadConfig("model_type is missing")
    model_type = checks.text(config["model_type"], "model_type")
    if not model_type.isidentifier():
        raise BadConfig(f'unknown architecture: model_type "{model_type[:60]}"')
    reader = _Reader(config, load_architecture(model_type))
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
        **latent,
        quantization=read_quantization(config.get("quantization_config")),
        published=published,
        source=source,
    )


class _Reader:
    """Looks fields up in a config and, failing that, in its architecture's table."""

    def __init__(self, config: Mapping[str, object], architecture: Architecture) -> None:
        self.config = config
        self.architecture = architecture
        self.found: dict[str, object] = {}

    def raw(self, field: str) -> object:
        """The value of a field, None if nobody gives one. An explicit null goes to the derived value first."""
        names = self.architecture.names.get(field, (field,))
        given = [each for each in names if each in self.config]
        for each in given:
            if self.config[each] is not None:
                return self.config[each]
        if given and field in (*_NULLABLE, self.architecture.window_field):
            return None
        default, rule = self.architecture.defaults.get(field), self.architecture.derived.get(field)
        if rule is not None and (given or default is None):
            for word in rule.replace("*", " ").split():
                if word.isidentifier() and word not in self.found:
                    self.size(word)
            return derive(rule, self.found)
        return default

    def size(self, field: str, most: int = MOST_SIZE) -> int:
        """A whole number of at least 1 that must be there."""
        value = self.raw(field)
        if value is None:
            raise BadConfig(f'{self._name(field)} is missing, and the reference code of "{self.architecture.model_type}" does not derive it')
        self.found[field] = checks.count(value, self._name(field), most=most)
        return checks.count(value, self._name(field), most=most)

    def optional(self, field: str) -> int | None:
        """A whole number, or None where neither the config nor the architecture has one."""
        value = self.raw(field)
        if value is None:
            return None
        self.found[field] = value
        return checks.count(value, self._name(field), least=0, most=MOST_SIZE)

    def flag(self, field: str) -> bool:
        """A true or false that must be there."""
        value = self.raw(field)
        if value is None:
            raise BadConfig(f'{self._name(field)} is missing, and the reference code of "{self.architecture.model_type}" has no default for it')
        if not isinstance(value, bool):
            raise BadConfig(f"{self._name(field)} must be true or false, not {value!r:.40}")
        return value

    def window(self) -> int | None:
        """The size of the window of windowed layers, None where none is in use."""
        architecture = self.architecture
        if architecture.window_rule == "full" or (architecture.window_switch and not self.flag(architecture.window_switch)):
            return None
        value = self.raw(architecture.window_field)
        return None if value is None else checks.count(value, architecture.window_field, most=MOST_SIZE)

    def layer_types(self, layers: int, window: int | None) -> tuple[LayerType, ...]:
        """Each layer's kind of attention: as the config lists it, or by the architecture's rule."""
        if window is None:
            return ("full_attention",) * layers
        given = self.config.get("layer_types")
        if given is not None:
            if not isinstance(given, list | tuple) or not all(isinstance(each, str) for each in given):
                raise BadConfig("layer_types must be a list of texts")
            return cast("tuple[LayerType, ...]", tuple(given))
        windowed = cast("LayerType", self.architecture.window_type)
        rule = self.architecture.window_rule
        if rule == "all":
            return (windowed,) * layers
        if rule == "from_layer":
            first = checks.count(self.raw("max_window_layers"), "max_window_layers", least=0)
            return tuple("full_attention" if i < first else windowed for i in range(layers))
        every = self.size("sliding_window_pattern")
        return tuple(windowed if (i + 1) % every else "full_attention" for i in range(layers))

    def mlp_only_layers(self) -> tuple[int, ...]:
        """Layers that the config keeps dense in a model with experts."""
        given = self.config.get("mlp_only_layers") or []
        if not isinstance(given, list | tuple):
            raise BadConfig("mlp_only_layers must be a list of layer numbers")
        return tuple(checks.count(each, "mlp_only_layers", least=0, most=MOST_LAYERS) for each in given)

    def block(self) -> Block:
        """How a layer is put together; an entry that names a field takes that field's flag."""
        values: dict[str, object] = {}
        for entry, value in self.architecture.block.items():
            by_field = isinstance(value, str) and entry != "qk_norm"
            values[entry] = self.flag(cast("str", value)) if by_field else value
        if values["qk_norm"] not in ("none", "head", "whole"):
            values["qk_norm"] = "head" if self.flag(cast("str", values["qk_norm"])) else "none"
        return Block(**values)  # type: ignore[arg-type]

    def check_only(self) -> None:
        """Refuse the settings of an architecture that pysim cannot count."""
        for field, allowed in self.architecture.only.items():
            value = self.config.get(field, allowed)
            if value != allowed and value is not None:
                raise BadConfig(f"{field} = {value!r:.40}: pysim can read {self.architecture.model_type} only with {allowed!r}")

    def check_needs(self) -> None:
        """Refuse a config without a field that makes the architecture what it is."""
        for field in self.architecture.needs:
            if not self.found.get(field):
                raise BadConfig(f'{self._name(field)} is missing, and "{self.architecture.model_type}" cannot be without it')

    def _name(self, field: str) -> str:
        """The config's own name for a field, for messages."""
        names = self.architecture.names.get(field, (field,))
        return next((each for each in names if each in self.config), names[0] if names else field)
