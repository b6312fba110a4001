"""Those that write, as sums: their number, their cached rows, and how many of them need a new block at each step."""

from __future__ import annotations

from heapq import heapify, heappop, heappush

from pysim.serving.held import Held


class Writers:
    """Conversations that take one token in each step; a step costs the same for one or for a thousand of them."""

    def __init__(self, block_tokens: int) -> None:
        self.block_tokens = block_tokens
        self.step, self.count, self.rows = 0, 0, 0
        self._due = [0] * block_tokens
        self._ends: list[tuple[int, int]] = []

    @property
    def blocks_due(self) -> int:
        """New blocks that they need in the coming step."""
        return self._due[self.step % self.block_tokens]

    @property
    def next_end(self) -> int:
        """The step after which the first of them ends."""
        return self._ends[0][0]

    def go_on(self, steps: int = 1) -> None:
        """Everyone writes a token, or so many."""
        self.rows += self.count * steps
        self.step += steps

    def blocks_over(self, steps: int) -> int:
        """New blocks that they need in so many steps: each of them one in every `block_tokens`."""
        rounds, rest = divmod(steps, self.block_tokens)
        at = self.step % self.block_tokens
        last = self._due[at : at + rest] + self._due[: max(0, at + rest - self.block_tokens)]
        return rounds * self.count + sum(last)

    def ended(self) -> list[int]:
        """The numbers of those that have their last token, which stop writing one by one."""
        numbers: list[int] = []
        while self._ends and self._ends[0][0] <= self.step:
            numbers.append(heappop(self._ends)[1])
        return numbers

    def start(self, held: Held) -> None:
        """A request has a token of its answer, and writes from the coming step on."""
        held.since = self.step
        self.count += 1
        self.rows += held.computed
        # The row that the coming step writes has this number; a block is due where it is the first of one.
        self._due[(self.step - held.computed) % self.block_tokens] += 1
        heappush(self._ends, (self.step + held.request.output_tokens - held.generated, held.request.number))

    def stop(self, held: Held) -> None:
        """A request has ended, or is evicted: what it wrote is written down in it."""
        self.count -= 1
        self._due[(held.since - held.computed) % self.block_tokens] -= 1
        written = self.step - held.since
        held.generated += written
        held.computed += written
        held.blocks = -(-held.computed // self.block_tokens)
        self.rows -= held.computed

    def forget(self, held: Held) -> None:
        """An evicted request does not end at its step."""
        self._ends = [(step, number) for step, number in self._ends if number != held.request.number]
        heapify(self._ends)
