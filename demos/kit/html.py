"""HTML written without ever pasting a reader's text into markup.

The builder is simple_html: elements are function calls and every text child or attribute is escaped.
It is pure Python at heart and draws 300 elements in under a millisecond, about ten times faster than
the other well-kept builders, which would not hold 60 frames a second in the browser.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from decimal import Decimal

from simple_html import Node, SafeString, Tag, render

_output = Tag("output")
Attributes = dict[SafeString | str, str | SafeString | int | float | Decimal | None]


def output(attributes: Attributes, *children: Node) -> SafeString:
    """Return an `<output>` that is no live region: sixty spoken numbers a second would help nobody."""
    return SafeString(render(_output({"role": "none", **attributes}, *children)))


def element(tag: Tag, attributes: Mapping[str, str | None], *children: Node) -> SafeString:
    """Return one rendered element; an attribute whose value is None stands without a value."""
    given: Attributes = {}
    given.update(attributes)
    return SafeString(render(tag(given, *children)))


def joined(*nodes: Node) -> SafeString:
    """Return several nodes rendered one after another."""
    return SafeString(render(*nodes))


def data_json(value: object) -> str:
    """Return compact JSON for a data attribute (the builder escapes it)."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
