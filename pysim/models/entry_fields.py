"""Fields of a model's catalog file: which ones each table may have. A field that nobody would read is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, cast

from pysim.catalog.fields import SOURCE, Field, check_fields
from pysim.errors import BadCatalogue, UnknownName
from pysim.models.architecture import Architecture, load_architecture
from pysim.models.config import MORE_TOKENS, fields_read

HEAD: Final = {
    "name": Field(required=True),
    "also": Field(kind="texts"),
    "heard": Field(kind="texts"),
    "hugging_face": Field(kind="texts"),
}
PUBLISHED: Final = {
    **SOURCE,
    "total_params": Field(kind="count", required=True),
    "active_params": Field(kind="count", required=True),
    "kv_bytes_per_token_f16": Field(kind="count", required=True),
    # What the publisher itself states, as it prints it ("35B"), and why that differs from the config's own count.
    "stated_total": Field(),
    "stated_active": Field(),
    "stated_differs": Field(),
    "note": Field(),
}
# What pysim asks any config for, by Hugging Face's names; an architecture may have other names for them.
ASKED: Final = (
    *("model_type", "hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads"),
    *("num_key_value_heads", "head_dim", "vocab_size", "max_position_embeddings", "tie_word_embeddings"),
    *("num_experts", "num_experts_per_tok", "moe_intermediate_size", "n_shared_experts", "first_k_dense_replace"),
    *("moe_layer_step", "mlp_only_layers", "kv_lora_rank", "q_lora_rank", "qk_rope_head_dim", "qk_nope_head_dim"),
    *(
        "v_head_dim",
        "layer_types",
        "quantization_config",
        "expert_dtype",
        *MORE_TOKENS,
        "vision_config",
        "audio_config",
    ),
)
# Of the file itself: where the config is from, and which of its fields are null, which TOML cannot say.
OF_THE_FILE: Final = ("source", "checked", "nulls")


def check_model_entry(key: str, table: Mapping[str, object]) -> None:
    """Refuse a model's file with a field that is unknown, missing or of the wrong kind.

    Raises BadCatalogue, one line with the file, the field and what is allowed.
    """
    where = f"models/{key}.toml"
    check_fields({name: value for name, value in table.items() if not isinstance(value, dict)}, HEAD, where)
    for name in table:
        if isinstance(table[name], dict) and name not in ("config", "published"):
            raise BadCatalogue(str(UnknownName("table", name, ("config", "published"), where)))
    published, config = (cast("Mapping[str, object]", table.get(name, {})) for name in ("published", "config"))
    check_fields(published, PUBLISHED, f"{where} [published]")
    allowed = {*OF_THE_FILE, *config_fields(load_architecture(str(config.get("model_type"))))}
    allowed |= fields_read({name: value for name, value in config.items() if name not in OF_THE_FILE})
    for name in config:
        if name not in allowed:
            raise BadCatalogue(str(UnknownName("field", name, sorted(allowed), f"{where} [config]")))


def config_fields(architecture: Architecture) -> Iterator[str]:
    """Yield every field of a config that is read for an architecture."""
    for field in ASKED:
        yield field
        yield from architecture.names.get(field, ())
    for names in architecture.names.values():
        yield from names
    yield from (*architecture.needs, *architecture.only, *architecture.see, *architecture.defaults)
    yield architecture.window_field
    yield from (name for name in (architecture.window_switch, architecture.window_list) if name is not None)
    yield from (value for value in architecture.block.values() if isinstance(value, str))
    for rule in architecture.derived.values():
        yield from (word for word in rule.split() if word.isidentifier())
