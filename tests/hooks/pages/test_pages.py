"""Is every page of the built site whole: links, ids, title, description, and nothing asked of anybody else?"""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from hooks.paths import ROOT
from tests.hooks.reading import css_addresses, page_parts
from tests.tools.links import broken_links

ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
# How a script asks for something; a plain address in a text or a licence asks for nothing.
ASKING = re.compile(
    r"""(?:fetch|import|importScripts|open|Worker|URL|src\s*=|href\s*=)\s*\(?\s*["'`]((?:https?:)?//[^"'`]+)"""
)


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def test_every_link_leads_somewhere(site: Path) -> None:
    assert list(broken_links(site)) == []


def test_every_id_stands_once_on_its_page(site: Path) -> None:
    for page in pages(site):
        twice = [name for name, times in Counter(page_parts(page).ids).items() if times > 1]
        assert not twice, page


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    outside = [
        (page, address) for page in pages(site) for address in page_parts(page).fetched if ELSEWHERE.match(address)
    ]
    assert outside == []


def test_no_style_sheet_fetches_anything_from_elsewhere(site: Path) -> None:
    outside = [
        (sheet, address)
        for sheet in site.rglob("*.css")
        for address in css_addresses(sheet.read_text(encoding="utf-8"))
        if ELSEWHERE.match(address)
    ]
    assert outside == []


def test_every_file_that_a_style_sheet_names_is_there(site: Path) -> None:
    for sheet in site.rglob("*.css"):
        for address in css_addresses(sheet.read_text(encoding="utf-8")):
            if not address.startswith(("data:", "#")):
                assert (sheet.parent / address).is_file(), (sheet, address)


def test_no_script_names_an_address_elsewhere_to_load_from(site: Path) -> None:
    scripts = [path for path in site.rglob("*.js") if "python" not in path.parts]
    assert scripts
    found = {path.name: ASKING.findall(path.read_text(encoding="utf-8")) for path in scripts}
    # The theme can show figures of a code host beside a repository link, which this site does not have.
    allowed = re.compile(r"https://(?:api\.github\.com|gitlab\.com|unpkg\.com/mermaid|formulae\.brew)")
    outside = {name: [each for each in asked if not allowed.match(each)] for name, asked in found.items()}
    assert {name: asked for name, asked in outside.items() if asked} == {}


def test_pages_carry_no_social_card_and_no_widget_of_a_code_host(site: Path) -> None:
    for page in pages(site):
        text = page.read_text(encoding="utf-8")
        assert "og:image" not in text
        assert "twitter:" not in text
        assert 'data-md-component="source"' not in text


def test_every_page_of_text_has_a_title_and_a_description_of_its_own(site: Path) -> None:
    written = [page for page in pages(site) if "source" not in page.relative_to(site).parts and page.name != "404.html"]
    found = [page_parts(page) for page in written]
    for parts in found:
        assert parts.title.strip()
        assert 40 <= len(parts.described()) <= 170
    assert len({parts.title for parts in found}) == len(found)
    assert len({parts.described() for parts in found}) == len(found)


def test_only_pages_with_demos_load_the_runtime(site: Path) -> None:
    for page in pages(site):
        parts = page_parts(page)
        has_demo = any(tag == "figure" and "data-demo" in attributes for tag, attributes in parts.elements)
        loads = [address for address in parts.fetched if "assets/runtime/" in address and address.endswith(".js")]
        assert bool(loads) == has_demo, page


@pytest.mark.parametrize("address", ["index.html", "lessons/prefill-and-decode.html"])
def test_a_demo_names_its_recording_beside_the_page(site: Path, address: str) -> None:
    figures = [attributes for tag, attributes in page_parts(site / address).elements if "data-demo" in attributes]
    assert figures
    for attributes in figures:
        script = (site / address).parent / attributes["data-recording"]
        text = script.resolve().read_text(encoding="utf-8")
        assert text.startswith(f'TwoSpeeds.recordings.add("{script.stem}", {{')
        assert text.endswith(");\n")


def test_the_search_finds_the_text_and_knows_nothing_of_demo_frames(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    text = " ".join(entry["text"] for entry in index["docs"])
    assert "whole prompt" in text
    for only_in_the_demo in (
        "Copy link to this setting",
        "Answer tokens",
        "20,000 characters",
        "Luck",
        "\\sqrt",
        "Four ways to help",
    ):
        assert only_in_the_demo not in text


def test_the_search_finds_a_computed_number_and_a_term_but_not_their_explanations(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    lesson = " ".join(entry["text"] for entry in index["docs"] if entry["location"].startswith("lessons/"))
    # 128,000 tokens × 131,072 B of Llama 3.1 8B.
    assert "16.78\N{NO-BREAK SPACE}GB" in lesson
    assert "speculative decoding" in lesson
    for only_in_the_tip in ("Source:", "bytes of keys and values of one token", "by some cheap means"):
        assert only_in_the_tip not in lesson


def test_the_search_index_as_a_script_is_the_index(site: Path) -> None:
    index = (site / "search" / "search_index.json").read_text(encoding="utf-8")
    assert (site / "search" / "search_index.js").read_text(encoding="utf-8") == f"var __index = {index}"


def test_a_lesson_shows_number_and_kind_above_its_title(site: Path) -> None:
    text = (site / "lessons" / "prefill-and-decode.html").read_text(encoding="utf-8")
    assert text.index('<p class="eyebrow">01.03 · Concept</p>') < text.index("<h1")


def test_what_a_demo_links_as_its_python_is_a_page_with_the_whole_file(site: Path) -> None:
    lesson = site / "lessons" / "prefill-and-decode.html"
    link = next(attributes for _, attributes in page_parts(lesson).elements if attributes.get("class") == "demo-source")
    shown = (lesson.parent / link["href"]).resolve().read_text(encoding="utf-8")
    source = (ROOT / "demos" / "two_phases" / "__init__.py").read_text(encoding="utf-8")
    assert shown.count('<span class="line"') == source.count("\n")


def test_shipped_software_is_listed_with_version_licence_and_text(site: Path) -> None:
    text = (site / "third-party.html").read_text(encoding="utf-8")
    for name in ("mkdocs-material", "lunr", "katex", "iframe-worker", "morphdom", "simple-html", "Pyodide", "numpy"):
        assert re.search(rf"<td>(?:<a [^>]*>)?{name}(?:</a>)?</td>\s*<td>\d+\.\d+\.\d+</td>", text), name
    for licence in (site / "licences").iterdir():
        assert f'href="licences/{licence.name}"' in text
