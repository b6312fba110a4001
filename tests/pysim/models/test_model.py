"""Does every model of the catalogue keep the rules that all models keep?"""

import pickle
import tomllib

import pytest

from pysim import Model, load_model, model_keys
from pysim.catalog.files import CATALOG
from pysim.models.layers import layers
from pysim.models.parameters import parameters

EVERY_MODEL = pytest.mark.parametrize("key", model_keys())


@EVERY_MODEL
def test_parameters_recompute_to_the_published_counts(key: str) -> None:
    model = load_model(key)
    assert parameters(model).total == model.published.total_params
    assert parameters(model).active == model.published.active_params


@EVERY_MODEL
def test_what_the_publisher_states_is_what_is_counted_or_the_file_says_why_not(key: str) -> None:
    """A stated "35B" is any count that rounds to it, up or down; beyond that and 1% the file says what is in it."""
    published = tomllib.loads((CATALOG / "models" / f"{key}.toml").read_text(encoding="utf-8"))["published"]
    counted = parameters(load_model(key))
    for field, count in (("stated_total", counted.total), ("stated_active", counted.active)):
        if field not in published:
            continue
        digits, unit = published[field][:-1], published[field][-1]
        scale = {"M": 1e6, "B": 1e9, "T": 1e12}[unit]
        stated, unit_of_last = float(digits) * scale, scale / 10 ** len(digits.partition(".")[2])
        agrees = abs(count - stated) <= max(unit_of_last, 0.01 * stated)
        assert agrees or published.get("stated_differs"), f"{field} {published[field]}, counted {count:,}"
        assert abs(count / stated - 1) < 0.7  # what is left out is never most of it


@EVERY_MODEL
def test_kv_bytes_per_token_are_those_published(key: str) -> None:
    table = tomllib.loads((CATALOG / "models" / f"{key}.toml").read_text(encoding="utf-8"))
    model = load_model(key)
    f16_bytes = model.num_hidden_layers * model.kv_elements_per_token_per_layer * 2
    if model.layer_order:  # each layer keeps what its own mixers keep, an index in its own format
        rows = [row for layer in layers(model) for mixer in layer.mixers for row in mixer.rows]
        f16_bytes = int(sum((2 * row.numbers + row.fixed_bytes) / row.tokens_per_row for row in rows))
    assert f16_bytes == table["published"]["kv_bytes_per_token_f16"]


@EVERY_MODEL
def test_the_parts_of_a_model_make_the_whole(key: str) -> None:
    model = load_model(key)
    counted = parameters(model)
    parts = counted.embedding + counted.lookup + counted.head + counted.other
    parts += sum(layer.attention + layer.ffn + layer.norms for layer in counted.layers)
    assert parts == counted.total
    idle = sum((model.num_experts - model.num_experts_per_tok) * layer.expert for layer in counted.layers)
    assert counted.total - counted.lookup - idle == counted.active
    assert parameters(model).decode == parameters(model).active - parameters(model).embedding


@EVERY_MODEL
def test_heads_divide_and_layers_agree(key: str) -> None:
    model = load_model(key)
    assert model.num_attention_heads % model.num_key_value_heads == 0
    assert len(model.layer_types) == model.num_hidden_layers
    # 0 is a layer that keeps a state and looks back on no rows.
    allowed = (None, 0, model.sliding_window) if model.layer_order else (None, model.sliding_window)
    assert all(model.window(i) in allowed for i in range(len(model.layer_types)))
    assert bool(model.moe_layers) == model.is_moe
    assert model.num_experts_per_tok <= model.num_experts or not model.is_moe


@EVERY_MODEL
def test_a_model_is_a_value(key: str) -> None:
    model = load_model(key)
    assert load_model(key) is model
    copy = pickle.loads(pickle.dumps(model))
    assert copy == model
    assert hash(copy) == hash(model)
    assert parameters(copy).total == parameters(model).total


@EVERY_MODEL
def test_a_catalogue_file_says_where_its_facts_are_from(key: str) -> None:
    model = load_model(key)
    assert model.key == key
    assert len(model.source) > 10
    assert model.name.strip()


def test_attention_kinds_are_told_apart() -> None:
    kinds = {key: load_model(key).attention_kind for key in ("llama-2-7b", "llama-3.1-8b", "falcon-7b", "deepseek-v3")}
    assert kinds == {"llama-2-7b": "mha", "llama-3.1-8b": "gqa", "falcon-7b": "mqa", "deepseek-v3": "mla"}


def test_published_active_counts_leave_the_input_table_out() -> None:
    # OpenAI's model card: 3.6B and 5.1B active; DeepSeek-V2 paper, arXiv:2405.04434: 2.4B.
    assert parameters(load_model("gpt-oss-20b")).decode == pytest.approx(3.6e9, rel=0.01)
    assert parameters(load_model("gpt-oss-120b")).decode == pytest.approx(5.13e9, rel=0.01)
    assert parameters(load_model("deepseek-v2-lite")).decode == pytest.approx(2.4e9, rel=0.03)


def test_layers_look_back_as_their_architecture_says() -> None:
    gemma3 = load_model("gemma-3-27b").layer_types  # five of six layers are local
    assert (gemma3.count("full_attention"), gemma3.count("sliding_attention")) == (10, 52)
    assert gemma3[:6] == ("sliding_attention",) * 5 + ("full_attention",)
    gemma2 = load_model("gemma-2-9b").layer_types
    assert gemma2[:2] == ("sliding_attention", "full_attention")
    assert load_model("gpt-oss-20b").layer_types.count("sliding_attention") == 12
    assert set(load_model("mistral-7b-v0.1").layer_types) == {"sliding_attention"}
    scout = load_model("llama-4-scout")
    assert scout.layer_types[:4] == ("chunked_attention",) * 3 + ("full_attention",)
    assert scout.window(0) == 8192
    assert set(load_model("qwen2.5-7b").layer_types) == {"full_attention"}  # use_sliding_window is false


def test_experts_sit_where_the_config_puts_them() -> None:
    v3 = load_model("deepseek-v3")
    assert v3.moe_layers == tuple(range(3, 61))
    expert = 3 * 7168 * 2048
    assert (parameters(v3).expert, parameters(v3).shared_expert, parameters(v3).router) == (
        expert,
        expert,
        256 * 7168 + 256,
    )
    assert parameters(v3).layers[0].ffn == 3 * 7168 * 18432
    # Of a token: 8 of 256 routed experts and the shared one, with the router.
    assert parameters(v3).layers[3].ffn - 248 * expert == 9 * expert + parameters(v3).router
    dense = load_model("llama-3.1-8b")
    assert (parameters(dense).expert, parameters(dense).shared_expert, parameters(dense).router) == (0, 0, 0)


def test_a_tied_table_counts_once_and_as_the_head() -> None:
    tied: Model = load_model("llama-3.2-1b")
    assert (parameters(tied).embedding, parameters(tied).head) == (0, 128256 * 2048)
    untied = load_model("llama-3.1-8b")
    assert parameters(untied).embedding == parameters(untied).head == 128256 * 4096


def test_a_head_is_as_wide_as_the_config_says_not_hidden_by_heads() -> None:
    assert load_model("qwen3-4b").head_dim == 128  # 2560 / 32 would be 80
    assert load_model("gemma-3-27b").head_dim == 128  # 5376 / 32 would be 168
    assert load_model("gpt-oss-20b").head_dim == 64  # 2880 / 64 would be 45
