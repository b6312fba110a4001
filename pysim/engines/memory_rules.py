"""Memory rules: how an engine stores the cache, what it sets aside, and what it needs beside weights and cache."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

ReservationKind = Literal["share of memory", "whole context", "context by memory"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheRule:
    """How an engine stores the cache of its conversations.

    `step_tokens`: rows are taken in whole steps (blocks, padding). `window_pass_tokens`: a layer with a window has
    room for the window and for so many tokens of a pass. `window_format`: the format of rows with a window where the
    cache is quantized; None as the others. `unread_windows`: architectures whose window the engine does not read; with
    `whole_windows` it is as if it read none.
    `conv_bytes`: of one cached input of a convolution. `slots`: for how many conversations it keeps room;
    `shared_up_to`: up to so many share one cache, more have one each.
    """

    step_tokens: int = 1
    window_pass_tokens: int = 0
    window_format: str | None = None
    unread_windows: tuple[str, ...] = ()
    whole_windows: bool = False
    conv_bytes: int = 2
    slots: int = 1
    shared_up_to: int = 0


# Rows as they are: no steps, no spare room, one conversation at a time.
PLAIN_CACHE: Final = CacheRule()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReservationRule:
    """How an engine sets memory aside for the KV cache before the first token.

    `kind`: a pool of a `share` of each device's memory, the whole context of every conversation, or a context chosen
    by the memory of all devices. `step_tokens`: contexts are rounded up to whole steps (blocks, padding). `contexts`:
    pairs of the least memory in bytes and the tokens chosen from there on, largest first. `rule` and `note` are
    sentences for readers, `order` the place among engines shown side by side.
    """

    kind: ReservationKind
    order: int
    share: float
    step_tokens: int
    contexts: tuple[tuple[float, int], ...]
    rule: str
    note: str
    source: str

    @property
    def pooled(self) -> bool:
        """Does the engine take its share at once, whatever the conversations need?"""
        return self.kind == "share of memory"
