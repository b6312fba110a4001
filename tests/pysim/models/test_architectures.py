"""Architectures: is every entry whole, and are models whose layers differ counted as others count them?"""

import copy
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pysim import BadConfig, PysimError
from pysim.catalog.files import catalogue_keys, names_in
from pysim.memory.kv_cache import (
    full_kv_bytes_per_token,
    index_bytes_per_token,
    state_bytes_per_sequence,
    window_kv_bytes_per_token,
)
from pysim.models.architecture import load_architecture
from pysim.models.config import read_config
from pysim.models.expression import names_in_expression
from pysim.models.layer_plan import read_mixer
from pysim.models.layers import layers
from pysim.models.parameters import parameters
from tests.pysim.sample_configs import CONFIGS
from tests.pysim.sample_layered import (
    COUNTED,
    DEEPSEEK_V3_2,
    GEMMA_4_26B,
    LFM2_1_2B,
    NEMOTRON_3_NANO,
    QWEN3_5_27B,
    QWEN3_NEXT,
    Config,
)

MIB = 2**20
JUNK = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
    | st.lists(st.integers() | st.text(max_size=3), max_size=3)
    | st.dictionaries(st.text(max_size=3), st.integers(), max_size=2)
)  # fmt: skip
TINY: Config = {
    "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4,
    "num_key_value_heads": 2, "vocab_size": 100, "max_position_embeddings": 512, "tie_word_embeddings": True,
}  # fmt: skip
# Two tables of tiny models are one; the final norm; two norms for each of two layers; a gated network for each.
TINY_BASE = 100 * 64 + 64 + 2 * (2 * 64) + 2 * (3 * 64 * 96)


@pytest.mark.parametrize("key", COUNTED)
def test_a_model_with_different_layers_is_counted_as_others_count_it(key: str) -> None:
    config, total, active, full, window, index, state_mib = COUNTED[key]
    model = read_config(config)
    assert parameters(model).total == pytest.approx(total, rel=0.001)
    assert parameters(model).active == pytest.approx(active, rel=0.003)
    assert full_kv_bytes_per_token(model) == full
    assert window_kv_bytes_per_token(model) == window
    assert index_bytes_per_token(model) == index
    assert state_bytes_per_sequence(model) / MIB == pytest.approx(state_mib, rel=0.001)


@pytest.mark.parametrize("key", catalogue_keys("architectures"))
def test_an_entry_names_parts_that_are_there(key: str) -> None:
    architecture = load_architecture(key)
    for mark, parts in architecture.layers.marks.items():
        for part in parts:
            assert part in architecture.parts or part in ("ffn", "dense", "experts"), (key, mark)
    assert set(architecture.layers.rule) <= set(architecture.layers.marks)
    assert set(architecture.layers.numbered) <= set(architecture.layers.marks)
    count = architecture.count
    for text in (*architecture.layers.rule.values(), *count.layer, *count.model, *count.table):
        assert isinstance(names_in_expression(text), tuple)
    for name, fields in architecture.parts.items():
        if name not in ("ffn", "dense", "experts"):
            assert callable(read_mixer)
            assert re.fullmatch(r"[a-z0-9_]+", str(fields["kind"])), (key, name)


def test_no_name_of_an_architecture_is_that_of_two() -> None:
    entries = names_in("architectures")
    names = [name for key, called in entries.items() for name in dict.fromkeys((key, *called))]
    assert sorted(names) == sorted(set(names))


