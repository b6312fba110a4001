"""Shortest prompt first: of the queue, the one with the fewest tokens to feed is next; else as vLLM V1."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.policy import Held, Plan, View


@dataclass(frozen=True, slots=True, kw_only=True)
class ShortestFirst:
    """It lowers the mean wait, and long prompts may wait for ever while short ones come."""

    name: ClassVar[str] = "shortest-first"

    def plan(self, view: View) -> Plan:
        """The queue in order of the tokens left."""
        return VllmV1().plan(_Sorted(view))


class _Sorted:
    """A view whose queue is sorted."""

    def __init__(self, view: View) -> None:
        self._view = view

    @property
    def waiting(self) -> Iterable[Held]:
        return sorted(self._view.waiting, key=lambda held: (held.left, held.request.number))

    def __getattr__(self, name: str):  # type: ignore[no-untyped-def]
        return getattr(self._view, name)
