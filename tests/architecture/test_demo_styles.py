"""The style sheets of demos: each speaks of its own figure only, so that their order says nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import permutations

import pytest

from hooks.assets.bundles import DEMOS

SHEETS = sorted(DEMOS.glob("*/style.css"))
NAMES = [sheet.parent.name.replace("_", "-") for sheet in SHEETS]
PIECE = re.compile(r"/\*.*?\*/|[{};]|[^{};/]+|/", re.DOTALL)


def rules(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield each rule's selector list and the properties that it sets, those inside at-rules too."""
    heads: list[str] = []
    properties: list[str] = []
    head = ""
    for piece in PIECE.findall(text):
        if piece.startswith("/*"):
            continue
        if piece == "{":
            heads.append(head.strip())
            head = ""
            properties = []
        elif piece in ";}":
            if ":" in head:
                properties.append(head.partition(":")[0].strip())
            head = ""
            if piece == "}" and not (selector := heads.pop()).startswith("@"):
                yield selector, properties
        else:
            head += piece
    assert not heads, f"{heads[-1]} is not closed"


def alternatives(selectors: str) -> list[str]:
    """Return the selectors of a list, cut at the commas that are in no bracket."""
    parts, depth = [""], 0
    for letter in selectors:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def figure_of(selector: str) -> str | None:
    """Return the demo whose figure a selector begins with: it matches nothing outside of it."""
    named = re.match(r'(?:figure)?(?:\.demo)*(?::where\()?\[data-demo="([a-z0-9-]+)"\]\)?(?=$| (?![+~]))', selector)
    return named[1] if named else None


def overrides(some: str, other: str) -> list[str]:
    """Return what one sheet could set on an element that the other sets too: nothing if no figure is both's."""
    figures = {(figure_of(part), name) for head, names in rules(some) for part in alternatives(head) for name in names}
    return [
        f"{head}: {name}"
        for head, names in rules(other)
        for part in alternatives(head)
        for name in names
        if any((figure, name) in figures for figure in {figure_of(part), None})
        or (figure_of(part) is None and any(known == name for _, known in figures))
    ]


@pytest.mark.parametrize("name", NAMES)
def test_every_selector_of_a_demo_begins_with_its_figure(name: str) -> None:
    sheet = SHEETS[NAMES.index(name)].read_text(encoding="utf-8")
    parts = [part for head, _ in rules(sheet) for part in alternatives(head)]
    assert [part for part in parts if figure_of(part) != name] == []
    assert len(parts) >= sheet.count("{") - sheet.count("@")  # None was passed over.


def test_no_sheet_of_a_demo_overrides_another() -> None:
    texts = [sheet.read_text(encoding="utf-8") for sheet in SHEETS]
    assert len(texts) == len(set(NAMES)) >= 9
    assert [clash for one, other in permutations(texts, 2) for clash in overrides(one, other)] == []


def test_a_rule_for_two_demos_is_found() -> None:
    own = '[data-demo="one"] .bar, .demo.demo:where([data-demo="one"]) > b { color: red; width: 1px }'
    apart = '@media print { :where([data-demo="two"]) .bar { color: blue } }'
    shared = ".demo .bar { height: 2px; color: blue }"
    assert [name for _, names in rules(apart) for name in names] == ["color"]
    assert overrides(own, apart) == []
    assert overrides(own, shared) == [".demo .bar: color"]
    assert overrides(shared, own) == [
        '[data-demo="one"] .bar, .demo.demo:where([data-demo="one"]) > b: color',
        '[data-demo="one"] .bar, .demo.demo:where([data-demo="one"]) > b: color',
    ]
    assert figure_of('.stage [data-demo="one"]') is None
    assert figure_of('[data-demo="one"] + .stage') is None
    assert figure_of('.demo[data-demo="one"] > .stage') == "one"
