"""Catalogue files that break a rule: one line that names the file, the field and what is allowed.

A demo's folder that breaks its contract, or imports another demo, is refused in tests/demos/kit/host/test_registry.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

from pysim import load
from pysim.catalog import files, names
from pysim.catalog.labels import labels
from pysim.engines.catalog_entry import read_engine
from pysim.errors import BadCatalogue, BadValue, PysimError
from pysim.load import load_device, load_model
from tests.recipes.additions import DEVICE, ENGINE, MODEL, NEW_FAMILY_DEVICE, READ

LOADED: Mapping[str, Callable[[str], object]] = {"models": load_model, "devices": load_device, "engines": read_engine}
# All that is kept of the catalogue that stands in for another one while a test runs.
CACHES = [kept for module in (files, names, load) for kept in vars(module).values() if hasattr(kept, "cache_clear")] + [
    labels
]


@pytest.fixture
def catalogue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A catalogue of its own, with the entries that the broken ones are compared with."""
    for folder, keys in {
        "models": ["llama-3.1-8b"],
        "devices": ["rtx-4090"],
        "engines": ["vllm"],
        "architectures": ["mistral", "llama"],
    }.items():
        (tmp_path / folder).mkdir()
        for key in keys:
            shutil.copy(files.CATALOG / folder / f"{key}.toml", tmp_path / folder)
    monkeypatch.setattr(files, "CATALOG", tmp_path)
    for cached in CACHES:
        cached.cache_clear()
    yield tmp_path
    for cached in CACHES:
        cached.cache_clear()


def broken(entry: tuple[str, str], old: str, new: str) -> tuple[str, str, str]:
    """Return folder, key and text of an entry with one thing changed; every test has a key of its own."""
    name, text = entry
    assert old in text
    folder, file = name.split("/")[-2:]
    return folder, file.removesuffix(".toml"), text.replace(old, new, 1)


