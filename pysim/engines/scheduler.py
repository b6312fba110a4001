"""How an engine schedules many requests: by which rules, and how much a step may carry by default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from pysim.catalog.fields import Field

if TYPE_CHECKING:
    from pysim.hardware.device import Device

GIB: Final = 2**30
SCHEDULER_FIELDS: Final[Mapping[str, Field]] = {
    "policy": Field(required=True),
    "step_tokens": Field(kind="count", required=True),
    "seats": Field(kind="count", required=True),
    "large_from_gib": Field(kind="count"),
    "large_step_tokens": Field(kind="count"),
    "large_seats": Field(kind="count"),
    "never_large": Field(kind="texts"),
    "several_devices_math": Field(kind="fraction"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulerRule:
    """The rules by name (`pysim.serving.policies`), and the steps and seats by default.

    Devices with at least `large_from_bytes` of memory, whose key begins with none of `never_large`, get larger steps.
    `several_devices_math`: the share of its arithmetic's speed that is left in load tests where several devices share a
    model, by measurements of many requests at once.
    """

    policy: str
    step_tokens: int
    seats: int
    large_from_bytes: float | None
    large_step_tokens: int
    large_seats: int
    never_large: tuple[str, ...]
    several_devices_math: float = 1.0

    def is_large(self, device: Device) -> bool:
        """Does the device get the larger steps?"""
        enough = self.large_from_bytes is not None and (device.memory_bytes or 0) >= self.large_from_bytes
        return enough and not (device.key or "").startswith(self.never_large)

    def step_tokens_on(self, device: Device) -> int:
        """Most tokens of a step."""
        return self.large_step_tokens if self.is_large(device) else self.step_tokens

    def seats_on(self, device: Device) -> int:
        """Most conversations at once."""
        return self.large_seats if self.is_large(device) else self.seats


def scheduler_rule(table: Mapping[str, Any] | None) -> SchedulerRule | None:
    """The rule of an engine's file, or None where it has none."""
    if table is None:
        return None
    large = table.get("large_from_gib")
    return SchedulerRule(
        policy=str(table["policy"]),
        step_tokens=int(table["step_tokens"]),
        seats=int(table["seats"]),
        large_from_bytes=None if large is None else float(large) * GIB,
        large_step_tokens=int(table.get("large_step_tokens", table["step_tokens"])),
        large_seats=int(table.get("large_seats", table["seats"])),
        never_large=tuple(str(each) for each in table.get("never_large", ())),
        several_devices_math=float(table.get("several_devices_math", 1.0)),
    )