def test_a_delta_net_is_counted_matrix_by_matrix() -> None:
    """Keys 2 heads of 8, values 4 of 16: 32 + 64 channels through the convolution, 64 for the gate."""
    config = TINY | {
        "model_type": "qwen3_5_text", "layer_types": ["linear_attention", "full_attention"], "head_dim": 16,
        "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 16,
    }  # fmt: skip
    model = read_config(config)
    linear = 64 * (96 + 64) + 64 * 64 + 64 * 2 * 4 + 96 * 4 + 2 * 4 + 16
    full = 64 * 64 * 2 + 2 * 64 * 32 + 64 * 64 + 2 * 16  # the gate doubles the queries; norms of queries and keys
    assert parameters(model).total == TINY_BASE + linear + full
    assert state_bytes_per_sequence(model) == 4 * 4 * 8 * 16 + 2 * 96 * 3
    assert full_kv_bytes_per_token(model) == 2 * 2 * 16 * 2
    assert model.layer_types == ("linear_attention", "full_attention")
    assert (model.window(0), model.window(1)) == (0, None)


def test_a_state_space_is_counted_matrix_by_matrix() -> None:
    """8 heads of 16 with 4 groups of 32: 128 + 2 × 128 channels; the gate and 8 steps beside them."""
    config = TINY | {
        "model_type": "nemotron_h", "hybrid_override_pattern": "M-", "mamba_num_heads": 8, "mamba_head_dim": 16,
        "ssm_state_size": 32, "n_groups": 4, "conv_kernel": 4, "use_conv_bias": True,
    }  # fmt: skip
    model = read_config(config)
    channels = 128 + 2 * 4 * 32
    mamba = 64 * (128 + channels + 8) + 128 * 64 + channels * 5 + 3 * 8 + 128
    assert parameters(model).total == 100 * 64 + 64 + (mamba + 64) + (2 * 64 * 96 + 64)
    assert state_bytes_per_sequence(model) == 4 * 128 * 32 + 2 * channels * 3
    assert full_kv_bytes_per_token(model) == 0
    assert model.layer_types == ("linear_attention", "none")


def test_layers_that_share_rows_keep_none() -> None:
    """Of four layers the last two read rows of the first two: one row of 1 head × 2 × 8, one of 1 × 2 × 16."""
    config = TINY | {
        "model_type": "gemma4_text", "num_hidden_layers": 4, "num_key_value_heads": 1, "head_dim": 8,
        "global_head_dim": 16, "num_kv_shared_layers": 2, "sliding_window": 32, "hidden_size_per_layer_input": 0,
        "layer_types": ["sliding_attention", "full_attention"] * 2,
    }  # fmt: skip
    model = read_config(config)
    assert window_kv_bytes_per_token(model) == 2 * 8 * 2
    assert full_kv_bytes_per_token(model) == 2 * 16 * 2
    alone = read_config({**config, "num_kv_shared_layers": 0})
    # Two projections of 64 × 8 and of 64 × 16, and the norms of keys.
    assert parameters(alone).total - parameters(model).total == 2 * 64 * 8 + 2 * 64 * 16 + 8 + 16


def test_tables_of_per_layer_inputs_are_stored_but_not_active() -> None:
    config = TINY | {"model_type": "gemma4_text", "head_dim": 16, "hidden_size_per_layer_input": 8}
    count = parameters(read_config({**config, "vocab_size_per_layer_input": 100}))
    assert count.lookup == 100 * 2 * 8
    assert count.total - count.active == count.lookup


