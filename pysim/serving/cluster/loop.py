"""One clock for all replicas: arrivals, steps, and rows on their way, each in the order of time."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from heapq import heappop, heappush

from pysim.serving.cluster.link import Link
from pysim.serving.cluster.router import LeastTokens, Router
from pysim.serving.frontend import NO_FRONT_END, FrontEnd
from pysim.serving.held import Held
from pysim.serving.replica import Replica
from pysim.serving.request import Outcome, Request


class Loop:
    """Serves a load on `writers`; where there are `readers`, they read the prompts and send the rows over `link`.

    `rows_bytes`: of so many tokens' rows. `at_once`: a closed loop, in which the next request arrives `think_s` after
    one of so many has ended.
    """

    def __init__(
        self, writers: Sequence[Replica], router: Router, *, readers: Sequence[Replica] = (), link: Link | None = None,
        rows_bytes: Callable[[int], float] = float, layers: int = 1, frontend: FrontEnd = NO_FRONT_END,
        at_once: int | None = None, think_s: float = 0.0,
    ) -> None:  # fmt: skip
        self._writers, self._readers, self._router = list(writers), list(readers), router
        self._all = [*readers, *writers]
        self._link, self._rows_bytes, self._layers = link, rows_bytes, layers
        self._frontend, self._at_once, self._think_s = frontend, at_once, think_s
        self._events: list[tuple[float, int, Held, Replica | None]] = []
        self._later: deque[Request] = deque()
        self._counted = 0
        self._outside: deque[tuple[Held, Replica, Replica, float]] = deque()
        self._source: dict[int, tuple[Held, Replica]] = {}
        self._wire_free_s: dict[int, float] = {}

    def run(self, load: Sequence[Request]) -> list[Outcome]:
        """Serve all; raises BadValue for a request that never fits, PolicyError for a plan that overdraws."""
        for replica in {replica.blocks.total: replica for replica in self._all}.values():
            for request in load:
                replica.check(request)
        self._later = deque(sorted(load, key=lambda request: (request.arrive_s, request.number)))
        self._begin()
        done: list[Outcome] = []
        while True:
            event_s = self._events[0][0] if self._events else math.inf
            busy = [replica for replica in self._all if replica.busy]
            first = min(busy, key=lambda replica: replica.now_s, default=None)
            if first is not None and first.now_s < event_s:
                done += self._step(first, self._horizon_s(first, busy, event_s))
            elif self._events:
                self._happen()
            else:
                return sorted(done, key=lambda outcome: outcome.request.number)

    def _begin(self) -> None:
        if self._at_once is not None:
            self._later = deque(replace(request, arrive_s=0.0) for request in self._later)
            for _ in range(min(self._at_once, len(self._later))):
                self._arrive(self._later.popleft())
            return
        times = self._frontend.ready_s([request.arrive_s for request in self._later])
        for request, ready_s in zip(self._later, times, strict=True):
            self._at(ready_s, Held(request, ready_s), None)
        self._later.clear()

    def _step(self, replica: Replica, until_s: float) -> list[Outcome]:
        done: list[Outcome] = []
        for held, outcome in replica.take_step(until_s):
            if replica.hands_over and held.generated < held.request.output_tokens:
                self._hand_over(held, replica)
                continue
            done.append(outcome)
            if self._later:
                self._arrive(replace(self._later.popleft(), arrive_s=outcome.finish_s + self._think_s))
        if self._outside:
            self._send_waiting(replica.now_s)
        return done

    def _horizon_s(self, first: Replica, busy: Sequence[Replica], event_s: float) -> float:
        """Until when nothing can reach this replica: what other replicas finish may, where loads or rows go on."""
        if len(self._all) == 1 or (self._at_once is None and not self._readers):
            return event_s
        return min([event_s, *(other.now_s for other in busy if other is not first)])

    def _arrive(self, request: Request) -> None:
        ready_s = request.arrive_s + self._frontend.latency_s
        self._at(ready_s, Held(request, ready_s), None)

    def _at(self, time_s: float, held: Held, target: Replica | None) -> None:
        self._counted += 1
        heappush(self._events, (time_s, self._counted, held, target))

    def _happen(self) -> None:
        now_s, _, held, target = heappop(self._events)
        if target is None:
            target = self._router.choose(held.request, self._readers or self._writers)
        else:
            old, reader = self._source.pop(held.request.number)
            reader.let_go(old, now_s)
        target.offer(held)

    def _hand_over(self, held: Held, reader: Replica) -> None:
        """A prompt is read: its rows are sent as soon as the replica that writes has room for them."""
        target = LeastTokens().choose(held.request, self._writers)
        sent = Held(held.request)
        sent.left, sent.generated = held.request.prompt_tokens + held.generated, held.generated
        sent.admitted_s, sent.first_s, sent.cached = held.admitted_s, held.first_s, held.cached
        sent.evictions, sent.recomputed = held.evictions, held.recomputed
        sent.names = ()
        reading_s = (held.first_s or 0.0) - (held.admitted_s or 0.0)
        self._source[held.request.number] = held, reader
        self._outside.append((sent, reader, target, reading_s))
        self._send_waiting(reader.now_s)

    def _send_waiting(self, now_s: float) -> None:
        for _ in range(len(self._outside)):
            held, reader, target, reading_s = self._outside.popleft()
            if self._link is None or not target.reserve(held):
                self._outside.append((held, reader, target, reading_s))
                continue
            size_bytes = self._rows_bytes(held.request.prompt_tokens)
            begun_s = max(
                now_s, held.first_s or 0.0, *(self._wire_free_s.get(id(end), 0.0) for end in (reader, target))
            )
            took_s = self._link.seconds(size_bytes, self._layers, reading_s)
            self._wire_free_s[id(reader)] = self._wire_free_s[id(target)] = begun_s + took_s
            held.sent_s = held.ready_s = begun_s + took_s
            self._at(held.ready_s, held, target)
