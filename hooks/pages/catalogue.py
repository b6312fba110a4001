"""The catalog page: every model, device, engine and format with its facts, their sources and when those were read.

A mark such as `<!-- catalogue:devices -->` alone on a line of a page stands for a piece made here;
`filled(markdown)` puts the pieces in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from typing import Final

from simple_html import (
    Node,
    br,
    code,
    details,
    div,
    form,
    h2,
    input_,
    label,
    li,
    option,
    p,
    render,
    select,
    span,
    strong,
    summary,
    time,
    ul,
)

from hooks.pages.catalogue_facts import Entry, Fact, devices, engines, formats, models, rules
from hooks.pages.catalogue_text import linked

MARK: Final = re.compile(r"^<!-- catalogue:([a-z]+) -->$", re.MULTILINE)
SECTIONS: Final[Mapping[str, tuple[str, Callable[[], tuple[Entry, ...]]]]] = {
    "models": ("Models", models),
    "devices": ("Devices", devices),
    "engines": ("Engines", engines),
    "formats": ("Formats", formats),
    "rules": ("Usable memory", rules),
}


def filled(markdown: str) -> str:
    """Replace the marks by the catalog's pieces; pages without one come back as they are."""
    return MARK.sub(lambda mark: render_piece(mark[1]), markdown)


def render_piece(name: str) -> str:
    """The HTML of one piece; ValueError names the pieces there are."""
    if name == "search":
        return render(_search())
    if name == "ages":
        return render(_ages())
    if name not in SECTIONS:
        raise ValueError(f'unknown piece "catalogue:{name}"; allowed: search, ages, {", ".join(SECTIONS)}')
    title, entries = SECTIONS[name]
    parts = [_entry(name, entry) for entry in entries()]
    heading = h2({"id": f"catalogue-{name}"}, f"{title} ", span({"class": "catalogue-count"}, f"{len(parts)}"))
    return render(div({"class": "catalogue", "data-section": name, "data-search-exclude": ""}, heading, *parts))


def _search() -> Node:
    """The field that picks entries by their words, the choice of a kind, and how many are shown."""
    kinds = [option({"value": name}, title) for name, (title, _) in SECTIONS.items()]
    return form(
        {"class": "catalogue-search", "role": "search", "aria-label": "Catalog"},
        label({"for": "catalogue-words"}, "Find"),
        input_(
            {
                "id": "catalogue-words",
                "type": "search",
                "placeholder": "qwen3 30b, rtx 4090, m4 pro",
                "autocomplete": "off",
            }
        ),
        select({"id": "catalogue-kind", "aria-label": "Kind of entry"}, option({"value": ""}, "everything"), *kinds),
        p({"class": "catalogue-status", "role": "status"}),
    )


def _ages() -> Node:
    days = [fact.checked for _, entries in SECTIONS.values() for entry in entries() for fact in entry.facts]
    known = [day for day in days if day is not None]
    return p(
        f"Each group of facts has a source and the day on which that was last checked: {len(known):,} of them, the "
        "longest ago on ",
        _day(min(known)),
        ", the latest on ",
        _day(max(known)),
        ".",
    )


def _entry(section: str, entry: Entry) -> Node:
    called = [p({"class": "catalogue-also"}, f"Also called {', '.join(entry.also)}")] if entry.also else []
    words = " ".join((entry.name, entry.key, entry.group, *entry.also)).lower()
    return details(
        {"class": "catalogue-entry", "id": f"{section.removesuffix('s')}-{entry.key}", "data-words": words},
        summary(strong(entry.name), " ", span({"class": "catalogue-figures"}, entry.figures)),
        p({"class": "catalogue-key"}, "Key ", code(entry.key), *_group(entry)),
        *called,
        ul(*(_fact(fact) for fact in entry.facts)),
    )


def _group(entry: Entry) -> list[Node]:
    return [f" · {entry.group}"] if entry.group else []


def _fact(fact: Fact) -> Node:
    note: list[Node] = [span({"class": "catalogue-note"}, *linked(fact.note)), br] if fact.note else []
    return li(strong(fact.title), ": " if fact.title else "", *linked(fact.text), br, *note, _source(fact))


def _source(fact: Fact) -> Node:
    return span({"class": "catalogue-source"}, "Source: ", *linked(fact.source), *_checked(fact.checked))


def _checked(day: date | None) -> Iterator[Node]:
    if day is not None:
        yield ", checked "
        yield _day(day)


def _day(day: date) -> Node:
    return time({"datetime": day.isoformat()}, day.isoformat())
