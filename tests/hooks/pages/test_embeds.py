"""Is there a page to embed for every demo, and one that shows all of them, from the demos' files alone?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from demos.kit.host.registry import demo_ids, load, source_file
from hooks.markdown.links import Standing
from hooks.pages.demo_figures import DemoFigures
from hooks.pages.embeds import embed_pages
from hooks.pages.gallery import in_order, standing
from tests.hooks.reading import page_parts


def test_every_demo_has_a_page_of_its_own(site: Path) -> None:
    assert sorted(path.stem for path in (site / "embed").glob("*.html")) == demo_ids()


@pytest.mark.parametrize("demo_id", demo_ids())
def test_a_page_to_embed_names_its_demo_and_where_it_comes_from(site: Path, demo_id: str) -> None:
    parts = page_parts(site / "embed" / f"{demo_id}.html")
    tags = [tag for tag, _ in parts.elements]
    assert ("html", {"lang": "en"}) in parts.elements
    assert [tags.count(tag) for tag in ("main", "h1", "figure")] == [1, 1, 1]
    assert load(demo_id).module.TITLE in parts.title
    back = next(attributes for _, attributes in parts.elements if attributes.get("class") == "demo-home")
    assert back["href"] == back["data-home"]


def test_pages_to_embed_stay_out_of_search_and_sitemap(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text(encoding="utf-8"))
    assert not [entry for entry in index["docs"] if entry["location"].startswith("embed/")]
    assert "embed/" not in (site / "sitemap.xml").read_text(encoding="utf-8")
    for page in (site / "embed").glob("*.html"):
        assert ("meta", {"name": "robots", "content": "noindex"}) in page_parts(page).elements


def test_the_gallery_shows_every_demo_with_its_ways(site: Path) -> None:
    parts = page_parts(site / "demos.html")
    links = {attributes["href"] for tag, attributes in parts.elements if tag == "a" and "href" in attributes}
    for demo_id in demo_ids():
        assert demo_id in parts.ids
        assert f"embed/{demo_id}.html" in links
        assert f"source/{source_file(demo_id)}.html" in links
    assert 'href="demos.html"' in (site / "index.html").read_text(encoding="utf-8")


def test_the_gallery_says_what_a_demo_is_asked_for(site: Path) -> None:
    text = (site / "demos.html").read_text(encoding="utf-8")
    for demo_id in demo_ids():
        for words in load(demo_id).asked:
            assert words in text


@pytest.mark.parametrize("demo_id", demo_ids())
def test_what_a_demo_is_asked_for_is_a_few_short_phrases(demo_id: str) -> None:
    asked = load(demo_id).asked
    assert isinstance(asked, tuple)
    # The search index, which every page carries, has all of it.
    assert sum(map(len, asked)) <= 160
    assert all(words == words.strip() and words for words in asked)


def test_demos_come_as_readers_meet_them_and_those_that_stand_nowhere_last() -> None:
    first, *_, last = demo_ids()
    placed = {last: Standing(page="lessons/a.md", figure_id=last), first: Standing(page="b.md", figure_id=first)}
    order = in_order({**placed, "gone": Standing(page="c.md", figure_id="gone")})
    assert order[:2] == [last, first]
    assert sorted(order) == demo_ids()


def test_a_page_to_embed_leads_to_the_demo_where_it_stands_with_what_that_page_sets() -> None:
    placed = {"kv-memory": Standing(page="tools/x.md", figure_id="mine", title="X & Y", sets=("model",))}
    pages = dict(embed_pages(DemoFigures({}), placed, "https://example.org/two/"))
    html = pages["embed/kv-memory.html"]
    assert 'href="../tools/x.html#mine" data-home="../tools/x.html#mine" data-sets="[&quot;model&quot;]"' in html
    assert "X &amp; Y · Two Speeds</a>" in html
    assert '<link rel="canonical" href="https://example.org/two/embed/kv-memory.html">' in html
    assert standing("one-pass").page == "demos.md"
    assert 'href="../demos.html#one-pass"' in pages["embed/one-pass.html"]
