"""How much does a reader fetch: a page before anything is touched, the download?"""

from __future__ import annotations

import gzip
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.bench.row import Row
from tests.tools.build import built_site, offline_zip
from tests.tools.find_browser import chromium
from tests.tools.static_host import static_host
from tests.tools.watched import CHROMIUM_FLAGS

LESSON = "lessons/prefill-and-decode.html"
COMPRESSED = {".woff2", ".png", ".gz"}


def sent_bytes(path: Path) -> int:
    """What a host that compresses sends."""
    content = path.read_bytes()
    return len(content) if path.suffix in COMPRESSED else len(gzip.compress(content, 9))


def fetched_files(address: str) -> set[Path]:
    """What a browser asks for when it opens a page, before anything is touched, and the search index."""
    site = built_site()
    path = chromium()
    assert path is not None, "no Chromium here: `make test` finds or installs one"
    with static_host(site) as base, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS))
        page = browser.new_page()
        asked: set[str] = set()
        page.on("request", lambda request: asked.add(request.url))
        page.goto(f"{base}/{address}")
        page.wait_for_load_state("networkidle")
        browser.close()
        files = {
            site / url.removeprefix(f"{base}/").split("?")[0].split("#")[0] for url in asked if url.startswith(base)
        }
    return files | {site / "search" / "search_index.json"}


def rows() -> list[Row]:
    files = fetched_files(LESSON)
    return [
        Row(
            what="a lesson page before interest, gzip, search index included",
            value=sum(map(sent_bytes, files)),
            unit="B",
            bound=220 * 1024,
            note=f"{LESSON}, {len(files)} files",
        ),
        Row(
            what="files of Python among them",
            value=len([path for path in files if "python" in path.parts]),
            unit="",
            bound=0,
        ),
        Row(what="the download", value=offline_zip().stat().st_size, unit="B", bound=20e6),
    ]
