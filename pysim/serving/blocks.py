"""Blocks of the KV cache: what is free, and what of it still holds the rows of evicted requests."""

from __future__ import annotations

from collections import OrderedDict

from pysim.serving.policy import Held


class Blocks:
    """A pool of blocks of `block_tokens` rows. Freed rows of evicted requests stay until their block is needed.

    As in vLLM's queue of free blocks, what was freed longest ago is taken first, and of one request its tail.
    """

    def __init__(self, total: int, block_tokens: int, *, keeps_rows: bool) -> None:
        self.total, self.block_tokens, self.keeps_rows = total, block_tokens, keeps_rows
        self.free = total
        self._kept: OrderedDict[int, Held] = OrderedDict()
        self._kept_blocks = 0

    def needed(self, rows: int) -> int:
        """Blocks that so many rows take."""
        return -(-rows // self.block_tokens)

    def take(self, count: int) -> None:
        """Take free blocks; kept rows go, oldest first, where there are no others."""
        self.free -= count
        while self._kept and self._kept_blocks > self.free:
            _, held = next(iter(self._kept.items()))
            gone = min(held.kept_blocks, self._kept_blocks - self.free)
            held.kept_blocks -= gone
            self._kept_blocks -= gone
            if not held.kept_blocks:
                del self._kept[held.request.number]

    def release(self, held: Held, *, keeps: bool) -> None:
        """Give a request's blocks back; an evicted one's full blocks are kept as long as they are not needed."""
        self.free += held.blocks
        if keeps and self.keeps_rows:
            full = min(held.blocks, held.computed // self.block_tokens)
            if full:
                held.kept_blocks = full
                self._kept[held.request.number] = held
                self._kept_blocks += full
        held.blocks = 0

    def found(self, held: Held) -> int:
        """Rows that a request would find again: whole blocks, at most all tokens but one."""
        return min(held.kept_blocks, max(0, held.left - 1) // self.block_tokens) * self.block_tokens

    def reuse(self, held: Held) -> int:
        """Take a request's kept blocks for it again; returns the rows in them."""
        rows = self.found(held)
        if held.kept_blocks:
            self._kept_blocks -= held.kept_blocks
            self._kept.pop(held.request.number, None)
            held.kept_blocks = 0
        count = rows // self.block_tokens
        if count:
            self.take(count)
            held.blocks = count
        return rows
