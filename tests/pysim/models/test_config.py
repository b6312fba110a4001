"""Does a config.json become the model it describes, or an error that names what is wrong?"""

import copy
import math
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim import BadConfig, Model, PysimError, load_model
from pysim.catalog.files import catalogue_keys, read_table
from pysim.models.architecture import load_architecture
from pysim.models.config import read_config
from pysim.models.parameters import parameters
from tests.pysim.sample_configs import CONFIGS, Config

NOT_FROM_A_CONFIG = ("key", "name", "source", "published", "parameters", "quantization", "left_out")
LLAMA = CONFIGS["llama-2-7b"]


def changed(key: str, **changes: object) -> Config:
    """A sample with fields changed; `...` leaves one out. Nested configs are changed inside."""
    config = copy.deepcopy(CONFIGS[key])
    text = config.get("text_config", config)
    assert isinstance(text, dict)
    for name, value in changes.items():
        if value is ...:
            text.pop(name, None)
        else:
            text[name] = value
    return config


@pytest.mark.parametrize("key", CONFIGS)
def test_a_config_becomes_the_catalogues_model(key: str) -> None:
    model, expected = read_config(CONFIGS[key]), load_model(key)
    for field in fields(Model):
        if field.name not in NOT_FROM_A_CONFIG:
            assert getattr(model, field.name) == getattr(expected, field.name), field.name
    assert parameters(model).total == parameters(expected).total


def test_every_architecture_whose_layers_are_alike_is_read_by_a_test() -> None:
    """Those whose layers differ are read in test_architectures.py."""
    read = {read_config(config).model_type for config in CONFIGS.values()}
    assert read == {key for key in catalogue_keys("architectures") if not load_architecture(key).layers.marks}


def test_what_the_reference_code_derives_is_filled_in() -> None:
    assert read_config(LLAMA).num_key_value_heads == 32
    assert read_config(LLAMA).head_dim == 4096 // 32
    assert read_config(changed("qwen3-4b", head_dim=...)).head_dim == 128  # not 2560 / 32
    assert read_config(changed("gemma-2-27b", head_dim=...)).head_dim == 256  # not 4608 / 32
    assert read_config(changed("mistral-7b-v0.1", num_key_value_heads=...)).num_key_value_heads == 8
    assert read_config(changed("mistral-7b-v0.1", num_key_value_heads=None)).num_key_value_heads == 32
    assert read_config(changed("gpt2")).intermediate_size == 4 * 768


def test_windows_follow_the_reference_code() -> None:
    assert read_config(changed("mistral-7b-v0.1", sliding_window=...)).sliding_window == 4096
    assert set(read_config(changed("mistral-7b-v0.1", sliding_window=None)).layer_types) == {"full_attention"}
    used = read_config(changed("qwen2.5-7b", use_sliding_window=True, sliding_window=4096, max_window_layers=20))
    assert used.layer_types == ("full_attention",) * 20 + ("sliding_attention",) * 8
    assert read_config(changed("gemma-2-27b")).sliding_window == 4096
    listed = read_config(changed("gpt-oss-20b", layer_types=["full_attention"] * 24))
    assert set(listed.layer_types) == {"full_attention"}
    assert read_config(changed("gpt-oss-20b", layer_types=...)) == read_config(changed("gpt-oss-20b"))
    marked = read_config(changed("llama-4-scout", no_rope_layers=[0] + [1] * 47))
    assert marked.layer_types == ("full_attention",) + ("chunked_attention",) * 47
    sparse = read_config(changed("gemma-3-4b", sliding_window_pattern=2))
    assert sparse.layer_types.count("full_attention") == 17


def test_layers_without_experts_are_where_the_config_says() -> None:
    every_second = read_config(changed("qwen3-30b-a3b", decoder_sparse_step=2, mlp_only_layers=[1]))
    assert every_second.moe_layers == tuple(range(3, 48, 2))


def test_biases_count_where_the_config_switches_them_on() -> None:
    plain = read_config(LLAMA)
    biased = read_config(changed("llama-2-7b", attention_bias=True, mlp_bias=True))
    assert parameters(biased).total - parameters(plain).total == 32 * (4 * 4096 + 2 * 11008 + 4096)


def test_a_text_config_without_model_type_takes_the_outer_one() -> None:
    assert read_config(changed("gemma-3-4b", model_type=...)).model_type == "gemma3_text"


@pytest.mark.parametrize("config", [None, [], [1, 2], "llama", 7, True])
def test_what_is_no_object_is_refused(config: object) -> None:
    with pytest.raises(BadConfig, match="must be a JSON object"):
        read_config(config)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "field",
    ["hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size", "vocab_size", "model_type"],
)
def test_a_missing_field_is_named_and_not_guessed(field: str) -> None:
    with pytest.raises(BadConfig, match=f"{field} is missing"):
        read_config(changed("llama-2-7b", **{field: ...}))