def test_latent_experts_work_on_a_narrower_row() -> None:
    moe = {"n_routed_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 48, "n_shared_experts": 1}
    config = TINY | moe | {
        "model_type": "nemotron_h", "hybrid_override_pattern": "*E", "moe_shared_expert_intermediate_size": 80,
        "moe_latent_size": 16, "head_dim": 16,
    }  # fmt: skip
    layer = layers(read_config(config))[1].params
    assert layer.expert == 2 * 16 * 48
    assert layer.shared == 2 * 64 * 80 + 2 * 64 * 16
    assert layer.router == 4 * (64 + 1)


def test_blocks_of_their_own_may_lack_a_part() -> None:
    """A quarter of 64 × 2 ⁄ 3 is rounded up to steps of 256; a layer without attention keeps no rows."""
    attention = {"n_heads_in_group": 2, "no_op": False, "replace_with_linear": False, "window_length": None}
    none = {"n_heads_in_group": None, "no_op": True, "replace_with_linear": False, "window_length": None}
    ffn = {"ffn_mult": 5.25, "no_op": False, "replace_with_linear": False}
    config = TINY | {
        "model_type": "nemotron-nas", "num_key_value_heads": None, "intermediate_size": None,
        "block_configs": [{"attention": attention, "ffn": ffn}, {"attention": none, "ffn": ffn}],
    }  # fmt: skip
    model = read_config(config)
    width = 256  # 2 × 5.25 × 64 ⁄ 3 = 224, rounded up
    projections = 2 * 64 * 64 + 2 * 64 * 32
    assert parameters(model).total == 100 * 64 + 64 + projections + 64 + 2 * (3 * 64 * width + 64)
    assert full_kv_bytes_per_token(model) == 2 * 2 * 16 * 2


@pytest.mark.parametrize(
    ("known", "other"),
    [
        ("llama-2-7b", "baichuan"), ("mistral-7b-v0.1", "ministral3"), ("qwen2.5-7b", "mimo"),
        ("qwen3-4b", "qwen3_vl_text"), ("qwen3-30b-a3b", "qwen3_vl_moe_text"), ("deepseek-v3", "kimi_k2"),
    ],
)  # fmt: skip
def test_an_alias_is_counted_like_the_architecture_whose_arithmetic_it_has(known: str, other: str) -> None:
    config = CONFIGS[known]
    assert parameters(read_config({**config, "model_type": other})) == parameters(read_config(config))


@pytest.mark.parametrize("wrapper", ["text_config", "llm_config", "language_config", "thinker_config"])
def test_the_language_part_of_a_wrapper_is_read(wrapper: str) -> None:
    model = read_config({"model_type": "a_wrapper", wrapper: CONFIGS["qwen3-4b"], "vision_config": {"depth": 2}})
    assert parameters(model).total == parameters(read_config(CONFIGS["qwen3-4b"])).total
    assert model.left_out == ("a vision encoder",)


def test_a_nested_part_has_the_defaults_of_its_class() -> None:
    """LLaVA 1.5's text_config says that it is a llama with 32,064 tokens, and no size that Llama 2 7B has too."""
    part = {"model_type": "llama", "vocab_size": 32064, "max_position_embeddings": 4096}
    model = read_config({"model_type": "llava", "text_config": part})
    assert (model.hidden_size, model.intermediate_size, model.num_hidden_layers) == (4096, 11008, 32)
    with pytest.raises(BadConfig, match="hidden_size is missing"):
        read_config(part)


def test_what_is_left_out_is_said() -> None:
    assert read_config(DEEPSEEK_V3_2).left_out == ("a layer that predicts more tokens (MTP)",)
    assert read_config(QWEN3_5_27B).left_out == ("a vision encoder", "a layer that predicts more tokens (MTP)")
    assert read_config(QWEN3_NEXT).left_out == ()


@pytest.mark.parametrize(
    ("model_type", "said"),
    [
        ("nemotron-flash", "did you mean nemotron or nemotron_h"),
        ("glm9_next", "did you mean glm"),
        ("qwen9_moe", "did you mean qwen2_moe"),
        ("kimi-k9", "did you mean kimi_linear"),
        ("0", "if its arithmetic is that of a known one"),
    ],
)
def test_an_unknown_architecture_names_the_nearest_and_what_to_paste(model_type: str, said: str) -> None:
    with pytest.raises(BadConfig, match=f"unknown architecture.*{re.escape(model_type)}.*{said}.*, paste it with"):
        read_config({"model_type": model_type})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"dim": 4096, "n_layers": 32, "n_heads": 32, "vocab_size": 128256}, r"params\.json of Meta"),
        ({"metadata": {"total_size": 1}, "weight_map": {}}, "an index of weights"),
        ({"tokenizer_class": "LlamaTokenizer", "bos_token": "<s>"}, "a tokenizer's file"),
        ({"producer": {"name": "modelopt"}, "quantization": {"quant_algo": "FP8"}}, "a quantizer's file"),
    ],
)
def test_another_file_is_recognised(given: Config, said: str) -> None:
    with pytest.raises(BadConfig, match=f"model_type is missing: this is .*{said}.*config.json"):
        read_config(given)


