"""SGLang: prompts first, in separate passes, admitted by an estimate of what the running answers still need.

Rules: python/sglang/srt/managers/schedule_policy.py (`PrefillAdder`), scheduler.py (`new_token_ratio`) and
schedule_batch.py (`retract_decode`), SGLang 0.5; the ratio's start, floor and decay are its environment defaults.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.held import Held
from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Sglang(Policy):
    """A running answer is expected to need `first_ratio` of its longest length, less with each step without eviction.

    After an eviction the ratio is the first one again; SGLang computes it from what was written so far.
    `longest_tokens`: no answer counts for more.
    """

    name: ClassVar[str] = "sglang"
    label: ClassVar[str] = "SGLang"
    asked_each_step: ClassVar[bool] = True
    first_ratio: float = 0.7
    last_share: float = 0.14
    decay_steps: int = 600
    conservativeness: float = 1.0
    longest_tokens: int = 4096

    def plan(self, view: View) -> Plan:
        """Prompts in pieces of the budget; where none may join, a token for all that write."""
        first = min(1.0, self.first_ratio * self.conservativeness)
        fallen = (1 - self.last_share) * min(1.0, view.steps_since_eviction / self.decay_steps)
        ratio = first * (1 - fallen)
        expected = sum(self._left(view, held) for held in view.seated) * ratio
        block_tokens = view.block_tokens
        room = view.free_blocks * block_tokens - expected

        def may_join(held: Held, taken: int) -> bool:
            longest = min(self._longest(held), self.longest_tokens)
            return held.left - view.cached(held) + longest + taken * block_tokens <= room or not (view.running or taken)

        feed = in_order(view, budget=view.budget, may_join=may_join)
        return Plan(feed=feed, decode=not feed)

    def victim(self, view: View) -> Held:
        """The one with the shortest answer so far, of those the longest prompt."""
        return min(view.seated, key=lambda held: (view.written(held), -held.request.prompt_tokens))

    def _left(self, view: View, held: Held) -> int:
        return min(max(0, self._longest(held) - view.written(held)), self.longest_tokens)

    def _longest(self, held: Held) -> int:
        return held.request.limit_tokens or held.request.output_tokens
