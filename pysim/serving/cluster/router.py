"""Routers: which replica gets a request?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from pysim.errors import UnknownName
from pysim.serving.replica import Replica
from pysim.serving.request import Request


class Router(Protocol):
    """Chooses one of the replicas for a request."""

    def choose(self, request: Request, replicas: Sequence[Replica]) -> Replica:
        """The replica that gets it."""


class RoundRobin:
    """Each in turn."""

    def __init__(self) -> None:
        self._next = 0

    def choose(self, request: Request, replicas: Sequence[Replica]) -> Replica:
        """The next one."""
        self._next += 1
        return replicas[(self._next - 1) % len(replicas)]


class LeastTokens:
    """The one with the fewest tokens to read and to write."""

    def choose(self, request: Request, replicas: Sequence[Replica]) -> Replica:
        """The least loaded; of equals the first."""
        # Counting what is ahead takes as long as the queue is, and one replica needs no comparison.
        if len(replicas) == 1:
            return replicas[0]
        return min(replicas, key=lambda replica: (replica.tokens_ahead, replica.number))


class SameBeginning:
    """The one that read this conversation or beginning before, unless it has far more to do than the least loaded."""

    def __init__(self, most_ahead: float = 2.0) -> None:
        self._most_ahead = most_ahead
        self._homes: dict[tuple[str, int], int] = {}

    def choose(self, request: Request, replicas: Sequence[Replica]) -> Replica:
        """Its home, or the least loaded one, which becomes its home."""
        key = _key(request)
        least = LeastTokens().choose(request, replicas)
        if key is None:
            return least
        home = next((each for each in replicas if each.number == self._homes.get(key)), None)
        most = self._most_ahead * (least.tokens_ahead + request.prompt_tokens + request.output_tokens)
        chosen = home if home is not None and home.tokens_ahead <= most else least
        self._homes[key] = chosen.number
        return chosen


def _key(request: Request) -> tuple[str, int] | None:
    if request.session is not None:
        return "session", request.session
    return ("piece", request.beginning[0]) if request.beginning else None


ROUTERS: Final[dict[str, Callable[[], Router]]] = {
    "round-robin": RoundRobin,
    "least-tokens": LeastTokens,
    "same-beginning": SameBeginning,
}


def router_named(name: str) -> Router:
    """A fresh router; UnknownName naming those that there are."""
    if name not in ROUTERS:
        raise UnknownName("router", name, ROUTERS)
    return ROUTERS[name]()
