"""Catalogue files that break a rule: one line that names the file, the field and what is allowed.

A demo's folder that breaks its contract, or imports another demo, is refused in tests/demos/kit/host/test_registry.py.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.catalog import files
from pysim.engines.catalog_entry import read_engine
from pysim.errors import BadCatalogue, PysimError
from pysim.load import load_device, load_model
from tests.recipes.additions import DEVICE, ENGINE, MODEL

LOADED = {"models": load_model, "devices": load_device, "engines": read_engine}
CACHES = (files.catalogue_keys, files.names_in, files.read_head)


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
    "device with an unknown field": (
        broken(DEVICE, "fp16 = ", 'fp61 = "1 TFLOPS"\nfp16 = '),
        ("devices/", "[peak]", 'unknown field "fp61"', "fp16"),
    ),
    "device without a source": (broken(DEVICE, "source = ", "note = "), ("devices/", "[peak]", "source")),
    "device with a unit of the wrong kind": (
        broken(DEVICE, "672 GB/s", "672 GB"),
        ("devices/", "[memory]", "672 GB", "B/s"),
    ),
    "device of an unknown kind": (
        broken(DEVICE, 'kind = "gpu"', 'kind = "graphics"'),
        ("devices/", "kind must be one of gpu, apu, soc, tpu, cpu", "graphics"),
    ),
    "engine with an unknown field": (
        broken(ENGINE, "what = ", 'waht = ""\nwhat = '),
        ("engines/", "[about]", 'unknown field "waht"', "what"),
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
        (DEVICE, "NVIDIA GeForce RTX 4070 Ti SUPER", "NVIDIA GeForce RTX 4090"),
        (ENGINE, "Aphrodite", "vLLM"),
    ],
    ids=["model", "key", "device", "engine"],
)
def test_a_name_that_another_entry_has_is_refused_with_both_files(
    catalogue: Path, entry: tuple[str, str], old: str, taken: str
) -> None:
    folder, key, text = broken(entry, old, taken)
    (catalogue / folder / f"{key}.toml").write_text(text, encoding="utf-8")
    with pytest.raises(BadCatalogue) as refused:
        files.names_in(folder)
    message = str(refused.value)
    assert "\n" not in message
    assert all(part in message for part in (f"{folder}/{key}.toml", f"{folder}/", f'"{taken}"', "a name has one entry"))
