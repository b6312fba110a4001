"""The default weight format: what the model's config says, everywhere, and 16 bits where it says nothing."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pysim import Deployment, load_device, load_model, weights_bytes
from pysim.cli.main import main
from pysim.formats.default import format_of, is_configs_own, says_format
from pysim.models.config import read_config
from tests.pysim.sample_configs import CONFIGS


def test_a_deployment_takes_the_format_of_the_config() -> None:
    on = Deployment(load_model("gpt-oss-20b"), load_device("rtx-4090"))
    assert on.weight_format == "mxfp4"
    assert on.memory(8_192).fits


def test_a_model_whose_config_says_nothing_is_in_16_bits() -> None:
    model = load_model("llama-3.1-8b")
    assert Deployment(model, load_device("rtx-4090")).weight_format == "f16"
    assert weights_bytes(model) == weights_bytes(model, "f16")


def test_a_format_that_is_given_goes_before_the_configs() -> None:
    model = load_model("gpt-oss-20b")
    on = Deployment(model, load_device("h100-sxm"), weight_format="f16")
    assert on.weight_format == "f16"
    assert replace(on, weight_format="CONFIG").weight_format == "mxfp4"
    assert weights_bytes(model) == weights_bytes(model, "mxfp4") < weights_bytes(model, "f16")


def test_a_format_that_cannot_be_read_is_16_bits_with_a_word() -> None:
    model = read_config({**CONFIGS["qwen3-4b"], "quantization_config": {"quant_method": "somethingnew"}})
    assert format_of(model) == "f16"
    assert not is_configs_own(model, "f16")
    assert says_format(model) == "F16, since its quantization somethingnew has no matching weight format"
    assert says_format(model, "q8_0") == "Q8_0"


@pytest.mark.parametrize(
    ("more", "named", "own"),
    [((), "MXFP4", True), (("--weights", "q8_0"), "Q8_0", False), (("--weights", "config"), "MXFP4", True)],
)
def test_the_command_line_says_where_the_format_is_from(
    capsys: pytest.CaptureFixture[str], more: tuple[str, ...], named: str, own: bool
) -> None:
    for question in (("estimate", "gpt-oss-20b", "rtx-4090"), ("kv", "gpt-oss-20b", "--device", "rtx-4090")):
        assert main([*question, *more, "--json"]) == 0
        told = json.loads(capsys.readouterr().out)
        assert (told["weights"], told["weights_as_config"]) == (named, own)
        assert main([*question, *more]) == 0
        assert ("MXFP4, as its config says" in capsys.readouterr().out) == own
