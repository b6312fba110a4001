"""One replica: it takes the steps that a policy plans, keeps the books, and evicts where rows lack room.

A stretch in which only those go on that write (`pysim.serving.writers`) needs no policy, and is taken at once.
"""

from __future__ import annotations

import math

from pysim.serving.blocks import Blocks
from pysim.serving.books import Books
from pysim.serving.held import Held
from pysim.serving.policy import Plan, Policy, PolicyError, check
from pysim.serving.record import Stretch
from pysim.serving.request import Outcome
from pysim.serving.step_cost import StepCost


class Replica(Books):
    """A replica of `seats` conversations, `budget` tokens a step, `blocks` of the cache; without `jumps` it walks.

    With `hands_over`, a request leaves with its first token, its blocks still held until `let_go`.
    """

    def __init__(
        self, cost: StepCost, policy: Policy, *, seats: int, budget: int, blocks: Blocks, jumps: bool = True,
        hands_over: bool = False, number: int = 0, records: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(seats=seats, budget=budget, blocks=blocks)
        self.cost, self.policy, self.number = cost, policy, number
        self._jumps, self.hands_over, self._records = jumps, hands_over, records
        self.now_s = 0.0
        self.stretches: list[Stretch] = []

    def offer(self, held: Held) -> None:
        """A request arrives; an idle replica begins when it does. One whose rows were sent goes first."""
        if not self.busy:
            self.now_s = max(self.now_s, held.ready_s)
        self.stalled = False
        if held.sent_rows:
            self._lent -= 1
            self._queue.appendleft(held)
        else:
            self._queue.append(held)

    def let_go(self, held: Held, now_s: float) -> None:
        """The rows of a request that was handed over are no longer needed here."""
        self.blocks.release(held, keeps=True)
        self._lent -= 1
        if self.stalled:
            self.now_s, self.stalled = max(self.now_s, now_s), False

    def take_step(self, until_s: float) -> list[tuple[Held, Outcome]]:
        """A step, or a stretch of steps that ends with the first one after `until_s`; returns who left."""
        evicted = self._make_room()
        # Nobody is admitted in a step that evicts, as long as somebody writes.
        plan = Plan() if evicted and self._writers.count else self.policy.plan(self)
        if plan.feed:
            return self._mixed_step(plan)
        if self._writers.count:
            alone = evicted or not self._jumps or (self.policy.asked_each_step and bool(self._queue))
            return self._decode_steps(until_s, once=alone)
        if self._lent:
            self.stalled = True
            return []
        # Prompts that hold all blocks, between them or with rows that were sent, and can't go on: one gives way.
        if len(self._partial) + any(held.sent_rows for held in self._queue) < 2:
            raise PolicyError(f"{self.policy.name} feeds nobody although {len(self._queue)} wait and nobody writes")
        self._evict(self.policy.victim(self))
        return []

    def _make_room(self) -> bool:
        evicted = False
        while self._writers.blocks_due > self.blocks.free:
            self._evict(self.policy.victim(self))
            evicted = True
        return evicted

    def _evict(self, held: Held) -> None:
        number = held.request.number
        if self._partial.pop(number, None) is None:
            self._writers.stop(held)
            self._writers.forget(held)
        self._promised -= self.blocks_at_most(held)
        del self._seated[number]
        self.blocks.release(held, keeps=True)
        held.evictions += 1
        if held.evicted_s is None and held.first_s is not None:
            held.evicted_s = self.now_s
        held.left = held.request.prompt_tokens + held.generated
        held.computed = 0
        self._evicted_at = self._steps
        # First in the queue, but for those that hold blocks already because their rows were sent.
        sent = next((place for place, other in enumerate(self._queue) if not other.sent_rows), len(self._queue))
        self._queue.insert(sent, held)

    def _decode_steps(self, until_s: float, *, once: bool) -> list[tuple[Held, Outcome]]:
        """Steps in which only those that write go on: until one ends, somebody arrives, or blocks lack."""
        writers, blocks, count = self._writers, self.blocks, self._writers.count
        started_s, began = self.now_s, writers.step
        end = began + 1 if once else writers.next_end
        while writers.step < end and writers.blocks_due <= blocks.free:
            steps, seconds = self._jump(end - writers.step, until_s)
            blocks.take(writers.blocks_over(steps))
            self.now_s += seconds
            writers.go_on(steps)
            if self.now_s >= until_s:
                break
        steps = writers.step - began
        self._steps += steps
        done = self._finished()
        self._note(started_s, steps, (), count)
        return done

    def _jump(self, most: int, until_s: float) -> tuple[int, float]:
        """Steps that can be taken at once, and their seconds: up to the first that ends at `until_s` or later.

        Each step has `count` more rows to read than the one before it, so their seconds are an arithmetic series. Where
        blocks may lack on the way, it is one step.
        """
        writers = self._writers
        line = self.cost.line(writers.count) if most > 1 else None
        if line is None or writers.blocks_over(most) > self.blocks.free:
            return 1, self.cost.decode_s(writers.count, float(writers.rows))
        first_s, more_s = line[0] + line[1] * writers.rows, line[1] * writers.count

        def seconds(steps: int) -> float:
            return steps * first_s + more_s * (steps * (steps - 1) / 2)

        wanted_s = until_s - self.now_s
        if seconds(most) < wanted_s:
            return most, seconds(most)
        steps = min(most, max(1, _steps_in(wanted_s, first_s, more_s)))
        while steps > 1 and seconds(steps - 1) >= wanted_s:
            steps -= 1
        while steps < most and seconds(steps) < wanted_s:
            steps += 1
        return steps, seconds(steps)

    def _mixed_step(self, plan: Plan) -> list[tuple[Held, Outcome]]:
        check(self.policy.name, plan, self)
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
        self.now_s += self.cost.mixed_s(count, float(rows), fed, self.policy.pass_tokens)
        self._steps += 1
        self._fed_at = self._steps
        if count:
            self._writers.go_on()
        numbers = tuple((held.request.number, tokens) for (held, _), (tokens, _) in zip(plan.feed, fed, strict=True))
        done = self._finished() + self._first_tokens(plan)
        self._note(started_s, 1, numbers, count)
        return done

    def _feed(self, held: Held, tokens: int) -> tuple[int, int]:
        number = held.request.number
        if number not in self._partial:
            if held not in self._queue:
                name = self.policy.name
                raise PolicyError(f"{name} feeds request {number}, which neither waits nor has a prompt to feed")
            self._queue.remove(held)
            self._seated[number] = self._partial[number] = held
            self._promised += self.blocks_at_most(held)
            found = self.blocks.reuse(held)
            if held.admitted_s is None:
                held.admitted_s, held.cached = self.now_s, found
            held.computed, held.left = found, held.left - found
            held.recomputed += held.left if held.evictions else 0
            tokens = min(tokens, held.left)
        cached = held.computed
        new_blocks = self.blocks.needed(cached + tokens) - held.blocks
        if new_blocks > 0:
            self.blocks.take(new_blocks)
            held.blocks += new_blocks
        held.computed, held.left = cached + tokens, held.left - tokens
        self.blocks.name_rows(held)
        return tokens, cached

    def _first_tokens(self, plan: Plan) -> list[tuple[Held, Outcome]]:
        """Those whose prompt is done have their next token, and write from now on."""
        done: list[tuple[Held, Outcome]] = []
        for held, _ in plan.feed:
            if held.left:
                continue
            del self._partial[held.request.number]
            held.generated += 1
            if held.first_s is None:
                held.first_s = self.now_s
            if held.evicted_s is not None:
                held.pauses.append((held.evicted_s, self.now_s))
                held.evicted_s = None
            if self.hands_over or held.generated >= held.request.output_tokens:
                done.append((held, self._leave(held)))
            else:
                self._writers.start(held)
        return done

    def _finished(self) -> list[tuple[Held, Outcome]]:
        done: list[tuple[Held, Outcome]] = []
        for number in self._writers.ended():
            held = self._seated[number]
            self._writers.stop(held)
            done.append((held, self._leave(held)))
        return done

    def _leave(self, held: Held) -> Outcome:
        self._promised -= self.blocks_at_most(held)
        del self._seated[held.request.number]
        if self.hands_over and held.generated < held.request.output_tokens:
            self._lent += 1
        else:
            self.blocks.release(held, keeps=False)
        if held.first_s is None or held.admitted_s is None:
            raise PolicyError(f"request {held.request.number} ended without a first token")
        return Outcome(
            request=held.request, admitted_s=held.admitted_s, first_s=held.first_s, finish_s=self.now_s,
            evictions=held.evictions, recomputed_tokens=held.recomputed, cached_tokens=held.cached,
            pauses=tuple(held.pauses), replica=self.number, sent_s=held.sent_s,
        )  # fmt: skip

    def _note(self, started_s: float, steps: int, feed: tuple[tuple[int, int], ...], decoding: int) -> None:
        if not self._records:
            return
        self.stretches.append(
            Stretch(
                start_s=started_s, steps=steps, seconds=self.now_s - started_s, decoding=decoding,
                fed_tokens=sum(tokens for _, tokens in feed), waiting=len(self._queue), free_blocks=self.blocks.free,
                feed=feed,
            )
        )  # fmt: skip


def _steps_in(wanted_s: float, first_s: float, more_s: float) -> int:
    """About how many terms of the series that begins with `first_s` and grows by `more_s` add up to `wanted_s`."""
    half = first_s - more_s / 2
    if more_s <= 0:
        return math.ceil(wanted_s / first_s)
    return math.ceil((math.sqrt(half * half + 2 * more_s * wanted_s) - half) / more_s)
