"""Static batches: the next batch is taken when the last answer of this one has ended, as engines did before 2022.

Rules: what Yu and others, "Orca", 2022, section 3, compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Static(Policy):
    """Nobody joins a batch that writes."""

    name: ClassVar[str] = "static"
    label: ClassVar[str] = "static batches"

    def plan(self, view: View) -> Plan:
        """Prompts are fed until the first of the batch writes and all prompts are done; then nobody is admitted."""
        if view.decoding and not list(view.partial):
            return Plan()
        queue = () if view.decoding else None
        return Plan(feed=in_order(view, budget=view.budget, waiting=queue, reserve_all=True), decode=False)
