"""Do the project's files keep to what it promises about itself?"""

from __future__ import annotations

import json
import re
import tomllib

import pytest

from hooks.paths import ROOT
from tests.tools.papers import own_files, text_of

MOST_LINES = 300
SOURCE_SUFFIXES = {".css", ".js", ".mjs", ".py"}
OWN = sorted(own_files())
SOURCES = [str(path.relative_to(ROOT)) for path in OWN if path.suffix in SOURCE_SUFFIXES]
# Hosts of package registries, and folders of one person's machine. This file has to name them.
REFUSED = re.compile(
    r"pypi\.org|pythonhosted\.org|npmjs\.(?:org|com)|deb\.debian\.org|(?<![\w./~<-])/(?:work|root|home|tmp|Users)/"
)
MOST_BYTES = 512 * 1024
LOCKS = ("site", "test", "node")
PINNED = re.compile(r"^([a-z0-9.\[\]_-]+)==(\S+?)(?: ;.*)? \\$", re.MULTILINE)


@pytest.mark.parametrize("path", SOURCES)
def test_a_source_file_reads_in_one_sitting(path: str) -> None:
    count = len((ROOT / path).read_text().splitlines())
    assert count <= MOST_LINES


def test_no_file_names_a_registry_host_or_a_place_on_one_machine() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {match[0]}"
        for path in OWN
        if path.name != "test_sources.py" and (text := text_of(path)) is not None
        for number, line in enumerate(text.splitlines(), 1)
        for match in REFUSED.finditer(line)
    ]
    assert not found


def test_no_file_is_larger_than_a_reviewer_can_be_asked_to_look_through() -> None:
    assert [path.name for path in OWN if path.stat().st_size > MOST_BYTES] == []


@pytest.mark.parametrize("name", LOCKS)
def test_every_locked_package_has_a_hash_and_no_address(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=[a-z])", text.strip())
    assert entries
    assert all("==" in entry and "--hash=sha256:" in entry for entry in entries)
    assert "://" not in text


@pytest.mark.parametrize("name", LOCKS)
def test_a_lock_holds_what_is_asked_for(name: str) -> None:
    asked = (ROOT / "requirements" / f"{name}.in").read_text()
    names = {found[0].lower() for found in re.findall(r"^([A-Za-z][\w.-]*)(\[.*\])?", asked, re.MULTILINE)}
    assert names <= {name for name, _ in PINNED.findall((ROOT / "requirements" / f"{name}.txt").read_text())}


def test_the_test_lock_holds_the_site_lock_at_the_same_versions() -> None:
    site, test = (set(PINNED.findall((ROOT / "requirements" / f"{name}.txt").read_text())) for name in ("site", "test"))
    assert site <= test


def test_the_node_lock_has_hashes_and_no_addresses() -> None:
    packages = json.loads((ROOT / "package-lock.json").read_text())["packages"]
    fetched = {name: entry for name, entry in packages.items() if name}
    assert fetched
    assert all("integrity" in entry and "resolved" not in entry for entry in fetched.values())


def test_node_packages_are_pinned_to_one_version() -> None:
    manifest = json.loads((ROOT / "package.json").read_text())
    assert "dependencies" not in manifest
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in manifest["devDependencies"].values())


def test_the_version_stands_in_one_place() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    holding = [
        str(path.relative_to(ROOT))
        for path in OWN
        if path.suffix in {".py", ".toml", ".json", ".yml", ".js", ".cfg"}
        and path.name != "package-lock.json"
        and re.search(rf"version\W+{re.escape(version)}\b", path.read_text())
    ]
    assert holding == ["pyproject.toml"]