@pytest.mark.parametrize(
    ("key", "field"),
    [
        ("mixtral-8x7b-v0.1", "num_local_experts"),
        ("qwen3-30b-a3b", "moe_intermediate_size"),
        ("deepseek-v3", "n_routed_experts"),
        ("gpt-oss-20b", "num_experts_per_tok"),
        ("gpt2", "n_layer"),
    ],
)
def test_a_missing_field_is_named_as_the_config_calls_it(key: str, field: str) -> None:
    with pytest.raises(BadConfig, match=f"{field} is missing"):
        read_config(changed(key, **{field: ...}))


@pytest.mark.parametrize("value", ["4096", 0, -1, 1.5, math.nan, math.inf, True, [], {}, 10**30])
@pytest.mark.parametrize(
    "field", ["hidden_size", "num_hidden_layers", "num_key_value_heads", "max_position_embeddings"]
)
def test_an_impossible_size_is_refused_by_name(field: str, value: object) -> None:
    with pytest.raises(BadConfig, match=field):
        read_config(changed("llama-2-7b", **{field: value}))


def test_a_number_too_long_to_print_is_refused_in_a_line() -> None:
    for field in ("hidden_size", "tie_word_embeddings", "attention_bias"):
        with pytest.raises(BadConfig, match="a number of 16610 bits"):
            read_config(changed("llama-2-7b", **{field: 10**5000}))


@pytest.mark.parametrize(
    ("key", "changes", "message"),
    [
        ("llama-2-7b", {"num_key_value_heads": 5}, "not a multiple"),
        ("llama-2-7b", {"num_attention_heads": 31}, "hidden_size 4096 is not a multiple of num_attention_heads 31"),
        ("llama-2-7b", {"model_type": "qwen9"}, 'unknown architecture.*"qwen9".*did you mean qwen'),
        ("llama-2-7b", {"model_type": "../models/gpt2"}, "unknown architecture"),
        ("llama-2-7b", {"model_type": 3}, "model_type"),
        ("llama-2-7b", {"tie_word_embeddings": "yes"}, "tie_word_embeddings must be true or false"),
        ("llama-2-7b", {"attention_bias": 1}, "attention_bias must be true or false"),
        ("llama-2-7b", {"num_hidden_layers": 1_000_000}, "num_hidden_layers must be from 1 to 10,000"),
        ("gpt-oss-20b", {"layer_types": ["full_attention"] * 3}, "layer_types has 3 entries"),
        ("gpt-oss-20b", {"layer_types": ["linear_attention"] * 24}, "layer_types holds the text .linear_attention."),
        ("gpt-oss-20b", {"layer_types": "full_attention"}, "layer_types must be a list"),
        ("llama-4-scout", {"no_rope_layers": [2] * 48}, "no_rope_layers must be a list of 0 and 1"),
        ("llama-4-scout", {"no_rope_layers": [1]}, "layer_types has 1 entries"),
        ("gpt-oss-20b", {"num_experts_per_tok": 33}, "num_experts_per_tok must be from 1 to 32"),
        ("qwen3-30b-a3b", {"mlp_only_layers": 3}, "mlp_only_layers"),
        ("deepseek-v3", {"moe_layer_freq": 2}, "moe_layer_freq is 2"),
        ("qwen3-30b-a3b", {"mlp_only_layers": [9999]}, "mlp_only_layers must be from 0 to 47"),
        ("falcon-7b", {"new_decoder_architecture": True}, "new_decoder_architecture is True"),
        ("gemma-3-4b", {"sliding_window_pattern": 0}, "sliding_window_pattern"),
    ],
)
def test_a_config_that_cannot_be_is_told_why(key: str, changes: Config, message: str) -> None:
    with pytest.raises(BadConfig, match=message):
        read_config(changed(key, **changes))


def test_a_nested_config_that_is_no_object_is_refused() -> None:
    with pytest.raises(BadConfig, match="text_config must be a JSON object"):
        read_config({"model_type": "gemma3", "text_config": [1]})


JUNK = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.lists(st.integers() | st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)  # fmt: skip


@given(st.sampled_from(sorted(CONFIGS)), st.data())
@settings(max_examples=300, deadline=None)
def test_whatever_stands_in_a_field_gives_a_model_or_one_line(key: str, data: st.DataObject) -> None:
    text = CONFIGS[key].get("text_config", CONFIGS[key])
    assert isinstance(text, dict)
    field = data.draw(st.sampled_from(sorted(text)))
    config = changed(key, **{field: data.draw(JUNK)})
    try:
        model = read_config(config)
    except PysimError as error:
        message = str(error)
    else:
        assert parameters(model).total >= parameters(model).active > 0
        message = ""
    assert "\n" not in message
    assert len(message) < 400


def test_architecture_files_name_fields_of_the_model() -> None:
    model_fields = {field.name for field in fields(Model)} | {"sliding_window_pattern", "max_window_layers"}
    for key in catalogue_keys("architectures"):
        if load_architecture(key).layers.marks:
            continue  # parts have fields of their own kinds
        table = read_table("architectures", key)
        names, derived = table.get("names", {}), table.get("derived", {})
        assert isinstance(names, dict)
        assert isinstance(derived, dict)
        assert set(names) <= model_fields, key
        assert set(derived) <= model_fields, key
