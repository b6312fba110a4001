"""Shortest prompt first: of the queue, the one with the fewest tokens to feed is next; else as vLLM V1.

Rules: the classic SRPT; on prompts alone, as in LMCache's measured comparison (2025) and others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortestFirst(Policy):
    """It lowers the mean wait, and long prompts may wait for ever while short ones come."""

    name: ClassVar[str] = "shortest-first"
    label: ClassVar[str] = "shortest prompt first"

    def plan(self, view: View) -> Plan:
        """The queue in order of the tokens left."""
        queue = sorted(view.waiting, key=lambda held: (0 if held.sent_rows else held.left, held.request.number))
        return Plan(feed=in_order(view, budget=view.budget - view.decoding, waiting=queue, reserve_all=True))
