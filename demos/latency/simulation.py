"""The simulation behind the demo `latency`: a request simulated or replayed, and the one next to it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pysim
from demos.kit.declare.controls import Value
from demos.kit.number import plural
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from demos.latency.controls import NONE
from demos.latency.requests import REAL_PREFIX, WORKED
from demos.latency.runs import Run, averaged_run, measured_run, simulated_run
from demos.latency.traces import averages, traces

ENGINE = "typical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The run (and the one next to it), what is typed and answered, and the pace."""

    run: Run
    beside: Run | None
    prompt: str
    answer: Sequence[str]
    prompt_tokens: int
    speed_up: float
    words_per_minute: float

    @property
    def end_s(self) -> float:
        """Seconds until the slower of the runs is over."""
        return max(self.run.end_s, self.beside.end_s if self.beside else 0.0)


def scene(**values: Value) -> Scene:
    """Simulate the request at typical speed, or replay a measured one with the simulation next to it."""
    example = str(values["example"])
    tokens = int(values["prompt_tokens"]), int(values["output_tokens"])
    model, weights = pysim.load_model(str(values["model"])), str(values["weights"])
    common = {"speed_up": float(values["speed_up"]), "words_per_minute": float(values["reading_words_per_minute"])}

    def simulated(device: Value, engine: str = ENGINE, title: str = "") -> Run:
        return simulated_run(model, pysim.load_device(str(device)), *tokens, weights, engine, title)

    compare = values["compare_device"]
    if example.startswith(REAL_PREFIX):
        trace = traces()[example.removeprefix(REAL_PREFIX)]
        predicted = simulated(trace.device, trace.engine, "the simulator's prediction")
        return Scene(
            run=measured_run(trace),
            beside=predicted if compare == NONE else simulated(compare),
            prompt=trace.prompt,
            answer=trace.pieces,
            prompt_tokens=trace.prompt_tokens,
            **common,
        )
    written = EXAMPLES.get(example)
    run: Run = simulated(values["device"])
    beside: Run | None = None if compare == NONE else simulated(compare)
    if example == WORKED:
        given = averages()[WORKED]
        beside = beside or simulated(given.device, given.engine, "the simulator's prediction")
        run = averaged_run(given, tokens[1])
    return Scene(
        run=run,
        beside=beside,
        prompt=written.prompt if written else f"Your own prompt, {plural(tokens[0], 'token')} long.",
        answer=answer_pieces(written.answer if written else "", tokens[1]),
        prompt_tokens=tokens[0],
        **common,
    )
