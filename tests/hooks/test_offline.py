"""Do a lesson page and the download stay within what was promised?"""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from demos.kit.host.registry import demo_ids
from hooks.offline import MAX_ZIP_BYTES, TooLargeError, write_zip
from hooks.paths import ROOT
from tests.hooks.reading import css_addresses, page_parts

PAGES = ["index.html", "faq.html", "demos.html", "glossary.html", "references.html", "notes/prefill-and-decode.html"]
EMBEDS = [f"embed/{demo_id}.html" for demo_id in demo_ids()]
LESSONS = [f"lessons/{path.stem}.html" for path in (ROOT / "docs" / "lessons").glob("*.md")]
PAGE_BUDGET_BYTES = 220 * 1024
RECORDING_BUDGET_BYTES = 60 * 1024
BASE_FONTS = ("KaTeX_Main-Regular", "KaTeX_Math-Italic", "KaTeX_Size1", "KaTeX_Size2", "KaTeX_Size3", "KaTeX_Size4")


def sent_bytes(path: Path) -> int:
    """What a host that compresses sends for a file; fonts are compressed already."""
    content = path.read_bytes()
    return len(content) if path.suffix == ".woff" else len(gzip.compress(content, 9))


def files_of_page(site: Path, page: Path) -> set[Path]:
    """All that a reader's browser fetches before a demo is touched."""
    files = {page, site / "search" / "search_index.json", *(site / "assets/javascripts/workers").glob("search*.js")}
    for address in page_parts(page).fetched:
        if address.startswith("data:"):
            continue
        path = (page.parent / address).resolve()
        files.add(path)
        if path.suffix == ".css":
            named = [
                (path.parent / each).resolve()
                for each in css_addresses(path.read_text())
                if not each.startswith("data:")
            ]
            files |= {each for each in named if each.name.startswith(BASE_FONTS)}
    return files


@pytest.mark.parametrize("address", [*PAGES, *LESSONS, *EMBEDS])
def test_a_page_before_interest_in_a_demo_is_light_and_brings_no_python(site: Path, address: str) -> None:
    files = files_of_page(site, site / address)
    assert not [path for path in files if "python" in path.relative_to(site).parts]
    assert sum(sent_bytes(path) for path in files) <= PAGE_BUDGET_BYTES


def test_every_recording_is_small(site: Path) -> None:
    recordings = list((site / "assets" / "demos").glob("*.js"))
    assert recordings
    for path in recordings:
        assert sent_bytes(path) <= RECORDING_BUDGET_BYTES, path


def test_the_download_is_at_most_twenty_megabytes(download: Path) -> None:
    assert download.stat().st_size <= MAX_ZIP_BYTES == 20_000_000


def test_the_download_is_one_folder_with_the_whole_site_and_only_packs_for_folders(download: Path, site: Path) -> None:
    with zipfile.ZipFile(download) as archive:
        names = archive.namelist()
        assert archive.testzip() is None
    assert {name.split("/")[0] for name in names} == {"two-speeds"}
    inside = {name.removeprefix("two-speeds/") for name in names}
    missing = {page.relative_to(site).as_posix() for page in site.rglob("*.html")} - inside
    assert missing == {"404.html"}
    assert {"search/search_index.js", "assets/vendor/iframe-worker.js"} <= inside
    python = [name for name in inside if name.startswith("assets/python/")]
    assert python
    assert {Path(name).suffix for name in python} == {".js"}


def test_a_download_that_grows_too_large_is_refused_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_bytes(bytes(range(256)) * 20)
    monkeypatch.setattr("hooks.offline.MAX_ZIP_BYTES", 100)
    with pytest.raises(TooLargeError, match=r"site.zip would have 0\.0 MB, more than the 0 MB promised"):
        write_zip(tmp_path / "site", tmp_path / "dist" / "site.zip")
    assert list((tmp_path / "dist").iterdir()) == []


def test_equal_sites_give_equal_downloads(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").write_text("page")
    write_zip(tmp_path / "site", tmp_path / "one.zip")
    (tmp_path / "site" / "index.html").touch()
    write_zip(tmp_path / "site", tmp_path / "two.zip")
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
