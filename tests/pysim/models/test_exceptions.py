"""The exceptions of quantized checkpoints: which parts stay in 16 bits, however the list is written?"""

from __future__ import annotations

import random
import time

import pytest

from pysim import weights_bytes
from pysim.models.config import read_config
from pysim.models.exceptions import OtherWidth, read_exceptions
from pysim.models.layers import layers
from pysim.models.parameters import parameters
from tests.pysim.sample_configs import CONFIGS
from tests.pysim.sample_layered import COUNTED

FOUR = ("full_attention",) * 4
ALL = (0, 1, 2, 3)
ATTENTION = ("key", "output", "query", "value")
DENSE = ("dense_down", "dense_up")


def wide(*parts: str, layers: tuple[int, ...] = ALL, bits: float = 16.0) -> tuple[OtherWidth, ...]:
    return tuple(OtherWidth(part=part, bits=bits, layers=layers) for part in sorted(parts))


@pytest.mark.parametrize(
    ("section", "found"),
    [
        ({"ignore": ["lm_head"]}, wide("head", layers=())),
        ({"ignore": ["re:.*lm_head"]}, wide("head", layers=())),
        ({"modules_to_not_convert": ["model.embed_tokens"]}, wide("embedding", layers=())),
        # gpt-oss
        ({"modules_to_not_convert": ["model.layers.*.self_attn", "model.layers.*.mlp.router"]}, wide(*ATTENTION)),
        # Kimi K2.5: attention, shared experts and the dense layers, but no routed experts
        ({"ignore": ["re:.*self_attn.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]}, wide(*ATTENTION, *DENSE)),
        ({"ignore": ["re:.*shared_experts.*"]}, wide("shared_up", "shared_down")),
        # MiniMax M2: routers alone, which no format quantizes
        ({"modules_to_not_convert": ["gate", "e_score_correction_bias"]}, ()),
        # Unsloth's bitsandbytes files
        ({"llm_int8_skip_modules": ["model.layers.2.self_attn", "model.layers.1.mlp"]},
         tuple(sorted((*wide(*ATTENTION, layers=(2,)),
                       *wide(*DENSE, "experts_up", "experts_down", "shared_up", "shared_down", layers=(1,))),
                      key=lambda each: each.part))),
        # ModelOpt
        ({"exclude_modules": ["model.layers.0.*", "lm_head"]},
         tuple(sorted((*wide(*ATTENTION, *DENSE, "experts_up", "experts_down", "shared_up", "shared_down", layers=(0,)),
                       *wide("head", layers=())), key=lambda each: each.part))),
        ({"ignore": ["model.layers.3.self_attn.q_proj", "model.layers.99.self_attn.q_proj"]},
         wide("query", layers=(3,))),
        ({"ignore": ["model.language_model.layers.1.mlp.experts.*"]}, wide("experts_up", "experts_down", layers=(1,))),
        ({"ignore": ["model.layers.1.mlp.experts.7.down_proj", "visual.blocks.0"]}, ()),
        # MLX: false, or settings of its own
        ({"bits": 4, "group_size": 64, "lm_head": False}, wide("head", layers=())),
        ({"bits": 4, "group_size": 64, "model.layers.0.mlp.down_proj": {"bits": 6, "group_size": 64}},
         wide("dense_down", layers=(0,), bits=6 + 32 / 64)),
        ({"bits": 4, "group_size": 64, "model.layers.0.mlp.down_proj": True}, ()),
        # GPTQModel, auto-round, compressed-tensors with a second group
        ({"quant_method": "gptq", "dynamic": {"-:.*self_attn.*": {}, "+:.*mlp\\.down_proj.*": {"bits": 8}}},
         tuple(sorted((*wide(*ATTENTION), *wide("dense_down", bits=8.0)), key=lambda each: each.part))),
        ({"quant_method": "auto-round", "extra_config": {"lm_head": {"bits": 16}}}, wide("head", layers=())),
        ({"config_groups": {"a": {"targets": ["Linear"], "weights": {"num_bits": 4}},
                            "b": {"targets": ["re:.*o_proj"], "weights": {"num_bits": 8}}}}, wide("output", bits=8.0)),
        ([], ()), (None, ()), ({"ignore": "lm_head"}, ()), ({"ignore": [1, None, {}]}, ()), ({"dynamic": [1]}, ()),
        ({"config_groups": {"a": 1, "b": {"targets": [1], "weights": {"num_bits": "x"}}}}, ()),
    ],
)  # fmt: skip
def test_each_form_of_a_list_names_the_same_parts(section: object, found: tuple[OtherWidth, ...]) -> None:
    assert read_exceptions(section, FOUR) == found


def test_a_layer_with_a_state_has_other_names() -> None:
    kinds = ("linear_attention", "full_attention")
    assert read_exceptions({"ignore": ["re:.*linear_attn.*"]}, kinds) == wide("output", "query", layers=(0,))
    assert read_exceptions({"ignore": ["re:.*self_attn.*"]}, kinds) == wide(*ATTENTION, layers=(1,))


def test_bytes_count_what_stays_in_sixteen_bits() -> None:
    section = {"quant_method": "fp8", "modules_to_not_convert": ["self_attn", "lm_head"]}
    plain = read_config({**CONFIGS["qwen3-30b-a3b"], "quantization_config": {"quant_method": "fp8"}})
    model = read_config({**CONFIGS["qwen3-30b-a3b"], "quantization_config": section})
    attention = sum(
        mixer.query + mixer.key + mixer.value + mixer.output for layer in layers(model) for mixer in layer.mixers
    )
    assert weights_bytes(model) == pytest.approx(weights_bytes(plain) + attention)
    assert weights_bytes(model, "q4_k_m") == weights_bytes(plain, "q4_k_m")


def test_a_checkpoint_whose_experts_alone_are_narrow_takes_what_it_takes() -> None:
    # Kimi K2.5: 384 experts of 3 × 7168 × 2048 in 60 layers in 4.5 bits, the rest in 16: about 595 GB are published.
    config = {**COUNTED["deepseek-v3.2"][0], "n_routed_experts": 384}
    ignore = ["lm_head", "re:.*self_attn.*", "re:.*shared_experts.*", "re:.*mlp\\.(gate|up|gate_up|down)_proj.*"]
    weights = {"num_bits": 4, "type": "int", "group_size": 32, "symmetric": True}
    section = {"quant_method": "compressed-tensors", "format": "pack-quantized", "ignore": ignore,
               "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}}}  # fmt: skip
    model = read_config({**config, "quantization_config": section})
    counted = parameters(model)
    experts = sum(layer.experts for layer in counted.layers)
    assert model.quantization == "w4a16-g32"
    assert weights_bytes(model) == pytest.approx(experts * 4.5 / 8 + (counted.total - experts) * 2, rel=2e-3)


@pytest.mark.parametrize(
    "text",
    ["re:(a+)+$", "re:" + "(a|b)" * 40, "re:" + ".*" * 90 + "x", "*" * 190, "re:[", "re:(?P<a>", "re:\\", "re:(((", ""],
)
def test_no_pattern_is_run_or_hangs(text: str) -> None:
    before = time.process_time()
    read_exceptions({"ignore": [text] * 1_000, "dynamic": {f"+:{text}": {"bits": 8}}}, ("full_attention",) * 100)
    assert time.process_time() - before < 1


def test_lists_of_megabytes_are_read_quickly() -> None:
    names = [f"model.layers.{i % 61}.mlp.experts.{i}.gate_proj" for i in range(65_000)]
    globs = [f"*.{i}*" for i in range(60_000)]
    before = time.process_time()
    assert read_exceptions({"ignore": names + globs + ["lm_head"] * 60_000}, ("full_attention",) * 61) is not None
    assert time.process_time() - before < 5


def test_spoiled_sections_never_raise() -> None:
    chance = random.Random(20_261_201)
    keys = ["ignore", "modules_to_not_convert", "exclude_modules", "dynamic", "extra_config", "config_groups",
            "lm_head",
            "model.layers.0.mlp", "bits", "group_size", "quant_method", "targets", "weights", "num_bits"]  # fmt: skip
    texts = ["lm_head", "re:.*", "*", "model.layers.0", "-:x", "+:", "re:(", "\0", "layers.", "layers.9999999.", "é"]

    def value(depth: int) -> object:
        kind = chance.randrange(8 if depth < 4 else 6)
        if kind == 6:
            return {chance.choice(keys + texts): value(depth + 1) for _ in range(chance.randrange(5))}
        if kind == 7:
            return [value(depth + 1) for _ in range(chance.randrange(5))]
        return chance.choice([None, True, False, 4, -1, 10**30, 0.5, float("nan"), chance.choice(texts)])

    for _ in range(3_000):
        section = {chance.choice(keys): value(0) for _ in range(chance.randrange(6))}
        for found in read_exceptions(section, FOUR):
            assert 1 <= found.bits <= 32
            assert set(found.layers) <= set(ALL)
        read_config({**CONFIGS["qwen3-4b"], "quantization_config": section})


def test_experts_of_a_width_of_their_own_are_counted_so() -> None:
    # DeepSeek V4 Flash: experts in FP4 with a scale of 8 bits for 32 weights, the rest in FP8: about 156 GB.
    section = {"quant_method": "fp8", "fmt": "e4m3"}
    config = {**COUNTED["deepseek-v4-flash"][0], "quantization_config": section}
    wide_experts, model = read_config(config), read_config({**config, "expert_dtype": "fp4"})
    experts = sum(layer.experts for layer in parameters(model).layers)
    saved = weights_bytes(wide_experts) - weights_bytes(model)
    assert saved == pytest.approx(experts * (8 - 4.25) / 8)
    assert 150e9 < weights_bytes(model) < 165e9
