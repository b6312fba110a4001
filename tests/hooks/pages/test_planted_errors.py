"""Does a strict build fail on everything an author can get wrong, with file, line and what was meant?"""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

from hooks.paths import ROOT

FRONT = "---\ndescription: A page.\n---\n\n# Page\n\n"  # six lines
# Page → its text after the front matter, and every message that is to be reported, with the line counted in the file.
PLANTED = {
    "wrong-name": (
        "```demo two-fases\n```\n",
        ['wrong-name.md:7: unknown demo "two-fases"; did you mean "two-phases"?'],
    ),
    "wrong-option": (
        "```demo two-phases\noutput_tokns: 3\n```\n",
        ['wrong-option.md:8: two-phases: there is no setting "output_tokns" here; did you mean "output_tokens"?'],
    ),
    "wrong-values": (
        "```demo two-phases\noutput_tokens: 9999\nmodel: llama-3.1-8c\nseed: many\n```\n",
        ["wrong-values.md:8: ", "wrong-values.md:9: ", '"llama-3.1-8b"', "wrong-values.md:10: "],
    ),
    "not-a-mapping": ("```demo two-phases\n- seed\n```\n", ["not-a-mapping.md:8: the options must be lines of"]),
    "twice": ("```demo two-phases\nseed: 1\nseed: 2\n```\n", ['twice.md:9: the option "seed" is given twice']),
    "a-list": ("```demo two-phases\nseed: [1]\n```\n", ['a-list.md:8: the option "seed" must be one number']),
    "not-yaml": ('```demo two-phases\nprompt: "open\n```\n', ["not-yaml.md:8: the options are not valid YAML"]),
    "no-name": ("```demo\n```\n", ["no-name.md:7: a demo block names one demo"]),
    "open": ("text\n\n```demo two-phases\nseed: 1\n", ["open.md:9: this demo block is never closed"]),
    "same-id": (
        "```demo two-phases\n```\n\n```demo two-phases\n```\n",
        ['same-id.md:10: the demo at line 7 has the id "two-phases" too'],
    ),
    "bad-id": ("```demo two-phases\nid: a.b\n```\n", ["bad-id.md:8: the id must be a letter"]),
    "heading": (
        "```demo two-phases\n```\n\n## Two phases\n",
        ['heading.md:10: this heading has the id of a demo, "two-phases"'],
    ),
    "formula": ("text $\\nosuch{1}$\n", ["formula.md:7: this formula can't be set: Undefined control sequence"]),
    "number": (
        "fine `=passes(6, 8)`,\nnot `=wieghts_bytes('llama-3.1-8b')`, nor\n`=passes(6, 8) / 0`\n",
        ['number.md:8: this number can\'t be computed: there is no fact "wieghts_bytes"', "number.md:9: this number"],
    ),
    "term": ("the [rigde point](term)\n", ['term.md:7: the glossary (glossary.md) has no term "rigde point"']),
    "setting": (
        "```demo kv-cache\n```\n\n[see](demo:kv-cache?cache=yes)\n",
        ['setting.md:10: kv-cache: KV cache: "yes" is neither true nor false'],
    ),
    "citation": ("as shown [@nobody2020]\n", ['citation.md:7: the references (references.md) have no "nobody2020"']),
    "outside": ("[there](http://example.org)\n", ['outside.md:7: the link "http://example.org" must begin with https']),
    "question": (
        "```predict\nquestion: Why?\na: x\nb: y\nanswer: z\nreason: none\n```\n",
        ['question.md:11: the answer "z" is not one of a, b'],
    ),
    "glossary": ("### Decode\n\n### Pass { #pass }\n\n## Next\n", ['glossary.md:9: "Pass" needs a paragraph']),
    "markup": ("```demo <img/src=x/onerror=alert(1)>\n```\n", ["markup.md:7: unknown demo"]),
    "dead-link": ("[there](nowhere.md)\n", ["nowhere.md"]),
    "dead-anchor": ("[there](#nowhere)\n", ["#nowhere"]),
}


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """All planted mistakes in one strict build: what it said, and the folder it wrote."""
    docs, site = tmp_path_factory.mktemp("docs"), tmp_path_factory.mktemp("site")
    (docs / "index.md").write_text(FRONT, encoding="utf-8")
    (docs / "third-party.md").write_text(FRONT, encoding="utf-8")
    for name, (text, _) in PLANTED.items():
        (docs / f"{name}.md").write_text(FRONT + text, encoding="utf-8")
    said: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    logging.getLogger("mkdocs").addHandler(handler)
    config = load_config(str(ROOT / "mkdocs.yml"), strict=True, docs_dir=str(docs), site_dir=str(site))
    try:
        with pytest.raises(Abort, match="warnings in strict mode"):
            build(config)
    finally:
        logging.getLogger("mkdocs").removeHandler(handler)
    return "\n".join(said), site


@pytest.mark.parametrize("name", PLANTED)
def test_a_strict_build_tells_the_mistake_with_file_and_line(name: str, planted: tuple[str, Path]) -> None:
    said, _ = planted
    missing = [wanted for wanted in PLANTED[name][1] if wanted not in said]
    assert not missing, said


def test_a_strict_build_tells_nothing_else(planted: tuple[str, Path]) -> None:
    said, _ = planted
    known = [f"{name}.md" for name in PLANTED]
    assert [line for line in said.split("\n") if not any(name in line for name in known)] == []


def test_the_page_shows_the_message_in_place_and_never_as_markup(planted: tuple[str, Path]) -> None:
    _, site = planted
    page = (site / "markup.html").read_text(encoding="utf-8")
    assert '<div class="demo-problem" role="note">' in page
    assert "<img/src" not in page
    assert "&lt;img/src" in page
    assert "assets/runtime/demos.css" in page
