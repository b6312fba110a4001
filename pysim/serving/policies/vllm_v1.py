"""vLLM V1: running requests first, then the queue, one budget of tokens for all.

Rules: vllm/v1/core/sched/scheduler.py, `schedule()`, and vllm/v1/core/kv_cache_manager.py, `allocate_slots()`, as of
vLLM 0.19.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policy import Held, Plan, View


@dataclass(frozen=True, slots=True, kw_only=True)
class VllmV1:
    """vLLM's own order.

    `long_prefill_token_threshold`: most tokens of one prompt in a step, 0 for no bound. `reserve_full_prompt`: a
    request is admitted only where its whole prompt fits (`scheduler_reserve_full_isl`).
    """

    name: ClassVar[str] = "vllm-v1"
    long_prefill_token_threshold: int = 0
    reserve_full_prompt: bool = True

    def plan(self, view: View) -> Plan:
        """Partial prompts continue, then the queue is admitted in order; its head holds up the rest."""
        budget, room = view.budget - view.decoding, view.free_blocks
        seats = view.seats - view.running
        feed: list[tuple[Held, int]] = []
        for held in view.partial:
            fed = self._fed(held.left, budget)
            need = view.blocks_for(held, fed)
            if fed < 1 or need > room:
                return Plan(feed=tuple(feed))
            feed.append((held, fed))
            budget, room = budget - fed, room - need
        for held in view.waiting:
            left = held.left - view.cached(held)
            fed = self._fed(left, budget)
            if fed < 1 or seats < 1:
                break
            whole = view.blocks_for(held, left)
            need = view.blocks_for(held, fed)
            if (whole if self.reserve_full_prompt else need) > room:
                break
            feed.append((held, fed))
            budget, room, seats = budget - fed, room - need, seats - 1
        return Plan(feed=tuple(feed))

    def _fed(self, left: int, budget: int) -> int:
        return min(left, budget, self.long_prefill_token_threshold or left)
