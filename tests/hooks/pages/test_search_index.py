"""Does a lighter index keep its beginnings and every word?"""

from __future__ import annotations

import json
from pathlib import Path

from hooks.pages.search_index import lighten, lighter

LONG = "<p>" + "word " * 90 + "</p>"


def test_a_short_text_stays_as_it_is() -> None:
    assert lighter("<p>Prefill reads the prompt.</p>") == "<p>Prefill reads the prompt.</p>"


def test_of_the_rest_each_new_word_stays_once() -> None:
    text = LONG + "<ul><li>Word again, and <code>num_ctx</code> twice: num_ctx.</li></ul><p>Roofline &amp; ridge</p>"
    assert lighter(text) == f"{LONG} again and num_ctx twice Roofline ridge"


def test_tags_are_never_left_open() -> None:
    entries = "".join(f"<li>entry {n} of many in a list that goes on</li>" for n in range(40))
    light = lighter(f"<ul>{entries}</ul><p>after</p>")
    assert light.count("<ul>") == light.count("</ul>")
    assert light.endswith("after")


def test_an_index_keeps_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "search_index.json"
    entry = {"location": "a", "title": "A", "text": LONG * 3}
    path.write_text(json.dumps({"config": {"lang": ["en"]}, "docs": [entry]}))
    lighten(path)
    index = json.loads(path.read_text())
    assert index["config"] == {"lang": ["en"]}
    assert index["docs"] == [{**entry, "text": LONG}]
