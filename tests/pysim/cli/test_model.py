"""`pysim model`: the same facts for a key, a name, a Hugging Face id and a file, with the fields that programs read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pysim.cli.main import main
from tests.pysim.sample_configs import CONFIGS
from tests.pysim.sample_layered import COUNTED

Captured = pytest.CaptureFixture[str]
FIELDS = {
    "total_parameters", "active_parameters", "kv_bytes_per_token", "kv_window_bytes_per_token", "window_tokens",
    "state_bytes_per_sequence", "weight_format", "left_out",
}  # fmt: skip


def facts(capsys: Captured, given: str) -> Any:
    assert main(["model", given, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def written(folder: Path, config: object, name: str = "config.json") -> str:
    path = folder / name
    path.write_text(json.dumps(config), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize("key", COUNTED)
def test_a_file_is_counted_as_by_hand(tmp_path: Path, capsys: Captured, key: str) -> None:
    config, total, active, per_token, in_window, index, state_mib = COUNTED[key]
    told = facts(capsys, written(tmp_path, config))
    assert told.keys() >= FIELDS
    assert told["total_parameters"] == pytest.approx(total, rel=2e-3)
    assert told["active_parameters"] == pytest.approx(active, rel=5e-3)
    assert told["kv_bytes_per_token"] == pytest.approx(per_token)
    assert told["kv_window_bytes_per_token"] == pytest.approx(in_window)
    assert told["index_bytes_per_token"] == pytest.approx(index, rel=1e-3)
    assert told["state_bytes_per_sequence"] / 2**20 == pytest.approx(state_mib, rel=1e-3)
    assert (told["window_tokens"] is None) == (in_window == 0)


@pytest.mark.parametrize("given", ["gpt-oss-20b", "GPT-OSS 20B", "openai/gpt-oss-20b"])
def test_all_names_of_a_model_say_the_same(capsys: Captured, given: str) -> None:
    told = facts(capsys, given)
    assert told["key"] == "gpt-oss-20b"
    # 12 of 24 layers keep all rows, 12 a window of 128: 2 × 8 heads × 64 numbers × 2 bytes each.
    assert told["kv_bytes_per_token"] == told["kv_window_bytes_per_token"] == 12 * 2 * 8 * 64 * 2
    assert (told["window_tokens"], told["state_bytes_per_sequence"]) == (128, 0)
    assert (told["weight_format"], told["weights_as_config"], told["left_out"]) == ("MXFP4", True, [])


def test_an_active_model_has_its_input_table(capsys: Captured) -> None:
    # Dense: all parameters are active, the input table with them, as publishers count.
    told = facts(capsys, "llama-3.1-8b")
    assert told["active_parameters"] == told["total_parameters"] == 8_030_261_248
    assert told["weight_format"] == "F16"


def test_what_is_left_out_is_said_in_both_forms(tmp_path: Path, capsys: Captured) -> None:
    config = {"model_type": "qwen3_vl", "text_config": CONFIGS["qwen3-4b"], "vision_config": {"hidden_size": 1152}}
    path = written(tmp_path, config)
    assert facts(capsys, path)["left_out"] == ["a vision encoder"]
    assert main(["model", path]) == 0
    assert "a vision encoder" in capsys.readouterr().out


def test_the_text_says_which_layers_keep_what(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, COUNTED["qwen3-next"][0])
    assert main(["model", path]) == 0
    text = capsys.readouterr().out
    assert "12 of 48 layers keep 2,048 B for each token" in text
    assert "73.69 MiB" in text


def test_a_format_that_cannot_be_read_is_said(tmp_path: Path, capsys: Captured) -> None:
    path = written(tmp_path, CONFIGS["qwen3-4b"] | {"quantization_config": {"quant_method": "new"}})
    told = facts(capsys, path)
    assert (told["weight_format"], told["weights_as_config"]) == ("F16", False)
    assert told["weights_note"] == "its quantization new has no matching weight format"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("", "which model?"),
        ("gtp2", 'did you mean "gpt2"'),
        ("/", "/: Is a directory"),
        ("/nowhere/config.json", "No such file"),
        ("x" * 5_000, "5,000 characters"),
    ],
)
def test_what_is_no_model_is_told_so(capsys: Captured, given: str, message: str) -> None:
    assert main(["model", given]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert err.count("\n") == 1
