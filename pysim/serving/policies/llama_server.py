"""llama-server: slots; a batch carries a token of each slot that writes, then prompts, in passes of `-ub` tokens.

Rules: llama.cpp, tools/server/README.md (-np, -b, -ub, -cb, -kvu) and tools/server/server-context.cpp,
`update_slots()`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.held import Held
from pysim.serving.policies.in_order import in_order
from pysim.serving.policy import Plan, Policy, View


@dataclass(frozen=True, slots=True, kw_only=True)
class LlamaServer(Policy):
    """One cache for all slots; a request begins where its longest answer fits, as the server has nobody to evict.

    Without `continuous` (`-nocb`), prompts wait until no slot writes.
    """

    name: ClassVar[str] = "llama-server"
    label: ClassVar[str] = "llama-server"
    pass_tokens: ClassVar[int] = 512
    continuous: bool = True

    def plan(self, view: View) -> Plan:
        """Slots that write, then prompts in order of admission."""
        if not self.continuous and view.decoding and not list(view.partial):
            return Plan()

        def may_join(held: Held, taken: int) -> bool:
            return view.promised_blocks + taken + view.blocks_at_most(held) <= view.total_blocks

        return Plan(feed=in_order(view, budget=view.budget - view.decoding, may_join=may_join))
