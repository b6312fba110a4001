"""TGI: a new batch of prompts stops those that write, once enough of them wait or enough steps have passed.

Rules: text-generation-inference, docs/source/reference/launcher.md (waiting_served_ratio, max_waiting_tokens) and
backends/v3/src/backend.rs (`batching_task`), backends/v3/src/queue.rs (room for the longest answer is taken at once).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.held import Held
from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Tgi(Policy):
    """`waiting_served_ratio`: waiting to running requests from which on prompts go first; else every so many steps."""

    name: ClassVar[str] = "tgi"
    label: ClassVar[str] = "TGI"
    asked_each_step: ClassVar[bool] = True
    waiting_served_ratio: float = 0.3
    max_waiting_tokens: int = 20

    def plan(self, view: View) -> Plan:
        """Nobody is ever evicted: prompt and longest answer have their blocks from the start."""
        waiting = sum(1 for _ in view.waiting)
        due = view.steps_since_feed >= self.max_waiting_tokens
        enough = waiting >= math.ceil(self.waiting_served_ratio * view.running)
        if not list(view.partial) and not (due or enough):
            return Plan()

        def may_join(held: Held, taken: int) -> bool:
            return view.promised_blocks + taken + view.blocks_at_most(held) <= view.total_blocks

        feed = in_order(view, budget=view.budget, may_join=may_join, whole=True)
        return Plan(feed=feed, decode=not feed)
