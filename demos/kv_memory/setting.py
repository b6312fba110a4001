"""What is stored on a device, and what that makes of memory and of the time of a token."""

from __future__ import annotations

from dataclasses import dataclass

import pysim
from pysim.memory.occupancy import Occupancy, occupancy


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is stored where: everything but the length of the conversation."""

    model: pysim.Model
    weights: str
    kv: str
    device: pysim.Device
    conversations: int

    def filled(self, tokens: int, reserved_tokens: int) -> Occupancy:
        """Return what lies in memory at a length in tokens, with so many tokens reserved."""
        return occupancy(
            self.model,
            self.device,
            context_tokens=tokens,
            reserved_tokens=reserved_tokens,
            sequences=self.conversations,
            weights=self.weights,
            kv=self.kv,
        )

    def tpot_s(self, tokens: int) -> float:
        """Best-case time of one decode pass, each conversation `tokens` long."""
        cost = pysim.pass_cost(
            self.model, self.device, 1, tokens, batch=self.conversations, weights=self.weights, kv=self.kv
        )
        return float(cost.time_s)
