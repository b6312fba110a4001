"""When does each pass of a generation begin and end, and which of memory and math decided its time?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pysim.cost import pass_cost

if TYPE_CHECKING:
    from pysim.cost import PassCost
    from pysim.device import Device
    from pysim.model import Model
    from pysim.passes import Pass


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPass:
    """A pass with its cost and its place in time; `first_answer` counts the answer tokens before it."""

    step: Pass
    cost: PassCost
    start_s: float
    end_s: float
    first_answer: int


def timed(passes: Iterable[Pass], model: Model, device: Device, *, engine: str | None = None) -> Iterator[TimedPass]:
    """Lay the passes of one request one after another, each as long as `pass_cost` says.

    `engine` None is the best case. 16-bit weights and cache, one sequence.
    """
    now_s, answered = 0.0, 0
    for step in passes:
        # A prompt chunk predicts nothing until the last one; a pass with guesses predicts after each token.
        rows = min(step.yielded_tokens, 1) if step.kind == "prefill" else step.new_tokens
        cost = pass_cost(model, device, step.new_tokens, step.context_tokens, engine=engine, logit_rows=rows)
        end_s = now_s + float(cost.time_s)
        yield TimedPass(step=step, cost=cost, start_s=now_s, end_s=end_s, first_answer=answered)
        now_s, answered = end_s, answered + step.yielded_tokens
