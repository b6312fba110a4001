"""The vocabulary of a page's numbers, as far as it can be computed in the reader's browser."""

from __future__ import annotations

from collections.abc import Callable

from demos.kit.facts import memory, speed, split
from demos.kit.facts.fact import Fact

FACTS: dict[str, Callable[..., Fact]] = {**memory.FACTS, **speed.FACTS, **split.FACTS}
