"""A token with its row of keys and values below it and, above it, how much is looked at it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, b, div, span

from demos.kit.draw.tokens import cell, gap, ghost
from demos.kit.html import element, joined
from demos.kit.number import length, percent

NONE, KEPT, FIRST, AGAIN, SPENT = "none", "kept", "first", "again", "spent"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenRow:
    """A token with its row. `kind` is "p" (prompt) or "d" (answer), `look` the share of attention in percent.

    `state` of the row: NONE (not fed yet), KEPT (in the cache), FIRST (being computed for the first time),
    AGAIN (being computed again, the earlier one falls away), SPENT (computed and about to be thrown away).
    `now` marks a token that goes through the model in this pass.
    """

    text: str
    kind: str
    state: str
    look: int = 0
    now: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """The tokens before the drawn ones, as one: how many, what becomes of their rows, how much is looked at them."""

    tokens: int
    state: str
    look: int


def token_rows(rows: Sequence[TokenRow], earlier: Earlier, to_come: int) -> SafeString:
    """Return the tokens of a text, earlier ones in one cell before them, and places for some that are to come.

    To be put into `row_field`, which says how far the pass is, so nothing in here changes during one.
    """
    begin = [_unit(gap(earlier.tokens, "earlier"), earlier.state, earlier.look, "earlier")] if earlier.tokens else []
    drawn = [_unit(cell(row.text, row.kind, now=row.now), row.state, row.look) for row in rows]
    return joined(*begin, *drawn, *[_unit(ghost(), NONE, 0, "to-come") for _ in range(to_come)])


def row_field(units: SafeString, fraction: float) -> SafeString:
    """Return the field of units at a moment: rows are filled and looks grow as far as the pass is."""
    gone, grown = length(min(1.0, 3 * fraction)), length(fraction or 1.0)
    style = f"--filled:{percent(fraction)};--gone:{gone};--grown:{grown}"
    return element(div, {"class": "token-rows", "style": style}, units)


@lru_cache(maxsize=512)
def _unit(token: SafeString, state: str, look: int, extra: str = "") -> SafeString:
    return element(
        span,
        {"class": f"token-row {extra}".rstrip()},
        element(b, {"class": "look", "style": f"--look:{look}"}),
        token,
        element(b, {"class": f"kv-row {state}"}),
    )
