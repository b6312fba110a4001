"""TensorRT-LLM: a capacity scheduler chooses who runs, then prompts and those that write share a pass.

Rules: docs/source/features/paged-attention-ifb-scheduler.md; cpp/tensorrt_llm/batch_manager/capacityScheduler.cpp
(GUARANTEED_NO_EVICT is the default, MAX_UTILIZATION the other).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.held import Held
from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorrtLlm(Policy):
    """Prompt and longest answer are promised at admission, so nobody is evicted."""

    name: ClassVar[str] = "tensorrt-llm"
    label: ClassVar[str] = "TensorRT-LLM"
    chunked_context: bool = False

    def plan(self, view: View) -> Plan:
        """Those that write, then prompts, whole unless chunks are on."""

        def may_join(held: Held, taken: int) -> bool:
            return view.promised_blocks + taken + view.blocks_at_most(held) <= view.total_blocks

        budget = view.budget - view.decoding
        return Plan(feed=in_order(view, budget=budget, may_join=may_join, whole=not self.chunked_context))


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorrtLlmFull(Policy):
    """MAX_UTILIZATION: a request is admitted if it fits now; the last one is paused where rows lack room."""

    name: ClassVar[str] = "tensorrt-llm-max-utilization"
    label: ClassVar[str] = "TensorRT-LLM, fullest"
    chunked_context: bool = False

    def plan(self, view: View) -> Plan:
        """Those that write, then prompts, whole unless chunks are on."""
        budget = view.budget - view.decoding
        return Plan(feed=in_order(view, budget=budget, reserve_all=True, whole=not self.chunked_context))
