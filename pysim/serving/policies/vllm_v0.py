"""vLLM V0: prompts first, in passes of prompts alone; those that write wait meanwhile.

Rules: vllm/core/scheduler.py, `_schedule_default`, and `watermark` in vllm/core/block_manager.py, vLLM 0.6.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class VllmV0(Policy):
    """`watermark`: the share of all blocks that admissions leave free. Evicted rows are computed again."""

    name: ClassVar[str] = "vllm-v0"
    label: ClassVar[str] = "vLLM V0"
    keeps_rows: ClassVar[bool] = False
    watermark: float = 0.01

    def plan(self, view: View) -> Plan:
        """Whole prompts as far as they fit; only where there is none, a token for all that write."""
        keep_free = int(self.watermark * view.total_blocks)
        feed = in_order(view, budget=view.budget, reserve_all=True, keep_free=keep_free, whole=True)
        return Plan(feed=feed, decode=not feed)
