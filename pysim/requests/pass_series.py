"""A series of passes: how long do many in a row take, without walking through them one by one?

A row of passes feeds the same number of tokens each time, to caches that grow by the same step.
Between the lengths at which a window fills up, memory and compute time grow linearly with the
cache, so their sums, and the sum of the longer of the two, have closed forms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pysim.arrays.numeric import choose, greater, is_plain, lesser, whole
from pysim.roofline.times import moved, stage_times
from pysim.roofline.work import work

if TYPE_CHECKING:
    from pysim.arrays.numeric import Numeric
    from pysim.roofline.setting import Setting
    from pysim.roofline.times import Stage, Times


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """What several passes do and take together."""

    flop: Numeric = 0.0
    moved_bytes: Numeric = 0.0
    roof_memory_s: Numeric = 0.0
    roof_compute_s: Numeric = 0.0
    memory_s: Numeric = 0.0
    compute_s: Numeric = 0.0
    overhead_s: Numeric = 0.0
    time_s: Numeric = 0.0

    def __add__(self, other: Total) -> Total:
        return Total(
            flop=self.flop + other.flop,
            moved_bytes=self.moved_bytes + other.moved_bytes,
            roof_memory_s=self.roof_memory_s + other.roof_memory_s,
            roof_compute_s=self.roof_compute_s + other.roof_compute_s,
            memory_s=self.memory_s + other.memory_s,
            compute_s=self.compute_s + other.compute_s,
            overhead_s=self.overhead_s + other.overhead_s,
            time_s=self.time_s + other.time_s,
        )


def one_pass(at: Setting, new: Numeric, context: Numeric, batch: Numeric, logit_rows: Numeric = 1) -> Total:
    """A single pass."""
    return _corrected(at, new, batch, _single(at, new, context, batch, logit_rows, 1.0))


def row_of_passes(
    at: Setting, new: Numeric, context: Numeric, step: Numeric, count: Numeric, batch: Numeric, logit_rows: Numeric = 1
) -> Total:
    """`count` passes of `new` tokens, the first after `context` cached ones, each next one after `step` more."""
    if is_plain(count) and count <= 0:
        return Total()
    total = Total()
    done: Numeric = 0.0
    for edge in _edges(at, new):
        below = lesser(greater(-whole((context - edge) / step), done), count)  # passes that start before the edge
        total = total + _straight(at, new, context + done * step, step, below - done, batch, logit_rows)
        done = below
    total = total + _straight(at, new, context + done * step, step, count - done, batch, logit_rows)
    return _corrected(at, new, batch, total)


def _corrected(at: Setting, new: Numeric, batch: Numeric, total: Total) -> Total:
    """The total as a machine that was measured takes it."""
    if at.correction is None:
        return total
    return replace(total, time_s=total.time_s * at.correction.factor(new, batch))


def _straight(
    at: Setting, new: Numeric, context: Numeric, step: Numeric, count: Numeric, batch: Numeric, logit_rows: Numeric
) -> Total:
    """Passes over which times grow linearly: the first and the last one tell all."""
    if is_plain(count) and count <= 1:
        return _single(at, new, context, batch, logit_rows, count) if count > 0 else Total()
    last = context + greater(count - 1, 0.0) * step
    first_work = work(at.shape, new, context, batch, logit_rows)
    last_work = work(at.shape, new, last, batch, logit_rows)
    first_moved, last_moved = moved(first_work, at.stored), moved(last_work, at.stored)
    total = Total(
        flop=(first_work.flop + last_work.flop) * (count / 2),
        moved_bytes=(first_moved.total + last_moved.total) * (count / 2),
    )
    for stage in at.stages:
        begin, end = stage_times(first_work, first_moved, stage), stage_times(last_work, last_moved, stage)
        total = total + _sum(stage, begin, end, count)
    return total


def _single(at: Setting, new: Numeric, context: Numeric, batch: Numeric, logit_rows: Numeric, count: Numeric) -> Total:
    todo = work(at.shape, new, context, batch, logit_rows)
    load = moved(todo, at.stored)
    total = Total(flop=todo.flop * count, moved_bytes=load.total * count)
    for stage in at.stages:
        took = stage_times(todo, load, stage)
        total = total + Total(
            roof_memory_s=took.roof_memory_s * count,
            roof_compute_s=took.roof_compute_s * count,
            memory_s=took.memory_s * count,
            compute_s=took.compute_s * count,
            overhead_s=took.overhead_s * count,
            time_s=took.time_s * count,
        )
    return total


def _sum(stage: Stage, first: Times, last: Times, count: Numeric) -> Total:
    """The sum over passes between two, of a time that grows evenly, or of overhead + the longer of two that do.

    The longer of two numbers is half their sum, plus half their distance.
    """
    memory = (first.memory_s + last.memory_s) * (count / 2)
    compute = (first.compute_s + last.compute_s) * (count / 2)
    overhead = (first.overhead_s + last.overhead_s) * (count / 2)
    if stage.efficiency.apart:
        time = (first.time_s + last.time_s) * (count / 2)
    else:
        apart = _sum_of_distances(first.memory_s - first.compute_s, last.memory_s - last.compute_s, count)
        time = overhead + (memory + compute + apart) / 2
    return Total(
        roof_memory_s=(first.roof_memory_s + last.roof_memory_s) * (count / 2),
        roof_compute_s=(first.roof_compute_s + last.roof_compute_s) * (count / 2),
        memory_s=memory,
        compute_s=compute,
        overhead_s=overhead,
        time_s=time,
    )


def _sum_of_distances(first: Numeric, last: Numeric, count: Numeric) -> Numeric:
    """The sum of absolute values of `count` numbers that grow evenly from `first` to `last`."""
    step = (last - first) / greater(count - 1, 1.0)
    crosses = first * last < 0
    before = choose(crosses, whole(-first / choose(crosses, step, 1.0)) + 1, count)
    begin = before * first + step * before * (before - 1) / 2
    total = count * (first + last) / 2
    rest = total - begin
    return greater(begin, -begin) + greater(rest, -rest)


def _edges(at: Setting, new: Numeric) -> list[Numeric]:
    """Cache lengths from which a pass crosses the end of a window, and from which it lies past it."""
    edges: list[Numeric] = [1] if at.shape.held.state_bytes else []  # before the first token there is no state to read
    for window in at.shape.edges:
        edges += [window] if is_plain(new) and new == 1 else [window - new + 1, window]
        edges += [window * new] if window in at.shape.choices and not (is_plain(new) and new == 1) else []
    return edges
