"""Embeds: a page for each demo by itself, to be put into other pages, all from one template."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from html import escape
from urllib.parse import urljoin

from demos.kit.host.registry import demo_ids, source_file
from hooks.assets.vendor import DEMO_SCRIPT, DEMO_STYLE, MORPHDOM
from hooks.markdown.demo_block import DemoBlocks, DemoError
from hooks.markdown.links import Standing
from hooks.pages import gallery
from hooks.pages.demo_figures import DemoFigures, Place
from hooks.pages.gallery import embed_address

UP = "../"
PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>{title} · Two Speeds, a demo alone</title>
<meta name="description" content="{description}">
<meta name="robots" content="noindex">
{canonical}<link rel="icon" href="../assets/favicon.svg">
<link rel="stylesheet" href="../assets/runtime/language.css">
<link rel="stylesheet" href="../{style}">
<link rel="stylesheet" href="../assets/embed.css">
<script src="../assets/embed.js"></script>
<script defer src="../{morphdom}"></script>
<script defer src="../{script}"></script>
</head>
<body>
<main>
{figure}
<p class="embed-back">From <a class="demo-home" href="{href}" data-home="{href}"{sets}>{back} · Two Speeds</a></p>
</main>
</body>
</html>
"""


def embed_pages(figures: DemoFigures, placed: Mapping[str, Standing], site_url: str) -> Iterator[tuple[str, str]]:
    """Yield the address and HTML of a page for each demo, which leads back to where `placed` has it.

    `site_url` is where the site is hosted, or "" where nobody has said.
    """
    for demo_id in demo_ids():
        yield (
            embed_address(demo_id),
            _page(figures, demo_id, placed.get(demo_id) or gallery.standing(demo_id), site_url),
        )


def _page(figures: DemoFigures, demo_id: str, home: Standing, site_url: str) -> str:
    address = embed_address(demo_id)
    file = source_file(demo_id)
    figures.place = Place(file=file, page=address, lines_before=0, relative=lambda target: UP + target)
    about = figures.about(demo_id)
    try:
        figure = figures.draw(demo_id, demo_id, {}, 1, heads_page=True)
    except DemoError as error:
        messages = [figures.problem(message, 1) for message, _ in error.reasons]
        figure = DemoBlocks(figures).problem_box(*messages)
    hosted = escape(urljoin(site_url, address)) if site_url else ""
    return PAGE.format(
        title=escape(about.title),
        description=escape(f"{about.question} The demo by itself, for embedding in other pages."),
        canonical=f'<link rel="canonical" href="{hosted}">\n' if hosted else "",
        style=DEMO_STYLE,
        morphdom=MORPHDOM,
        script=DEMO_SCRIPT,
        figure=figure,
        href=escape(f"{UP}{home.page.removesuffix('.md')}.html#{home.figure_id}"),
        sets=f' data-sets="{escape(json.dumps(home.sets))}"' if home.sets else "",
        back=escape(home.title),
    )
