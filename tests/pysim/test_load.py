"""Are models and devices found by every name that people use, and others refused with the nearest?"""

import json
import os
from pathlib import Path

import pytest

from pysim import (
    BadConfig,
    BadValue,
    Deployment,
    UnknownName,
    device_keys,
    load_device,
    load_model,
    model_keys,
)
from pysim.catalog.files import Folder, names_in
from pysim.catalog.names import keys_by_name, plain_name
from tests.pysim.sample_configs import CONFIGS


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("llama-3.1-8b", "llama-3.1-8b"),
        ("LLAMA-3.1-8B", "llama-3.1-8b"),
        ("Llama 3.1 8B", "llama-3.1-8b"),
        ("llama3.1:8b", "llama-3.1-8b"),
        ("Qwen 3 8B", "qwen3-8b"),
        ("meta-llama/Llama-3.1-70B-Instruct", "llama-3.1-70b"),
        ("meta-llama/Meta-Llama-3.1-8B", "llama-3.1-8b"),
        ("google/gemma-3-27b-it", "gemma-3-27b"),
        ("mistralai/Mistral-7B-v0.1", "mistral-7b-v0.1"),
        ("deepseek-ai/DeepSeek-V3", "deepseek-v3"),
        ("openai/gpt-oss-20b", "gpt-oss-20b"),
    ],
)
def test_a_model_has_many_names(name: str, key: str) -> None:
    assert load_model(name) is load_model(key)


@pytest.mark.parametrize("folder", ["models", "devices"])
def test_every_key_and_every_name_of_one_entry_finds_it(folder: Folder) -> None:
    load = load_model if folder == "models" else load_device
    for key, names in names_in(folder).items():
        assert load(key).key == load(key.upper()).key == key
        for name in names:
            if len(keys_by_name(folder)[plain_name(name)]) == 1:
                assert load(name).key == key


def test_a_device_is_known_by_its_long_and_its_short_name() -> None:
    assert load_device("NVIDIA GeForce RTX 4090") is load_device("RTX 4090") is load_device("rtx-4090")
    assert load_device("RTX4090") is load_device("RTX 40 90") is load_device("rtx-4090")


def test_a_name_of_several_devices_is_refused_with_all_of_them() -> None:
    with pytest.raises(BadValue, match='"H100" is the name of more than one device: "h100-pcie" or "h100-sxm"'):
        load_device("H100")


@pytest.mark.parametrize("name", ["lama-3.1-8b", "meta-llama/Lama-3.1-8B", "", 7, None, "x" * 10_000])
def test_an_unknown_model_is_refused_by_name(name: object) -> None:
    with pytest.raises(UnknownName, match="unknown model"):
        load_model(name)  # type: ignore[arg-type]


def test_the_nearest_names_are_offered() -> None:
    with pytest.raises(UnknownName, match=r'did you mean "llama-3\.1-8b"'):
        load_model("lama-3.1-8b")
    with pytest.raises(UnknownName, match="rtx-4090"):
        load_device("rtx-4900")
    on = load_model("llama-3.1-8b"), load_device("rtx-4090")
    with pytest.raises(UnknownName, match=r'unknown engine "lama.cpp"; did you mean "llama.cpp"'):
        Deployment(*on, engine="lama.cpp")
    with pytest.raises(UnknownName, match=r'unknown backend "vulcan"; did you mean "vulkan"'):
        Deployment(*on, backend="vulcan")
    with pytest.raises(UnknownName, match=r'unknown speed "typicl"; did you mean "typical"'):
        Deployment(*on).estimate(prompt_tokens=1, output_tokens=1, speed="typicl")


def test_a_config_is_a_model_as_a_file_and_as_a_mapping(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIGS["llama-2-7b"]), encoding="utf-8")
    by_text, by_path, by_mapping = load_model(str(path)), load_model(path), load_model(CONFIGS["llama-2-7b"])
    assert by_text == by_path
    assert by_text.key == tmp_path.name
    assert by_mapping.num_hidden_layers == by_text.num_hidden_layers == 32
    with pytest.raises(BadConfig, match=r"lacking\.json: No such file"):
        load_model(tmp_path / "lacking.json")


def test_a_deployment_is_hashable_and_equal_by_its_facts() -> None:
    made = {Deployment(load_model(key), load_device("rtx-4090")) for key in (*model_keys(), *model_keys())}
    assert len(made) == len(model_keys())
    assert len({Deployment(load_model("llama-3.1-8b"), load_device(key)) for key in device_keys()}) == len(
        device_keys()
    )


def test_a_config_file_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "marked.json"
    path.write_text("\ufeff" + json.dumps(CONFIGS["llama-2-7b"]), encoding="utf-8")
    assert load_model(path).num_hidden_layers == 32


def test_what_has_no_end_is_no_config(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(BadConfig, match="a device or a pipe"):
            load_model(path)
    large = tmp_path / "large.json"
    large.write_bytes(b'{"a": "' + b"x" * 20_000_000 + b'"}')
    with pytest.raises(BadConfig, match="larger than 10,000,000 bytes"):
        load_model(large)
