"""Prompts first, in separate passes; those that write wait meanwhile.

Rules: vLLM V0's default, vllm/core/scheduler.py, `_schedule_default`; SGLang without mixed chunks does the same, with
prompts cut at its chunk (python/sglang/srt/managers/schedule_policy.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policy import Held, Plan, View


@dataclass(frozen=True, slots=True, kw_only=True)
class PrefillFirst:
    """`keep_free_blocks`: blocks that stay free at admission (vLLM V0: 1% of all)."""

    name: ClassVar[str] = "prefill-first"
    keep_free_blocks: int = 0

    def plan(self, view: View) -> Plan:
        """Whole prompts as far as budget, seats and blocks go; only where there is none, a token for all that write."""
        budget, room, seats = view.budget, view.free_blocks - self.keep_free_blocks, view.seats - view.running
        feed: list[tuple[Held, int]] = []
        for held in (*view.partial, *view.waiting):
            new = held.admitted_s is None or held.blocks == 0
            fed = min(held.left - view.cached(held), budget)
            need = view.blocks_for(held, fed)
            if fed < 1 or need > room or (new and seats < 1):
                break
            feed.append((held, fed))
            budget, room, seats = budget - fed, room - need, seats - new
        return Plan(feed=tuple(feed), decode=not feed)
