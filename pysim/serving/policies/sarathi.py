"""Sarathi: those that write, then prompts in pieces, all within one small chunk.

Rules: Agrawal and others, "Taming Throughput-Latency Tradeoff in LLM Inference with Sarathi-Serve", 2024, algorithm 3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Plan, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Sarathi:
    """`chunk_tokens`: all tokens of a step, whatever the engine's budget."""

    name: ClassVar[str] = "sarathi"
    chunk_tokens: int = 512

    def plan(self, view: View) -> Plan:
        """As vLLM V1 does, within the chunk."""
        return VllmV1().plan(_Chunked(view, min(view.budget, self.chunk_tokens)))


class _Chunked:
    """A view with another budget."""

    def __init__(self, view: View, budget: int) -> None:
        self._view, self.budget = view, budget

    def __getattr__(self, name: str):  # type: ignore[no-untyped-def]
        return getattr(self._view, name)
