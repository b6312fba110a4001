"""The gallery, the page of all demos: the question, picture and links of each, taken from the demo."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from demos.kit.host.registry import demo_ids, source_file
from hooks.markdown.links import Standing
from hooks.pages.demo_figures import DemoFigures
from hooks.pages.sources import source_address

PAGE = "demos.md"
TITLE = "All demos"
MARK = "<!-- gallery of all demos -->"


def embed_address(demo_id: str) -> str:
    """Return where in the site a demo stands alone."""
    return f"embed/{demo_id}.html"


def standing(demo_id: str) -> Standing:
    """Return where a demo stands that no other page shows."""
    return Standing(page=PAGE, title=TITLE, figure_id=demo_id)


def in_order(placed: Mapping[str, Standing]) -> list[str]:
    """Return the ids of all demos, as a reader of the pages meets them; then those that stand nowhere."""
    ids = demo_ids()
    return [demo_id for demo_id in placed if demo_id in ids] + [demo_id for demo_id in ids if demo_id not in placed]


def gallery(figures: DemoFigures, placed: Mapping[str, Standing]) -> str:
    """Return the entries of all demos, as Markdown."""
    return "\n".join(line for demo_id in in_order(placed) for line in _entry(figures, demo_id, placed.get(demo_id)))


def _entry(figures: DemoFigures, demo_id: str, home: Standing | None) -> Iterator[str]:
    """Yield the lines of one entry. The heading is Markdown, which the menu and the search go by."""
    about = figures.about(demo_id)
    yield f"## {_plain(about.title)} {{ #{demo_id} }}\n"
    yield '<div class="gallery-entry">'
    if about.picture:
        shown = f'<div class="demo" data-demo="{demo_id}"><div class="demo-frame">{about.picture}</div></div>'
        # No div: the search ends what it leaves out at the first end tag of that name, and frames are full of those.
        yield f'<section class="gallery-picture" aria-hidden="true" inert data-search-exclude>{shown}</section>'
    yield '<div class="gallery-text">'
    if about.question != about.title:
        yield f"<p>{escape(about.question)}</p>"
    yield f'<p class="gallery-links">{" ".join(_links(demo_id, home, about.title))}</p>'
    if about.asked:
        yield f'<p class="also-asked">Also found as: {escape(", ".join(about.asked))}</p>'
    yield "</div></div>\n"


def _links(demo_id: str, home: Standing | None, title: str) -> Sequence[str]:
    ways = [(embed_address(demo_id), "Alone, to embed"), (source_address(source_file(demo_id)), "Its Python")]
    if home is not None:
        ways.insert(0, (f"{home.page.removesuffix('.md')}.html#{home.figure_id}", f"In {home.title}"))
    here = posixpath.dirname(PAGE) or "."
    return [_link(posixpath.relpath(address, here), text, title) for address, text in ways]


def _link(href: str, text: str, title: str) -> str:
    return f'<a href="{escape(href)}" aria-label="{escape(f"{text}: {title}")}">{escape(text)}</a>'


def _plain(text: str) -> str:
    """Return text for a Markdown heading: no sign of it is markup."""
    return "".join(f"\\{sign}" if sign in "\\`*_{}[]<>#+-.!|&" else sign for sign in text)
