"""The protocol of a policy: what one may look at, and what it decides in each step."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pysim.errors import PysimError
from pysim.serving.request import Request


class PolicyError(PysimError):
    """A policy that overdraws memory, seats or the budget, or feeds what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A step: prompt tokens to feed, in order, and whether those that write take one more token.

    A waiting request is admitted by being fed.
    """

    feed: tuple[tuple[Held, int], ...] = ()
    decode: bool = True


class Held:
    """A request as the replica holds it. `left`: tokens still to be fed before its next token comes out."""

    __slots__ = (
        "admitted_s", "blocks", "computed", "evictions", "finish_s", "first_s", "generated", "kept_blocks", "left",
        "recomputed", "request", "since",
    )  # fmt: skip

    def __init__(self, request: Request) -> None:
        self.request = request
        self.left = request.prompt_tokens
        self.computed = 0
        self.generated = 0
        self.blocks = 0
        self.kept_blocks = 0
        self.since = 0
        self.evictions = 0
        self.recomputed = 0
        self.admitted_s: float | None = None
        self.first_s: float | None = None
        self.finish_s: float | None = None


class View(Protocol):
    """What a policy sees: sums that the replica keeps, and the requests that are fed or wait."""

    @property
    def seats(self) -> int:
        """Conversations at once, at most."""

    @property
    def budget(self) -> int:
        """Tokens of a step, at most."""

    @property
    def running(self) -> int:
        """Requests with a seat."""

    @property
    def decoding(self) -> int:
        """Of them, those that write."""

    @property
    def free_blocks(self) -> int:
        """Blocks that are free after the rows that writing itself needs in this step."""

    @property
    def partial(self) -> Iterable[Held]:
        """Admitted requests whose prompt is not done, in order of admission."""

    @property
    def waiting(self) -> Iterable[Held]:
        """The queue, its head first."""

    def cached(self, held: Held) -> int:
        """Rows that a waiting request would find again."""

    def blocks_for(self, held: Held, tokens: int) -> int:
        """Free blocks that feeding so many more tokens takes."""


class Policy(Protocol):
    """One scheduler's rules. Where rows lack room, the replica evicts the request admitted last, to be fed again."""

    name: ClassVar[str]

    def plan(self, view: View) -> Plan:
        """What this step carries."""
