"""Prompts first, in separate passes; those that write wait meanwhile. The plain rule, of no engine.

Rules: what Agrawal and others, "Sarathi-Serve", 2024, section 3, call prefill-prioritizing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillFirst(Policy):
    """No pieces smaller than a step has room for."""

    name: ClassVar[str] = "prefill-first"
    label: ClassVar[str] = "prompts first"

    def plan(self, view: View) -> Plan:
        """Prompts as far as budget, seats and blocks go; only where there is none, a token for all that write."""
        feed = in_order(view, budget=view.budget)
        return Plan(feed=feed, decode=not feed)
