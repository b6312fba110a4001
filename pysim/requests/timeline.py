"""The timeline of a generation: when does each pass begin and end, and what does each cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.requests.prefill import prefill
from pysim.roofline.cost_of_pass import pass_cost
from pysim.roofline.setting import setting

if TYPE_CHECKING:
    from pysim.deployed import Deployed
    from pysim.requests.passes import Pass
    from pysim.roofline.cost_of_pass import PassCost

SHORT: Final = 8
CLOSE: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class TimedPass:
    """A pass with its place in time; `first_answer` counts the answer tokens before it."""

    step: Pass
    start_s: float
    end_s: float
    first_answer: int


def timed(passes: Iterable[Pass], on: Deployed, *, speed: str = "typical") -> Iterator[TimedPass]:
    """Lay the passes of one request one after another, each as long as `pass_cost` says.

    A layer split's devices work on different pieces of the prompt at once: its passes take together `ttft_s`.
    """
    steps = list(passes)
    now_s, answered = 0.0, 0
    for step, time_s in zip(steps, _times_s(steps, on, speed), strict=True):
        yield TimedPass(step=step, start_s=now_s, end_s=now_s + time_s, first_answer=answered)
        now_s, answered = now_s + time_s, answered + step.yielded_tokens


def cost_of(step: Pass, on: Deployed, *, speed: str = "typical") -> PassCost:
    """The cost of a pass of one request.

    A prompt chunk predicts nothing until the last one; a pass with guesses predicts after each token.
    """
    rows = min(step.yielded_tokens, 1) if step.kind == "prefill" else step.new_tokens
    return pass_cost(on, step.new_tokens, step.context_tokens, logit_rows=rows, speed=speed)


def _times_s(steps: Sequence[Pass], on: Deployed, speed: str) -> Iterator[float]:
    """The time of every pass; the many decode passes are looked up in one table for each number of tokens fed."""
    decode = [step for step in steps if step.kind == "decode"]
    tables: dict[int, dict[int, float]] = {}
    for new in {step.new_tokens for step in decode}:
        contexts = [step.context_tokens for step in decode if step.new_tokens == new]

        def time_s(context: int, new: int = new) -> float:
            return pass_cost(on, new, context, logit_rows=new, speed=speed).time_s

        tables[new] = straight_pieces(time_s, contexts[0], contexts[-1])
    overlap = _overlap([step for step in steps if step.kind == "prefill"], on, speed)
    for step in steps:
        if step.kind == "decode":
            yield tables[step.new_tokens][step.context_tokens]
        else:
            yield cost_of(step, on, speed=speed).time_s * overlap


def _overlap(prompt: Sequence[Pass], on: Deployed, speed: str) -> float:
    """What part of their time the prompt's passes take where the devices of a layer split overlap them."""
    at = setting(on, speed)
    if at.in_line == 1 or not prompt:
        return 1.0
    tokens = sum(step.new_tokens for step in prompt)
    chunk = None if len(prompt) == 1 else prompt[0].new_tokens
    first = prefill(at, tokens, prompt[0].context_tokens, 1, chunk)
    return float(first.ttft_s / first.passes.time_s)


def straight_pieces(function: Callable[[int], float], low: int, high: int) -> dict[int, float]:
    """The values of a function of whole numbers from `low` to `high` that is made of straight pieces.

    Where the middle and both quarters are on the line between the ends, all between them is taken to be on it too;
    elsewhere the stretch is halved. A pass's time is such a function of the cache's length.
    """
    if high - low < SHORT:
        return {at: function(at) for at in range(low, high + 1)}
    begin, end = function(low), function(high)
    slope = (end - begin) / (high - low)
    middle = (low + high) // 2
    tried = ((low + middle) // 2, middle, (middle + high) // 2)
    if all(abs(function(at) - begin - slope * (at - low)) <= CLOSE * end for at in tried):
        return {at: begin + slope * (at - low) for at in range(low, high + 1)}
    return straight_pieces(function, low, middle) | straight_pieces(function, middle + 1, high)
