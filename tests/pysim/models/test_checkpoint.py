"""Checkpoint: which weight format does a quantization section name, in all forms that files have?"""

import json
import time

import pytest

from pysim.formats.names import weight_format
from pysim.models.checkpoint import Checkpoint, read_quantization
from pysim.models.config import read_config
from pysim.models.config_json import read_config_text
from tests.pysim.sample_configs import CONFIGS

LLAMA = CONFIGS["llama-3.1-8b"] if "llama-3.1-8b" in CONFIGS else CONFIGS["llama-2-7b"]


def groups(**weights: object) -> dict[str, object]:
    return {"config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}}}


@pytest.mark.parametrize(
    ("section", "name"),
    [
        ({"quant_method": "mxfp4", "modules_to_not_convert": ["lm_head"]}, "mxfp4"),
        ({"quant_method": "fp8", "fmt": "e4m3", "weight_block_size": [128, 128]}, "fp8"),
        ({"quant_method": "fbgemm_fp8"}, "fp8"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq-int4-g128"),
        ({"quant_method": "gptq", "bits": "4", "group_size": "128"}, "gptq-int4-g128"),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1}, "gptq-int8"),
        ({"quant_method": "awq", "bits": 4, "group_size": 64, "zero_point": True}, "awq-int4-g64"),
        ({"quant_method": "awq", "bits": 4, "group_size": None}, "awq-int4"),
        ({"quant_method": "awq", "w_bit": 4, "q_group_size": 128, "version": "gemm"}, "awq-int4-g128"),
        ({"quant_method": "auto-round", "bits": 4, "group_size": 128}, "gptq-int4-g128"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, "nf4"),
        ({"quant_method": "bitsandbytes", "_load_in_4bit": True}, "nf4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "int8"),
        ({"quant_method": "modelopt", "quant_algo": "NVFP4"}, "nvfp4"),
        ({"quant_algo": "FP8", "producer": {"name": "modelopt"}, **groups(num_bits=8, type="float")}, "fp8"),
        ({"quant_algo": "MIXED_PRECISION", "quantized_layers": {"a": {"quant_algo": "NVFP4"}}}, "nvfp4"),
        ({"quant_algo": "W4A16_AWQ", "group_size": 128}, "awq-int4-g128"),
        ({"quant_method": "compressed-tensors", **groups(num_bits=8, type="float")}, "fp8"),
        ({"quant_method": "compressed-tensors", **groups(num_bits=8, type="int")}, "int8"),
        ({"quant_method": "compressed-tensors", **groups(num_bits=4, type="int", group_size=128)}, "w4a16-g128"),
        ({"quant_method": "compressed-tensors", **groups(num_bits=4, type="int", group_size=128, symmetric=False)},
         "gptq-int4-g128"),
        ({"quant_method": "compressed-tensors", "format": "pack-quantized", **groups(num_bits=8, type="int")},
         "w8a16-cw"),
        ({"quantization": {"quant_algo": "NVFP4", "exclude_modules": ["lm_head"]}, "producer": {}}, "nvfp4"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_use_double_quant": False}, "nf4-single"),
        ({"quant_method": "exl2", "bits": 4.25, "head_bits": 6}, "exl2-4.25"),
        ({"quant_method": "exl3", "bits": 3.0}, "exl3-3"),
        ({"quant_method": "aqlm", "num_codebooks": 1, "nbits_per_codebook": 16, "in_group_size": 8}, "bpw-2"),
        ({"quant_method": "bitnet", "linear_class": "autobitlinear"}, "bpw-2"),
        ({"quant_method": "eetq", "weights": "int8"}, "w8a16-cw"),
        ({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4", "group_size": 32}}}, "mxfp4"),
        ({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp8_e4m3"}}}, "fp8"),
        ({"quant_method": "torchao", "quant_type": {"default": {"_type": "Int4WeightOnlyConfig",
          "_data": {"group_size": 128}}}}, "w4a16-g128"),
        ({"quant_method": "gptq_marlin", "bits": 4, "group_size": 128, "sym": True}, "gptq-int4-g128"),
        ({"quant_method": "compressed-tensors", "format": "mxfp4-pack-quantized"}, "mxfp4"),
        ({"quant_method": "compressed-tensors", "format": "float-quantized"}, "fp8"),
        ({"quant_method": "compressed-tensors", **groups(num_bits=4, type="float", group_size=16)}, "nvfp4"),
        ({"group_size": 64, "bits": 4}, "mlx-q4"),
        ({"group_size": 32, "bits": 8, "mode": "affine", "model.layers.0.mlp": {"bits": 6}}, "mlx-q8-g32"),
        ({"group_size": 32, "bits": 4, "mode": "mxfp4"}, "mxfp4"),
        ({"quant_method": "torchao", "quant_type": "float8_dynamic"}, "fp8"),
        ({"quant_method": "hqq", "nbits": 4, "group_size": 64}, "gptq-int4-g64"),
    ],
)  # fmt: skip
def test_a_quantization_section_names_a_weight_format(section: dict[str, object], name: str) -> None:
    assert read_quantization(section) == Checkpoint(weight_format=name)
    assert weight_format(name).bits_per_weight <= 9
    assert read_config({**LLAMA, "quantization_config": section}).quantization == name


@pytest.mark.parametrize(
    "section",
    [
        [], [1], "fp8", 4, True, {}, {"quant_method": None}, {"quant_method": "gptq", "bits": "four"},
        {"quant_method": "awq", "bits": 10**400}, {"group_size": 0, "bits": 4}, {"quant_method": "a new one"},
        {"quant_method": "gptq", "bits": 4, "group_size": 0.5}, {"bits": float("nan")}, {"quant_method": ["fp8"]},
        {"quant_method": "compressed-tensors", "config_groups": []},
        {"quant_method": "compressed-tensors", "config_groups": {"a": None}},
        {"quant_algo": "MIXED_PRECISION", "quantized_layers": [1]},
    ],
)  # fmt: skip
def test_no_quantization_section_refuses_a_config(section: object) -> None:
    plain, model = read_config(LLAMA), read_config({**LLAMA, "quantization_config": section})
    assert (model.quantization, model.num_hidden_layers) == (None, plain.num_hidden_layers)
    assert len(model.quantization_note) < 120
    assert model.quantization_note or not section


def test_a_method_without_a_format_is_noted() -> None:
    assert "a new one" in read_quantization({"quant_method": "a new one"}).note


def test_an_ignore_list_of_megabytes_is_read_quickly() -> None:
    ignore = [f"model.layers.{i}.mlp.experts.{i}.gate_proj" for i in range(65_000)]
    section = {"quant_method": "modelopt", "quant_algo": "NVFP4", "ignore": ignore}
    text = json.dumps({**LLAMA, "quantization_config": section})
    assert len(text) > 3_000_000
    before = time.monotonic()
    assert read_config_text(text).quantization == "nvfp4"
    assert time.monotonic() - before < 5
