"""The books of a replica: who is here, which blocks are free, and what a policy may see of it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from pysim.errors import BadValue
from pysim.serving.blocks import Blocks
from pysim.serving.held import Held
from pysim.serving.policy import View
from pysim.serving.request import Request
from pysim.serving.writers import Writers


class Books(View):
    """Requests that wait, are read, or write, and their blocks; `seats` conversations, `budget` tokens a step."""

    def __init__(self, *, seats: int, budget: int, blocks: Blocks) -> None:
        self.blocks, self._seats, self._budget = blocks, seats, budget
        self._queue: deque[Held] = deque()
        self._seated: dict[int, Held] = {}
        self._partial: dict[int, Held] = {}
        self._writers = Writers(blocks.block_tokens)
        self.stalled = False
        self._lent = 0
        self._promised = self._steps = self._fed_at = self._evicted_at = 0

    @property
    def seats(self) -> int:
        """Conversations at once, at most."""
        return self._seats

    @property
    def budget(self) -> int:
        """Tokens of a step, at most."""
        return self._budget

    @property
    def running(self) -> int:
        """Requests with a seat."""
        return len(self._seated)

    @property
    def decoding(self) -> int:
        """Of them, those that write."""
        return self._writers.count

    @property
    def total_blocks(self) -> int:
        """Blocks of the whole cache."""
        return self.blocks.total

    @property
    def block_tokens(self) -> int:
        """Rows of a block."""
        return self.blocks.block_tokens

    @property
    def free_blocks(self) -> int:
        """Free blocks, less those that writing needs in this step."""
        return self.blocks.free - self._writers.blocks_due

    @property
    def promised_blocks(self) -> int:
        """Blocks that those with a seat come to need at most."""
        return self._promised

    @property
    def steps_since_feed(self) -> int:
        """Steps since a prompt was fed."""
        return self._steps - self._fed_at

    @property
    def steps_since_eviction(self) -> int:
        """Steps since the last eviction."""
        return self._steps - self._evicted_at

    @property
    def seated(self) -> Iterable[Held]:
        """Requests with a seat, in order of admission."""
        return self._seated.values()

    @property
    def partial(self) -> Iterable[Held]:
        """Admitted requests whose prompt is not done."""
        return self._partial.values()

    @property
    def waiting(self) -> Iterable[Held]:
        """The queue, its head first."""
        return self._queue

    def written(self, held: Held) -> int:
        """Tokens of its answer so far."""
        writes = held.request.number in self._seated and held.request.number not in self._partial
        return held.generated + (self._writers.step - held.since if writes else 0)

    def cached(self, held: Held) -> int:
        """Rows that a waiting request would find again."""
        return 0 if held.request.number in self._seated else self.blocks.found(held)

    def blocks_for(self, held: Held, tokens: int) -> int:
        """Free blocks that feeding `tokens` more takes, those with rows that are found again among them."""
        if held.request.number in self._seated:
            return self.blocks.needed(held.computed + tokens) - held.blocks
        rows = self.blocks.found(held) + tokens
        return self.blocks.needed(rows) - held.blocks - self.blocks.shared_now(held)

    def blocks_at_most(self, held: Held) -> int:
        """Blocks that a request comes to need at most, with its longest answer."""
        return min(self.blocks.total, self.blocks.needed(held.request.rows_at_most))

    @property
    def busy(self) -> bool:
        """Is there something to do, and not all of it waiting for blocks that are lent?"""
        return not self.stalled and bool(self._queue or self._seated)

    @property
    def tokens_ahead(self) -> int:
        """Tokens that are here to be fed or written, by which a router compares replicas."""
        return sum(held.left + held.request.output_tokens for held in (*self._queue, *self._seated.values()))

    def check(self, request: Request) -> None:
        """Raise BadValue for a request that can never fit."""
        if request.prompt_tokens < 1 or request.output_tokens < 1:
            raise BadValue(f"request {request.number}: prompt and answer need a token at least")
        rows = request.prompt_tokens + request.output_tokens - 1
        if self.blocks.needed(rows) > self.blocks.total:
            room = self.blocks.total * self.blocks.block_tokens
            raise BadValue(
                f"request {request.number} never fits: it needs {rows:,} rows of cache, there is room for {room:,}"
            )

    def reserve(self, held: Held) -> bool:
        """Take the blocks of a request that another replica sends, if they are free."""
        count = self.blocks.needed(held.request.prompt_tokens + 1)
        if count > self.free_blocks:
            return False
        self.blocks.take(count)
        held.blocks, held.sent_rows = count, held.request.prompt_tokens
        self._lent += 1
        return True
