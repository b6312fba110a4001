"""Does the catalog page list every entry with all its facts, their sources and dates?"""

from __future__ import annotations

import re
from datetime import date

import pytest

from hooks.pages.catalogue import SECTIONS, filled, render_piece
from hooks.pages.catalogue_facts import devices, engines, formats, models, rules
from hooks.pages.catalogue_text import linked, value_text
from pysim import device_keys, model_keys
from pysim.catalog.files import Folder, catalogue_keys, read_table
from pysim.formats.table import KV_FORMATS, WEIGHT_FORMATS

FOLDERS: tuple[tuple[str, Folder], ...] = (
    ("models", "models"),
    ("devices", "devices"),
    ("engines", "engines"),
    ("rules", "memory_rules"),
)


def test_every_entry_of_the_catalogue_is_on_the_page() -> None:
    assert {entry.key for entry in models()} == set(model_keys())
    assert {entry.key for entry in devices()} == set(device_keys())
    assert {entry.key for entry in engines()} == set(catalogue_keys("engines"))
    assert {entry.key for entry in rules()} == set(catalogue_keys("memory_rules"))
    assert len(formats()) == len(WEIGHT_FORMATS) + len(KV_FORMATS)


@pytest.mark.parametrize(("section", "folder"), FOLDERS)
def test_every_table_of_a_file_is_a_fact_with_its_source_and_date(section: str, folder: Folder) -> None:
    for entry in SECTIONS[section][1]():
        tables = [part for part in read_table(folder, entry.key).values() if isinstance(part, dict)]
        shown = {(fact.source, fact.checked) for fact in entry.facts}
        assert len(entry.facts) >= len(tables)
        assert all((part["source"], part["checked"]) in shown for part in tables if "source" in part), entry.key


def test_every_fact_has_a_source() -> None:
    for _, entries in SECTIONS.values():
        for entry in entries():
            assert entry.facts, entry.key
            assert entry.figures, entry.key
            assert all(fact.source and fact.text for fact in entry.facts), entry.key


def test_a_device_is_shown_with_what_its_file_says() -> None:
    page = render_piece("devices")
    entry = re.search(r'<details[^>]* id="device-rtx-4090".*?</details>', page, re.DOTALL)
    assert entry is not None
    for said in ("1.008 TB/s", "24 GiB", "165.2 TFLOPS", "23.52 GiB", "PCIe</strong>: one way 31.5 GB/s", "2026-11-30"):
        assert said in entry[0]
    assert 'href="https://github.com/ggml-org/llama.cpp/issues/23679"' in entry[0]
    assert "24 / 48 / 64 GiB" in page


def test_the_page_says_when_the_oldest_and_the_latest_fact_was_checked() -> None:
    days = [day for _, folder in FOLDERS for day in _days(folder)]
    shown = re.findall(r'datetime="([0-9-]+)"', render_piece("ages"))
    assert shown == [min(days).isoformat(), max(days).isoformat()]


def _days(folder: Folder) -> list[date]:
    tables = [read_table(folder, key).values() for key in catalogue_keys(folder)]
    rows = [row for table in tables for part in table for row in (part if isinstance(part, list) else [part])]
    return [row["checked"] for row in rows if isinstance(row, dict) and "checked" in row]


def test_addresses_in_a_source_are_links_and_what_is_around_them_is_text() -> None:
    parts = list(linked("see https://example.org/a_(b) and https://www.example.org/c, or a log"))
    texts = [part for part in parts if isinstance(part, str)]
    assert texts == ["see ", " and ", ", or a log"]
    assert "https://example.org/a_(b)" in str(parts[1])
    assert "https://www.example.org/c" in str(parts[3])
    assert "https://example.org/x)" not in str(list(linked("(https://example.org/x)")))


def test_values_read_as_text() -> None:
    assert value_text(131072) == "131,072"
    assert value_text(True) == "yes"
    assert value_text(["a"] * 40) == "40 values, a to a"
    assert value_text([{"up_to": "36 GiB", "share": 0.5}, {"share": 0.75}]) == "up to 36 GiB, share 0.5; share 0.75"


def test_an_unknown_piece_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"unknown piece .*allowed: search, ages, models, devices"):
        filled("<!-- catalogue:device -->")
    assert filled("no mark") == "no mark"
