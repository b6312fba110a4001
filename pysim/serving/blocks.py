"""Blocks of the KV cache: what is free, and what of it still holds rows that a request may find again."""

from __future__ import annotations

from collections import OrderedDict

from pysim.errors import BadValue
from pysim.serving.held import Held


class Blocks:
    """A pool of blocks of `block_tokens` rows; with `keeps_rows`, freed rows stay until their block is needed.

    As in vLLM's queue of free blocks, what was freed longest ago is taken first, and of one request its tail. Rows have
    a name where a request names the pieces of its text: requests that begin with the same names share them. Only the
    request that was evicted from unnamed rows can find them again.
    """

    def __init__(self, total: int, block_tokens: int, *, keeps_rows: bool) -> None:
        self.total, self.block_tokens, self.keeps_rows = total, block_tokens, keeps_rows
        self.free = total
        # What is free but still holds rows, oldest first: an evicted request, or the name of a piece and its blocks.
        self._kept: OrderedDict[tuple[str, int], Held | int] = OrderedDict()
        self._kept_blocks = 0
        self._users: dict[int, int] = {}

    def needed(self, rows: int) -> int:
        """Blocks that so many rows take."""
        return -(-rows // self.block_tokens)

    def take(self, count: int) -> None:
        """Take free blocks; kept rows go, oldest first, where there are no others."""
        self.free -= count
        while self._kept and self._kept_blocks > self.free:
            key, kept = next(iter(self._kept.items()))
            if isinstance(kept, int):
                self._kept_blocks -= kept
                del self._kept[key]
                continue
            gone = min(kept.kept_blocks, self._kept_blocks - self.free)
            kept.kept_blocks -= gone
            self._kept_blocks -= gone
            if not kept.kept_blocks:
                del self._kept[key]

    def release(self, held: Held, *, keeps: bool) -> None:
        """Give a request's blocks back; an evicted one's full blocks are kept as long as they are not needed."""
        if held.names and self.keeps_rows:
            self._release_named(held)
            return
        self.free += held.blocks
        if keeps and self.keeps_rows:
            full = min(held.blocks, held.computed // self.block_tokens)
            if full:
                held.kept_blocks = full
                self._kept["held", held.request.number] = held
                self._kept_blocks += full
        held.blocks = 0

    def found(self, held: Held) -> int:
        """Rows that a request would find again: whole blocks, at most all tokens but one."""
        if held.sent_rows:
            return held.sent_rows
        most = max(0, held.left - 1)
        if held.names and self.keeps_rows:
            return self._found_pieces(held, most) * held.request.piece_tokens
        return min(held.kept_blocks, most // self.block_tokens) * self.block_tokens

    def shared_now(self, held: Held) -> int:
        """Blocks of what a waiting request would find that others hold now: it takes none of the free ones for them."""
        if held.sent_rows or not (held.names and self.keeps_rows):
            return 0
        found = self._found_pieces(held, max(0, held.left - 1))
        return sum(name in self._users for name in held.names[:found]) * self._piece_blocks(held)

    def reuse(self, held: Held) -> int:
        """Take what a request finds again; returns the rows in it."""
        rows = self.found(held)
        if held.sent_rows:
            held.sent_rows = 0
            return rows
        if held.names and self.keeps_rows:
            size = self._piece_blocks(held)
            for name in held.names[: rows // held.request.piece_tokens]:
                if name not in self._users:
                    self._kept_blocks -= size
                    del self._kept["piece", name]
                    self.take(size)
                self._users[name] = self._users.get(name, 0) + 1
                held.shared += 1
            held.blocks = held.shared * size
            return rows
        if held.kept_blocks:
            self._kept_blocks -= held.kept_blocks
            self._kept.pop(("held", held.request.number), None)
            held.kept_blocks = 0
        count = rows // self.block_tokens
        if count:
            self.take(count)
            held.blocks = count
        return rows

    def name_rows(self, held: Held) -> None:
        """Whole pieces that a request has computed can be found under their names from now on."""
        if not (held.names and self.keeps_rows):
            return
        whole = min(len(held.names), held.computed // held.request.piece_tokens)
        for name in held.names[held.shared : whole]:
            # A second copy, computed at the same time, stays unnamed: as in vLLM, the first one is found.
            if name in self._users or ("piece", name) in self._kept:
                break
            self._users[name] = 1
            held.shared += 1

    def _piece_blocks(self, held: Held) -> int:
        size, rest = divmod(held.request.piece_tokens, self.block_tokens)
        if rest or not size:
            raise BadValue(
                f"request {held.request.number}: pieces of {held.request.piece_tokens} tokens are no whole blocks of "
                f"{self.block_tokens}"
            )
        return size

    def _found_pieces(self, held: Held, most_rows: int) -> int:
        count = 0
        for name in held.names[: most_rows // held.request.piece_tokens]:
            if name not in self._users and ("piece", name) not in self._kept:
                break
            count += 1
        return count

    def _release_named(self, held: Held) -> None:
        self.name_rows(held)
        size = self._piece_blocks(held)
        self.free += held.blocks - held.shared * size
        for name in reversed(held.names[: held.shared]):
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name]
                self.free += size
                self._kept["piece", name] = size
                self._kept_blocks += size
        held.blocks = held.shared = 0
