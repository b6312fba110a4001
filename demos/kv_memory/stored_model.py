"""What is stored on a device, and what that makes of memory and of the time of a token."""

from __future__ import annotations

from dataclasses import dataclass

import pysim
from pysim.memory.occupancy import DeviceMemory, occupancy


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredModel:
    """A deployment and its number of conversations: everything but how long they are."""

    on: pysim.Deployment
    conversations: int

    def filled(self, tokens: int, reserved_tokens: int) -> DeviceMemory:
        """Return what is in the device's memory at a length of the conversations."""
        return occupancy(self.on, tokens, self.conversations, reserved_tokens).per_device[0]

    def pass_of(self, tokens: int) -> pysim.PassCost:
        """One decode pass at typical speed, each conversation `tokens` long."""
        return self.on.pass_cost(1, tokens, self.conversations, speed="typical")

    def tpot_s(self, tokens: int) -> float:
        """Typical time of one decode pass, each conversation `tokens` long."""
        return self.pass_of(tokens).time_s
