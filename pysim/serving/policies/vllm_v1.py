"""vLLM V1: running requests first, then the queue, one budget of tokens for all.

Rules: vllm/v1/core/sched/scheduler.py, `schedule()`, and vllm/v1/core/kv_cache_manager.py, `allocate_slots()`, as of
vLLM 0.19.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class VllmV1(Policy):
    """vLLM's own order; the request admitted last is evicted, and rows are kept.

    `long_prefill_token_threshold`: most tokens of one prompt in a step, 0 for no bound. `reserve_full_prompt`: a
    request is admitted only where its whole prompt fits (`scheduler_reserve_full_isl`). `max_num_partial_prefills`:
    prompts in pieces at once, 0 for no bound.
    """

    name: ClassVar[str] = "vllm-v1"
    label: ClassVar[str] = "vLLM"
    long_prefill_token_threshold: int = 0
    reserve_full_prompt: bool = True
    max_num_partial_prefills: int = 0

    def plan(self, view: View) -> Plan:
        """Those that write, then partial prompts, then the queue; its head holds up the rest."""
        feed = in_order(
            view, budget=view.budget - view.decoding, reserve_all=self.reserve_full_prompt,
            most=self.long_prefill_token_threshold, most_partial=self.max_num_partial_prefills,
        )  # fmt: skip
        return Plan(feed=feed)
