"""Does a term carry what the glossary says of it, and is a term that the glossary lacks told with its line?"""

from __future__ import annotations

import re
from pathlib import Path

from markdown import Markdown

from hooks.markdown.glossary import Glossary
from hooks.markdown.terms import Terms
from hooks.paths import ROOT
from tests.hooks.markdown.test_numbers import Listener

PAGE = """# Glossary

## Limits

### Ridge point { #ridge-point .term-math data-also="ridge, machine balance" }

Where *reading* and [computing](#computing) take
equally long.

$$ I^* = F / B $$

### Time to first token (TTFT) { #ttft }

How long the first token takes.
"""
# Every name of the field that the house style lists, and what the lessons need besides.
FIELD = """
prefill, decode, pass, chunk, KV cache, batch, TTFT, TPOT, ITL, goodput, arithmetic intensity, ridge point, roofline,
MBU, MFU, token, weights, bandwidth, speculative decoding, quantization, GQA, MLA, throughput, FLOP
"""


def convert(text: str, glossary: str = PAGE) -> tuple[str, Listener]:
    listener, terms = Listener(), Glossary(glossary)
    assert terms.problems == []
    extension = Terms(listener, lambda: terms, lambda term: f"../glossary.html#{term.term_id}")
    return Markdown(extensions=["attr_list", extension]).convert(text), listener


def problems(text: str) -> list[tuple[int, str]]:
    return [(error.line, str(error)) for error in Glossary(text).problems]


def test_a_term_is_a_link_with_its_meaning_beside_it() -> None:
    html, listener = convert("At the [ridge\npoint](term).")
    assert listener.problems == []
    assert (
        '<a class="term term-math" href="../glossary.html#ridge-point" aria-describedby="term-1">ridge point</a>'
        in html
    )
    assert "Where reading and computing take equally long." in html
    assert "F / B" not in html


def test_a_term_answers_to_its_name_its_short_form_its_id_and_what_else_it_is_called() -> None:
    marks = [
        "[Ridge](term)",
        "[machine-balance](term)",
        "[TTFT](term)",
        "[time to first token](term)",
        "[it](term:ttft)",
    ]
    html, listener = convert(" ".join(marks))
    assert listener.problems == []
    assert html.count('role="tooltip"') == len(marks)
    assert len(set(re.findall(r'id="(term-\d)"', html))) == len(marks)


def test_an_unknown_term_is_told_at_its_line_with_the_nearest_one() -> None:
    html, listener = convert("text\n\nthe **[ridge pint](term)** and [x](term:no)")
    assert [line for _, line in listener.problems] == [3, 3]
    assert 'has no term "ridge pint"; did you mean "ridge point"?' in listener.problems[0][0]
    assert html.count('class="demo-problem"') == 2


def test_an_ordinary_link_stays_one() -> None:
    html, _ = convert("[a](term.md) [b](#term)")
    assert html == '<p><a href="term.md">a</a> <a href="#term">b</a></p>'


def test_a_faulty_entry_of_the_glossary_is_told_at_its_line() -> None:
    assert problems("# G\n\n### A { .x }\n\ntext") == [(3, '"A" needs an id, as in `### A { #my-id }`')]
    assert problems("### A { #a }\n\n### B { #b }\n\ntext") == [(1, '"A" needs a paragraph that says what it means')]
    assert problems("### A { #a }\n\nmeans $x$") == [
        (1, 'formulas and computed numbers of "A" belong below its first paragraph')
    ]
    assert problems('### A { #a }\n\nx\n\n### B { #b data-also="a" }\n\ny') == [(5, '"a" already stands for "A"')]
    assert problems("### A { #a }\n\n" + "word " * 100)[0][0] == 1


def test_the_glossary_of_the_site_has_every_word_of_the_field(site: Path) -> None:
    glossary = Glossary((ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"))
    assert [name for name in re.split(r",\s+", FIELD.strip()) if name not in glossary] == []
    built = (site / "glossary.html").read_text(encoding="utf-8")
    assert [term.term_id for term in glossary.terms if f'id="{term.term_id}"' not in built] == []
    for term in glossary.terms:
        assert 1 <= len(re.findall(r"[.;:?!](?:\s|$)", term.meaning)) <= 4, term.name
