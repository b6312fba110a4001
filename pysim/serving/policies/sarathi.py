"""Sarathi: those that write, then prompts in pieces, all within one small chunk.

Rules: Agrawal and others, "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve", 2024, algorithm 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Sarathi(Policy):
    """`chunk_tokens`: all tokens of a step, whatever the engine's budget."""

    name: ClassVar[str] = "sarathi"
    label: ClassVar[str] = "Sarathi, pieces of 512"
    chunk_tokens: int = 512

    def plan(self, view: View) -> Plan:
        """Those that write, partial prompts, the queue."""
        budget = min(view.budget, self.chunk_tokens) - view.decoding
        return Plan(feed=in_order(view, budget=budget, reserve_all=True))
