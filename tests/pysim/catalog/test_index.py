"""Does the index that the browser's pack brings say what the files say?"""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pysim.catalog import files, index, labels
from pysim.catalog.files import CATALOG, Folder, catalogue_keys, names_in, read_head

FOLDERS: tuple[Folder, ...] = ("models", "devices")
CACHES = (labels.labels, catalogue_keys, names_in, read_head, index._read)


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A catalogue with its index beside it, as in the browser."""
    for folder in FOLDERS:
        shutil.copytree(CATALOG / folder, tmp_path / folder)
    (tmp_path / index.NAME).write_text(index.index_text(tmp_path), encoding="utf-8")
    monkeypatch.setattr(files, "CATALOG", tmp_path)
    for cache in CACHES:
        cache.cache_clear()
    yield tmp_path
    for cache in CACHES:
        cache.cache_clear()


def test_the_project_itself_has_no_index() -> None:
    assert not (CATALOG / index.NAME).exists()
    assert index.indexed(CATALOG, "devices") is None


def test_labels_and_names_are_those_of_the_files(packed: Path) -> None:
    with_index = {folder: (labels.labels(folder), catalogue_keys(folder), names_in(folder)) for folder in FOLDERS}
    heard = {key: read_head("devices", key).get("heard") for key in catalogue_keys("devices")}
    (packed / index.NAME).unlink()
    for cache in CACHES:
        cache.cache_clear()
    for folder in FOLDERS:
        assert with_index[folder] == (labels.labels(folder), catalogue_keys(folder), names_in(folder))
    assert heard == {key: read_head("devices", key).get("heard") for key in catalogue_keys("devices")}


def test_no_file_is_opened_for_a_list_where_there_is_an_index(packed: Path) -> None:
    for folder in FOLDERS:
        for file in (packed / folder).iterdir():
            file.write_text("not TOML", encoding="utf-8")
        assert len(labels.labels(folder)) == len(names_in(folder)) == len(list((packed / folder).iterdir()))


def test_the_index_is_small(packed: Path) -> None:
    text = (packed / index.NAME).read_text(encoding="utf-8")
    assert set(json.loads(text)) == set(FOLDERS)
    assert len(text) < 120_000
