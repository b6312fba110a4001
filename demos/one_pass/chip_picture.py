"""The picture of a pass: a store, the way from it and a place of work, drawn as a kitchen or as a chip."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from simple_html import Node, SafeString, b, div, i, span

from demos.kit.html import element, joined
from demos.kit.number import count, percent, plural

MOST_ITEMS: Final = 120
FEW_ITEMS: Final = 36


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What things are called in one picture: the places, what is fetched, what is worked on, and the two jobs."""

    store: str
    way: str
    work: str
    weights: str
    cache: str
    item: str
    drawn: str
    fetch: str
    do: str
    meanwhile: str


PICTURES: Final[Mapping[str, Words]] = {
    "cook": Words(
        store="Storeroom",
        way="one walk for all plates",
        work="Kitchen",
        weights="ingredients",
        cache="notes on this guest",
        item="plate",
        drawn="circle",
        fetch="The walk",
        do="The cooking",
        meanwhile="While one dish (one tile of a weight matrix) is cooked, a helper fetches what the next one needs.",
    ),
    "chip": Words(
        store="Memory",
        way="read once for all tokens",
        work="Math units",
        weights="weights",
        cache="KV cache",
        item="token",
        drawn="cell",
        fetch="Read from memory",
        do="Do the math",
        meanwhile="While one layer is computed, the weights of the next one are already being read.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkPicture:
    """A pass: how much is fetched (of it the `cache_share`), how long the way and the work take, for how many tokens.

    `waiting` is the share of the pass that the side with less to do waits; `work_waits` says which side that is.
    """

    picture: str
    fetched: str
    cache_share: float
    way_time: str
    work_time: str
    tokens: int
    waiting: str
    work_waits: bool


def work_picture(at: WorkPicture) -> SafeString:
    """Return the picture: the store left, its goods in the colors of weights and cache, the work right."""
    words = PICTURES[at.picture]
    goods = [i({"class": "mem", "style": f"flex-grow:{percent(1 - at.cache_share)[:-1]}"})]
    if at.cache_share:
        goods.append(i({"class": "kvr", "style": f"flex-grow:{percent(at.cache_share)[:-1]}"}))
    group = _group(at.tokens)
    drawn = math.ceil(at.tokens / group)
    grouped = f", {count(group)} a {words.drawn}" if group > 1 else ""
    return element(
        div,
        {"class": f"workplace {at.picture}", "aria-hidden": "true"},
        _box(
            "store",
            words.store,
            at.fetched,
            at.waiting if not at.work_waits else "",
            div({"class": "work-goods"}, *goods),
        ),
        div(
            {"class": "work-way"},
            span({"class": "work-time"}, at.way_time),
            i({"class": "work-road"}),
            span({"class": "work-way-name"}, words.way),
        ),
        _box(
            "to-do",
            words.work,
            f"{plural(at.tokens, words.item)}{grouped}: {at.work_time}",
            at.waiting if at.work_waits else "",
            element(div, {"class": f"work-items{' few' if at.tokens <= FEW_ITEMS else ''}"}, _items(drawn)),
        ),
    )


def _box(kind: str, name: str, note: str, waiting: str, inside: Node) -> SafeString:
    state = span({"class": "work-state"}, f"waits {waiting}" if waiting else "busy")
    return element(
        div,
        {"class": f"work-box {kind}{' waits' if waiting else ''}"},
        div({"class": "work-head"}, span({"class": "work-name"}, name), state),
        inside,
        div({"class": "work-note"}, note),
    )


def _group(tokens: int) -> int:
    return math.ceil(tokens / MOST_ITEMS)


@lru_cache(maxsize=MOST_ITEMS)
def _items(number: int) -> SafeString:
    return joined(*[b({}) for _ in range(number)])
