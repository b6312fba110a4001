"""The formulas behind the numbers shown: rule, values put in, result and source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString, a, code, div, li, ol, p

from demos.kit.html import element, joined


@dataclass(frozen=True, slots=True, kw_only=True)
class Formula:
    """One step of the math behind a demo, as plain text: `rule` in names, `inserted` in numbers."""

    label: str
    rule: str
    inserted: str
    result: str
    source: str
    source_url: str = ""


def formulas(steps: Sequence[Formula], note: str = "") -> SafeString:
    """Return the "show the math" panel."""
    items = [_item(step) for step in steps]
    head = [p({"class": "math-note"}, note)] if note else []
    return joined(*head, ol({"class": "math-steps"}, *items))


def _item(step: Formula) -> SafeString:
    source = a({"href": step.source_url}, step.source) if step.source_url else step.source
    return element(
        li,
        {},
        div({"class": "math-label"}, step.label),
        div({"class": "math-rule"}, code(step.rule)),
        div(
            {"class": "math-values"},
            code(f"= {step.inserted} = "),
            element(code, {"class": "math-result"}, step.result),
        ),
        div({"class": "math-source"}, "Source: ", source),
    )
