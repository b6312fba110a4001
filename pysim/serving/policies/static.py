"""Static batches: the next batch is taken when the last answer of this one has ended, as engines did before 2022.

Rules: what Yu and others, "Orca", 2022, section 3, compare with.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Plan, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Static:
    """Nobody joins a batch that writes."""

    name: ClassVar[str] = "static"

    def plan(self, view: View) -> Plan:
        """Prompts are fed until the first of the batch writes and all prompts are done; then nobody is admitted."""
        partial = list(view.partial)
        if view.decoding and not partial:
            return Plan()
        plan = VllmV1().plan(view)
        if view.decoding:
            admitted = {id(held) for held in partial}
            return Plan(feed=tuple(pair for pair in plan.feed if id(pair[0]) in admitted), decode=False)
        return Plan(feed=plan.feed, decode=False)
