"""Seconds of a step: a token of every conversation that writes, and pieces of prompts, in one pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pysim.deployed import Deployed
from pysim.roofline.setting import Setting, setting
from pysim.roofline.times import Stage, moved, pass_times
from pysim.roofline.work import add, work
from pysim.serving.plain_step import plain_step

ALIKE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuned:
    """Factors on all times, on reading weights, the cache and the math, and a fixed time of each step (s)."""

    factor: float = 1.0
    weights: float = 1.0
    cache: float = 1.0
    math: float = 1.0
    fixed_s: float = 0.0


UNTUNED: Final = Tuned()


class StepCost:
    """The seconds of steps of one deployment; what only writes is affine in the rows that are read, and kept as that.

    `tuned`: what measurements of this server say of its times.
    """

    def __init__(self, on: Deployed, tuned: Tuned = UNTUNED) -> None:
        self.on, self.tuned = on, tuned
        at = setting(on, "typical")
        self._at: Setting = replace(at, stages=tuple(_tuned(stage, tuned) for stage in at.stages))
        self._plain = plain_step(self._at)
        self._lines: dict[int, tuple[float, float] | None] = {}

    def decode_s(self, sequences: int, rows: float) -> float:
        """A step in which `sequences` write, with `rows` cached rows among them."""
        if sequences not in self._lines:
            self._lines[sequences] = self._line(sequences)
        line = self._lines[sequences]
        if line is None:
            return self._scaled(self._exact_s(sequences, rows / sequences, ()))
        return self._scaled(line[0] + line[1] * rows)

    def line(self, sequences: int) -> tuple[float, float] | None:
        """Seconds of a step in which `sequences` write: a start, and a slope for each cached row; None for no line."""
        if sequences not in self._lines:
            self._lines[sequences] = self._line(sequences)
        line = self._lines[sequences]
        if line is None:
            return None
        return line[0] * self.tuned.factor + self.tuned.fixed_s, line[1] * self.tuned.factor

    def mixed_s(self, sequences: int, rows: float, fed: Sequence[tuple[int, int]], pass_tokens: int = 0) -> float:
        """A step that also carries pieces of prompts: (tokens, rows already cached) of each.

        With `pass_tokens`, the step is cut into passes of at most so many tokens; those that write go in the first.
        """
        if not fed:
            return self.decode_s(sequences, rows)
        context = rows / sequences if sequences else 0.0
        if not pass_tokens or sequences + sum(tokens for tokens, _ in fed) <= pass_tokens:
            return self._scaled(self._exact_s(sequences, context, fed))
        passes = _cut(fed, max(1, pass_tokens - sequences), pass_tokens)
        first = self._exact_s(sequences, context, passes[0])
        return self._scaled(first + sum(self._exact_s(0, 0.0, rest) for rest in passes[1:]))

    def _scaled(self, seconds: float) -> float:
        return seconds * self.tuned.factor + self.tuned.fixed_s

    def _exact_s(self, sequences: int, context: float, fed: Sequence[tuple[int, int]]) -> float:
        if self._plain is None:
            seconds = self._roofline_s(sequences, context, fed)
        else:
            own = [(1, context, sequences)] if sequences else []
            seconds = self._plain.seconds([*own, *((tokens, cached, 1) for tokens, cached in fed)])
        if self._at.correction is None:
            return seconds
        new_tokens = 1.0 if sequences else float(fed[0][0])
        return seconds * float(self._at.correction.factor(new_tokens, float(max(1, sequences))))

    def _roofline_s(self, sequences: int, context: float, fed: Sequence[tuple[int, int]]) -> float:
        """The same for every model, from the work of a pass."""
        shape = self._at.shape
        pieces = list(fed)
        if sequences:
            todo = work(shape, 1.0, context, float(sequences), 1.0)
        else:
            tokens, cached = pieces.pop(0)
            todo = work(shape, float(tokens), float(cached), 1.0, 1.0)
        for tokens, cached in pieces:
            todo = add(shape, todo, work(shape, float(tokens), float(cached), 1.0, 1.0))
        return float(pass_times(todo, moved(todo, self._at.stored), self._at.stages).time_s)

    def _line(self, sequences: int) -> tuple[float, float] | None:
        """Start and slope over the rows of all, or None where a window or a kernel's choice bends the line."""
        points = [
            (context * sequences, self._exact_s(sequences, context, ())) for context in (1.0, 700.0, 3000.0, 20_000.0)
        ]
        (x0, y0), (x1, y1) = points[0], points[-1]
        slope = (y1 - y0) / (x1 - x0)
        start = y0 - slope * x0
        straight = all(abs(start + slope * x - y) <= ALIKE * y for x, y in points)
        return (start, slope) if straight else None


def _cut(fed: Sequence[tuple[int, int]], first: int, others: int) -> list[list[tuple[int, int]]]:
    """Pieces of prompts in passes of `first`, then `others` tokens."""
    passes: list[list[tuple[int, int]]] = [[]]
    room = first
    for tokens, cached in fed:
        left, at = tokens, cached
        while left:
            if not room:
                passes.append([])
                room = others
            took = min(left, room)
            passes[-1].append((took, at))
            left, at, room = left - took, at + took, room - took
    return passes


def _tuned(stage: Stage, tuned: Tuned) -> Stage:
    measured = stage.efficiency
    return replace(
        stage,
        efficiency=replace(
            measured,
            weights=measured.weights / tuned.weights,
            kv=measured.kv / tuned.cache,
            vector=measured.vector / tuned.math,
            matrix=measured.matrix / tuned.math,
            attention=measured.attention / tuned.math,
            attention_vector=measured.attention_vector / tuned.math,
        ),
    )
