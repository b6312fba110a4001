"""The protocol of a policy: what one may look at, and what it decides in each step."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from pysim.errors import PysimError
from pysim.serving.held import Held


class PolicyError(PysimError):
    """A policy that overdraws memory, seats or the budget, or feeds what is missing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A step: prompt tokens to feed, in order, and whether those that write take one more token.

    A waiting request is admitted by being fed.
    """

    feed: tuple[tuple[Held, int], ...] = ()
    decode: bool = True


class View(Protocol):
    """What a policy sees: sums that the replica keeps, and the requests that are fed, write or wait."""

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
    def total_blocks(self) -> int:
        """Blocks of the whole cache."""

    @property
    def block_tokens(self) -> int:
        """Rows of a block."""

    @property
    def free_blocks(self) -> int:
        """Blocks that are free after the rows that writing itself needs in this step."""

    @property
    def promised_blocks(self) -> int:
        """Blocks that the requests with a seat come to need at most, each with its longest answer."""

    @property
    def steps_since_feed(self) -> int:
        """Steps since a prompt was fed last."""

    @property
    def steps_since_eviction(self) -> int:
        """Steps since the last eviction, or since the start."""

    @property
    def seated(self) -> Iterable[Held]:
        """Requests with a seat, in order of admission."""

    @property
    def partial(self) -> Iterable[Held]:
        """Of them, those whose prompt is not done, in order of admission."""

    @property
    def waiting(self) -> Iterable[Held]:
        """The queue, its head first."""

    def written(self, held: Held) -> int:
        """Tokens of its answer so far."""

    def cached(self, held: Held) -> int:
        """Rows that a waiting request would find again."""

    def blocks_for(self, held: Held, tokens: int) -> int:
        """Free blocks that feeding so many more tokens takes."""

    def blocks_at_most(self, held: Held) -> int:
        """Blocks that a request comes to need at most, with its longest answer."""


class Policy(ABC):
    """One scheduler's rules; inherit from it. `plan` is what every policy says itself.

    `label`: its name for people (empty: `name`).
    `asked_each_step`: its mind may change in a step without arrivals or ends while somebody waits. `keeps_rows`: rows
    of ended and evicted requests stay until their room is needed. `pass_tokens`: a step with more tokens is cut into
    passes of that many (0: one pass).
    """

    name: ClassVar[str]
    label: ClassVar[str] = ""
    asked_each_step: ClassVar[bool] = False
    keeps_rows: ClassVar[bool] = True
    pass_tokens: ClassVar[int] = 0

    @abstractmethod
    def plan(self, view: View) -> Plan:
        """What this step carries."""

    def victim(self, view: View) -> Held:
        """Who is evicted where rows lack room: the one admitted last, unless a policy says otherwise."""
        *_, last = view.seated
        return last


def check(policy: str, plan: Plan, view: View) -> None:
    """Raise PolicyError where a plan feeds more than there is, or seats more than there are."""
    room = view.budget - (view.decoding if plan.decode else 0)
    total = sum(tokens for _, tokens in plan.feed)
    if total > room:
        raise PolicyError(f"{policy} feeds {total:,} tokens in a step that has room for {room:,}")
    for held, tokens in plan.feed:
        if not 1 <= tokens <= held.left:
            raise PolicyError(
                f"{policy} feeds {tokens} tokens of request {held.request.number}, which has {held.left} left"
            )
    if len({held.request.number for held, _ in plan.feed}) < len(plan.feed):
        raise PolicyError(f"{policy} feeds a request twice in one step")
    partial = {id(held) for held in view.partial} if plan.feed else set()
    new = sum(id(held) not in partial for held, _ in plan.feed)
    if view.running + new > view.seats:
        raise PolicyError(f"{policy} seats {view.running + new} conversations; there are {view.seats} seats")
