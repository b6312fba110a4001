"""Which numbers may a page ask for? The vocabulary of `=…` in Markdown: a name → what computes it.

Every fact carries its formula in names, the values put in, and where it comes from.
"""

from __future__ import annotations

from collections.abc import Callable

from hooks import facts_given, facts_memory, facts_speed
from hooks.fact import Fact

FACTS: dict[str, Callable[..., Fact]] = {**facts_given.FACTS, **facts_memory.FACTS, **facts_speed.FACTS}