def test_an_inner_null_does_not_hide_what_stands_outside() -> None:
    part = {**CONFIGS["qwen3-4b"], "quantization_config": None}
    outer = {"model_type": "qwen3_vl", "text_config": part, "quantization_config": {"quant_method": "fp8"}}
    assert read_config(outer).quantization == "fp8"


def without(config: Config, **changes: object) -> Config:
    copied = copy.deepcopy(config)
    part = copied.get("text_config", copied)
    part |= changes
    return copied


@pytest.mark.parametrize(
    ("config", "said"),
    [
        (without(NEMOTRON_3_NANO, hybrid_override_pattern="MX" * 26), 'hybrid_override_pattern holds the text "X"'),
        (without(NEMOTRON_3_NANO, hybrid_override_pattern="M" * 51), "51 entries for num_hidden_layers 52"),
        (without(NEMOTRON_3_NANO, hybrid_override_pattern=7), "must be a list with a mark"),
        (
            without(NEMOTRON_3_NANO, hybrid_override_pattern=None),
            "num_hidden_layers|hybrid_override_pattern is missing",
        ),
        (without(LFM2_1_2B, full_attn_idxs=[99]), "full_attn_idxs must be from 0 to 15"),
        (without(LFM2_1_2B, full_attn_idxs="2"), "full_attn_idxs must be a list"),
        (without(QWEN3_NEXT, full_attention_interval=0), "has no value with the sizes given"),
        (without(QWEN3_NEXT, full_attention_interval=float("nan")), "full_attention_interval"),
        (without(QWEN3_NEXT, mlp_only_layers=[48]), "mlp_only_layers must be from 0 to 47"),
        (without(QWEN3_NEXT, linear_key_head_dim=[128]), "linear_key_head_dim"),
        (without(GEMMA_4_26B, layer_types=["full_attention"] * 3), "layer_types has 3 entries"),
        (without(GEMMA_4_26B, sliding_window="x"), "sliding_window"),
        (without(GEMMA_4_26B, sliding_window=None), "sliding_window is missing"),
        (without(DEEPSEEK_V3_2, index_topk=-1), "index_topk must be from 0"),
        (without(DEEPSEEK_V3_2, kv_lora_rank=None), "kv_lora_rank is missing"),
    ],
)
def test_layers_that_cannot_be_are_told_why(config: Config, said: str) -> None:
    with pytest.raises(BadConfig, match=said) as error:
        read_config(config)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("key", COUNTED)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_whatever_a_layered_config_holds_gives_a_model_or_one_line(key: str, data: st.DataObject) -> None:
    config = copy.deepcopy(COUNTED[key][0])
    part = config.get("text_config", config)
    part[data.draw(st.sampled_from(sorted(part)))] = data.draw(JUNK)
    try:
        model = read_config(config)
    except PysimError as error:
        message = str(error)
    else:
        assert parameters(model).total >= parameters(model).active > 0
        message = ""
    assert "\n" not in message
    assert len(message) < 400


def test_layers_that_a_config_tells_apart_are_read_one_by_one() -> None:
    """Layers with one mark are read once, unless a list has a width for each of them."""
    widths = [4096] * 15 + [8192]
    config = {**LFM2_1_2B, "block_auto_adjust_ff_dim": False, "block_ff_dim": widths}
    dense = [layer.dense for layer in parameters(read_config(config)).layers]
    assert dense == [3 * 2048 * width for width in widths]
