"""Tips: explanations that a word or number shows when it is pointed at, focused or tapped.

The explanation is next to the word, so it needs no script to be seen; `assets/tips.js` adds
Escape, taps and a place under the word. The search leaves it out by its tag, which nothing else uses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from simple_html import SafeString, a, small, span

from demos.kit.html import element

NOTHING_MORE: Mapping[str, str] = MappingProxyType({})


def tipped(word: SafeString, tip: Sequence[str | SafeString], tip_id: str) -> SafeString:
    """Return a word with its explanation, one line for each part."""
    lines = [span({"class": "tip-line"}, line) for line in tip]
    box = small({"class": "tip", "role": "tooltip", "id": tip_id, "data-search-exclude": ""}, *lines)
    return element(span, {"class": "tipped"}, word, box)


def stop(text: str, kind: str, tip_id: str, more: Mapping[str, str] = NOTHING_MORE) -> SafeString:
    """Return a text that the keyboard can stop at, to hear its explanation, with extra attributes."""
    return element(span, {"class": kind, "tabindex": "0", "aria-describedby": tip_id, **more}, text)


def link(text: str, kind: str, tip_id: str, href: str) -> SafeString:
    """Return a link whose explanation is a short form of what it leads to."""
    return element(a, {"class": kind, "href": href, "aria-describedby": tip_id}, text)