BROKEN = {
    "model with an unknown field": (
        broken(MODEL, "vocab_size", "vocab_sise = 1\nvocab_size"),
        ("models/", 'unknown field "vocab_sise"', "[config]", "vocab_size"),
    ),
    "model without a source": (
        broken(MODEL, "source = ", "origin = "),
        ("models/", "[config]", "source"),
    ),
    "model without what its test asks for": (
        broken(MODEL, "kv_bytes_per_token_f16", "# "),
        ("models/", "[published]", "kv_bytes_per_token_f16 is missing"),
    ),
    "model whose count has the wrong kind": (
        broken(MODEL, "total_params = ", "total_params = 12.5 #"),
        ("models/", "[published]", "total_params must be a whole number"),
    ),
    "model whose size is a text": (
        broken(MODEL, "hidden_size = 5120", 'hidden_size = "5120"'),
        ("models/", ".toml [config]: hidden_size", "number"),
    ),
    "model of an unknown architecture": (
        broken(MODEL, 'model_type = "mistral"', 'model_type = "mistrel"'),
        ("models/", ".toml [config]: ", 'model_type "mistrel"', "did you mean mistral"),
    ),
    "model whose heads do not divide": (
        broken(MODEL, "num_key_value_heads = 8", "num_key_value_heads = 7"),
        ("models/", ".toml [config]: ", "num_key_value_heads"),
    ),
    "device with an unknown field": (
        broken(DEVICE, "fp16 = ", 'fp61 = "1 TFLOPS"\nfp16 = '),
        ("devices/", "[peak]", 'unknown field "fp61"', "fp16"),
    ),
    "device without a source": (broken(DEVICE, "source = ", "note = "), ("devices/", "[peak]", "source")),
    "device with a unit of the wrong kind": (
        broken(DEVICE, "672 GB/s", "672 GB"),
        ("devices/", "[memory]: bandwidth", "672 GB", "B/s"),
    ),
    "device with less than nothing": (
        broken(DEVICE, "672 GB/s", "-5 GB/s"),
        ("devices/", "[memory]: bandwidth must be more than 0", "-5 GB/s"),
    ),
    "device without a unit": (
        broken(DEVICE, "88.2 TFLOPS", "88.2"),
        ("devices/", "[peak]: fp16", "TFLOP/s", "TFLOPS"),
    ),
    "device with a peak for BF16": (
        broken(DEVICE, "fp16 = ", "bf16 = "),
        ("devices/", '[peak]: unknown field "bf16"', "belongs under fp16"),
    ),
    "device of a confidence that is none": (
        broken(DEVICE, 'confidence = "high"', 'confidence = "hgih"'),
        ("devices/", "confidence must be one of high, medium, low", 'did you mean "high"?'),
    ),
    "device of a misspelled family": (
        broken(DEVICE, "nvidia-geforce", "nvidia-gefroce"),
        ("devices/", 'family "nvidia-gefroce"', 'did you mean "nvidia-geforce"?', "heard = ["),
    ),
    "device of a new family that does not say so": (
        broken(NEW_FAMILY_DEVICE, "heard = ", "# "),
        ("devices/", 'family "acme-weaver"', "there are nvidia-geforce.", "heard = ["),
    ),
    "device of an unknown kind": (
        broken(DEVICE, 'kind = "gpu"', 'kind = "graphics"'),
        ("devices/", "kind must be one of gpu, apu, soc, tpu, cpu", "graphics"),
    ),
    "engine with an unknown field": (
        broken(ENGINE, "what = ", 'waht = ""\nwhat = '),
        ("engines/", "[about]", 'unknown field "waht"', "what"),
    ),
    "engine with a rank that is taken": (
        broken(ENGINE, "built_on", "rank = 3\nbuilt_on"),
        ("engines/", "rank 3 is taken by engines/vllm.toml", "1 is free"),
    ),
    "engine measured as one that nobody measured": (
        broken(ENGINE, "built_on", 'measured_as = "lama.cpp"\nbuilt_on'),
        ("engines/", 'measured_as "lama.cpp"', 'did you mean "llama.cpp"?'),
    ),
    "engine with an unknown format": (
        broken(ENGINE, "[about]", f'[registry]\ndefault_sizes = {{}}\nusual_formats = ["Q4_Z"]\n{READ}\n[about]'),
        ("engines/", "[registry]: usual_formats", "Q4_Z", "did you mean"),
    ),
    "engine with a size in words": (
        broken(ENGINE, "[about]", f'[registry]\ndefault_sizes = {{ "llama2" = "seven" }}\n{READ}\n[about]'),
        ("engines/", '[registry]: default_sizes of "llama2"', '"8b"', '"seven"'),
    ),
    "engine without a source": (broken(ENGINE, "source = ", "note = "), ("engines/", "[about]", "source")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_entry_is_told_in_one_line_with_file_field_and_what_is_allowed(catalogue: Path, name: str) -> None:
    (folder, key, text), wanted = BROKEN[name]
    key = f"{key}-{list(BROKEN).index(name)}"
    (catalogue / folder / f"{key}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(PysimError) as refused:
        LOADED[folder](key)
    message = str(refused.value)
    assert "\n" not in message
    assert f"{folder}/{key}.toml" in message
    assert [part for part in wanted if part not in message] == [], message


@pytest.mark.parametrize(
    ("entry", "old", "taken"),
    [
        (MODEL, "Mistral Recipe 12B", "Llama 3.1 8B"),
        (MODEL, "Mistral Recipe 12B", "llama-3.1-8b"),
        (DEVICE, "NVIDIA GeForce RTX Recipe", "NVIDIA GeForce RTX 4090"),
        (DEVICE, "NVIDIA GeForce RTX Recipe", "rtx-4090"),
        (ENGINE, "Aphrodite", "vLLM"),
        (ENGINE, "Aphrodite Engine", "vLLM"),
    ],
    ids=["model", "key", "device", "device key", "engine", "also"],
)
def test_a_name_that_another_entry_has_is_refused_with_both_files(
    catalogue: Path, entry: tuple[str, str], old: str, taken: str
) -> None:
    folder, key, text = broken(entry, old, taken)
    key = f"{key}-with-{taken.replace(' ', '-')}"
    (catalogue / folder / f"{key}.toml").write_text(text, encoding="utf-8")
    for look, asked in ((files.names_in, folder), (LOADED[folder], key)):
        with pytest.raises(BadCatalogue) as refused:
            look(asked)
        message = str(refused.value)
        assert "\n" not in message
        wanted = (f"{folder}/{key}.toml", f"belongs to {folder}/", f'"{taken}"', "a name belongs to one entry")
        assert [part for part in wanted if part not in message] == [], message


def test_two_entries_may_share_what_they_are_also_called(catalogue: Path) -> None:
    folder, key, text = broken(DEVICE, "family = ", 'also = ["Ada card"]\nfamily = ')
    for number in (1, 2):
        twin = text.replace("RTX Recipe", f"RTX Recipe {number}")
        (catalogue / folder / f"{key}-shared-{number}.toml").write_text(twin, encoding="utf-8")
    assert [load_device(f"{key}-shared-{number}").key[-1] for number in (1, 2)] == ["1", "2"]
    with pytest.raises(BadValue, match="more than one device"):
        load_device("Ada card")


def test_a_new_family_is_said_by_the_words_it_is_heard_by(catalogue: Path) -> None:
    folder, key, text = broken(NEW_FAMILY_DEVICE, "high", "medium")
    (catalogue / folder / f"{key}-heard.toml").write_text(text, encoding="utf-8")
    assert load_device(f"{key}-heard").family == "acme-weaver"
