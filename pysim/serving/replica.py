"""One replica: it takes the steps that a policy plans, keeps the books, and evicts where rows lack room.

A stretch in which only those go on that write (`pysim.serving.writers`) needs no policy, and is taken at once.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pysim.errors import BadValue
from pysim.serving.blocks import Blocks
from pysim.serving.policy import Held, Plan, Policy, PolicyError
from pysim.serving.request import Outcome, Request
from pysim.serving.step_cost import StepCost
from pysim.serving.writers import Writers


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """Steps alike: when they began, how many, how long together, who wrote, what was fed, free blocks at the end."""

    start_s: float
    steps: int
    seconds: float
    decoding: int
    fed_tokens: int
    waiting: int
    free_blocks: int


class Replica:
    """A replica of `seats` conversations, `budget` tokens a step, `blocks` of the cache; without `jumps` it walks."""

    def __init__(
        self, cost: StepCost, policy: Policy, *, seats: int, budget: int, blocks: Blocks, jumps: bool = True
    ) -> None:
        self.cost, self.policy, self.seats, self.budget, self.blocks = cost, policy, seats, budget, blocks
        self.jumps = jumps
        self.now_s = 0.0
        self.stretches: list[Stretch] = []
        self._queue: deque[Held] = deque()
        self._seated: dict[int, Held] = {}
        self._partial: dict[int, Held] = {}
        self._writers = Writers(blocks.block_tokens)

    # What a policy sees.

    @property
    def running(self) -> int:
        """Requests with a seat."""
        return len(self._seated)

    @property
    def decoding(self) -> int:
        """Of them, those that write."""
        return self._writers.count

    @property
    def free_blocks(self) -> int:
        """Free blocks, less those that writing needs in this step."""
        return self.blocks.free - self._writers.blocks_due

    @property
    def partial(self) -> Iterable[Held]:
        """Admitted requests whose prompt is not done."""
        return self._partial.values()

    @property
    def waiting(self) -> Iterable[Held]:
        """The queue, its head first."""
        return self._queue

    def cached(self, held: Held) -> int:
        """Rows that a waiting request would find again."""
        return 0 if held.request.number in self._seated else self.blocks.found(held)

    def blocks_for(self, held: Held, tokens: int) -> int:
        """Free blocks that feeding `tokens` more takes, those with rows that are found again among them."""
        rows = held.computed + self.cached(held) + tokens
        return self.blocks.needed(rows) - held.blocks

    # What happens.

    def run(self, load: Sequence[Request], at_once: int | None = None) -> list[Outcome]:
        """Serve all requests; raises BadValue for one that can never fit, PolicyError for a plan that overdraws.

        `at_once`: a closed loop, in which the next request arrives when one of so many has ended.
        """
        for request in load:
            self._check(request)
        arrivals = deque(sorted(load, key=lambda request: (request.arrive_s, request.number)))
        later: deque[Request] = deque()
        if at_once is not None:
            later = deque(replace(request, arrive_s=0.0) for request in arrivals)
            arrivals = deque(later.popleft() for _ in range(min(at_once, len(later))))
        done: list[Outcome] = []
        while arrivals or self._queue or self._seated:
            if not self._queue and not self._seated:
                self.now_s = max(self.now_s, arrivals[0].arrive_s)
            while arrivals and arrivals[0].arrive_s <= self.now_s:
                self._queue.append(Held(arrivals.popleft()))
            ended = self._take_step(arrivals[0].arrive_s if arrivals else float("inf"))
            for _ in range(min(len(ended), len(later))):
                arrivals.append(replace(later.popleft(), arrive_s=self.now_s))
            done += ended
        return sorted(done, key=lambda outcome: outcome.request.number)

    def _check(self, request: Request) -> None:
        rows = request.prompt_tokens + request.output_tokens - 1
        if self.blocks.needed(rows) > self.blocks.total:
            room = self.blocks.total * self.blocks.block_tokens
            raise BadValue(
                f"request {request.number} never fits: it needs {rows:,} rows of cache, there is room for {room:,}"
            )
        if request.prompt_tokens < 1 or request.output_tokens < 1:
            raise BadValue(f"request {request.number}: prompt and answer need a token at least")

    def _take_step(self, next_arrival_s: float) -> list[Outcome]:
        evicted = self._make_room()
        plan = Plan() if evicted else self.policy.plan(self)
        if plan.feed:
            return self._mixed_step(plan)
        if self._writers.count:
            return self._decode_steps(next_arrival_s, once=evicted or not self.jumps)
        # Prompts that hold all blocks between them and can't go on: the one admitted last gives way.
        if len(self._seated) < 2:
            raise PolicyError(f"{self.policy.name} feeds nobody although {len(self._queue)} wait and nobody writes")
        self._evict(self._seated[next(reversed(self._seated))])
        return []

    def _make_room(self) -> bool:
        evicted = False
        while self._writers.blocks_due > self.blocks.free:
            number = next(reversed(self._seated))
            self._evict(self._seated[number])
            evicted = True
        return evicted

    def _evict(self, held: Held) -> None:
        number = held.request.number
        if number in self._partial:
            del self._partial[number]
        else:
            self._writers.stop(held)
            self._writers.forget(held)
        del self._seated[number]
        self.blocks.release(held, keeps=True)
        held.evictions += 1
        held.left = held.request.prompt_tokens + held.generated
        held.computed = 0
        self._queue.appendleft(held)

    def _decode_steps(self, next_arrival_s: float, *, once: bool) -> list[Outcome]:
        """Steps in which only those that write go on: until one ends, somebody arrives, or blocks lack."""
        writers, blocks, decode_s = self._writers, self.blocks, self.cost.decode_s
        started_s, began = self.now_s, writers.step
        end = began + 1 if once else writers.next_end
        while writers.step < end and writers.blocks_due <= blocks.free:
            blocks.take(writers.blocks_due)
            self.now_s += decode_s(writers.count, float(writers.rows))
            writers.go_on()
            if self.now_s >= next_arrival_s:
                break
        self._note(started_s, writers.step - began, 0, writers.count)
        return self._finished()

    def _mixed_step(self, plan: Plan) -> list[Outcome]:
        self._check_plan(plan)
        fed: list[tuple[int, int]] = []
        started_s = self.now_s
        if plan.decode:
            self.blocks.take(self._writers.blocks_due)
        for held, tokens in plan.feed:
            fed.append(self._feed(held, tokens))
        if self.blocks.free < 0:
            raise PolicyError(
                f"{self.policy.name} overdraws memory by {-self.blocks.free:,} blocks at {started_s:.3f} s"
            )
        count, rows = (self._writers.count, self._writers.rows) if plan.decode else (0, 0)
        self.now_s += self.cost.mixed_s(count, float(rows), fed)
        if count:
            self._writers.go_on()
        done = self._finished()
        done += self._first_tokens(plan)
        self._note(started_s, 1, sum(tokens for tokens, _ in fed), count)
        return done

    def _check_plan(self, plan: Plan) -> None:
        name, budget = self.policy.name, self.budget - (self._writers.count if plan.decode else 0)
        total = sum(tokens for _, tokens in plan.feed)
        if total > budget:
            raise PolicyError(f"{name} feeds {total:,} tokens in a step that has room for {budget:,}")
        for held, tokens in plan.feed:
            if not 1 <= tokens <= held.left:
                raise PolicyError(
                    f"{name} feeds {tokens} tokens of request {held.request.number}, which has {held.left} left"
                )
        new = sum(held.request.number not in self._seated for held, _ in plan.feed)
        if self.running + new > self.seats:
            raise PolicyError(f"{name} seats {self.running + new} conversations; there are {self.seats} seats")

    def _feed(self, held: Held, tokens: int) -> tuple[int, int]:
        number = held.request.number
        if number not in self._seated:
            self._queue.remove(held)
            self._seated[number] = self._partial[number] = held
            if held.admitted_s is None:
                held.admitted_s = self.now_s
            found = self.blocks.reuse(held)
            held.computed, held.left = found, held.left - found
            held.recomputed += held.left if held.evictions else 0
            tokens = min(tokens, held.left)
        cached = held.computed
        new_blocks = self.blocks.needed(cached + tokens) - held.blocks
        self.blocks.take(new_blocks)
        held.blocks += new_blocks
        held.computed, held.left = cached + tokens, held.left - tokens
        return tokens, cached

    def _first_tokens(self, plan: Plan) -> list[Outcome]:
        """Those whose prompt is done have their next token, and write from now on."""
        done: list[Outcome] = []
        for held, _ in plan.feed:
            if held.left:
                continue
            del self._partial[held.request.number]
            held.generated += 1
            if held.first_s is None:
                held.first_s = self.now_s
            if held.generated >= held.request.output_tokens:
                done.append(self._leave(held))
            else:
                self._writers.start(held)
        return done

    def _finished(self) -> list[Outcome]:
        done: list[Outcome] = []
        for number in self._writers.ended():
            held = self._seated[number]
            self._writers.stop(held)
            done.append(self._leave(held))
        return done

    def _leave(self, held: Held) -> Outcome:
        del self._seated[held.request.number]
        self.blocks.release(held, keeps=False)
        first_s, admitted_s = held.first_s, held.admitted_s
        if first_s is None or admitted_s is None:
            raise PolicyError(f"request {held.request.number} ended without a first token")
        return Outcome(
            request=held.request,
            admitted_s=admitted_s,
            first_s=first_s,
            finish_s=self.now_s,
            evictions=held.evictions,
            recomputed_tokens=held.recomputed,
        )

    def _note(self, started_s: float, steps: int, fed: int, decoding: int) -> None:
        self.stretches.append(
            Stretch(
                start_s=started_s,
                steps=steps,
                seconds=self.now_s - started_s,
                decoding=decoding,
                fed_tokens=fed,
                waiting=len(self._queue),
                free_blocks=self.blocks.free,
            )
        )
