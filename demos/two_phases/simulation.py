"""The simulation behind the demo `two-phases`: every pass of one generation with its time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pysim
from demos.kit.declare.controls import Value
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from demos.kit.tokenize.tokenizer import pieces
from demos.two_phases.pass_picture import Span
from demos.two_phases.speed_bands import Factors, band_factors
from pysim.requests.passes import generation
from pysim.requests.timeline import TimedPass, timed

START_TOKEN = "<start>"
SPEED = "typical"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered: every pass with its time, and the texts of the tokens."""

    prompt: Sequence[str]
    answer: Sequence[str]
    passes: Sequence[TimedPass]
    ends_s: Sequence[float]
    spans: tuple[Span, ...]
    longest_s: float
    on: pysim.Deployment
    stock: bool
    guesses: int
    band: Mapping[str, Factors]

    @property
    def ttft_s(self) -> float | None:
        """Seconds until the first answer token; None where no answer is asked for."""
        return next((timed_pass.end_s for timed_pass in self.passes if timed_pass.step.yielded_tokens), None)


def scene(**values: Value) -> Scene:
    """Run one generation through the simulator at typical speed."""
    prompt = pieces(str(values["prompt"])) or [START_TOKEN]
    wanted = int(values["output_tokens"])
    example = EXAMPLES.get(str(values["example"]))
    on = pysim.Deployment(
        pysim.load_model(str(values["model"])),
        pysim.load_device(str(values["device"])),
        weight_format=str(values["weights"]),
    )
    chunk = values["chunk_tokens"]
    steps = generation(
        prompt_tokens=len(prompt),
        output_tokens=wanted,
        chunk_tokens=None if chunk == "off" else int(chunk),
        draft_tokens=int(values["draft_tokens"]),
        acceptance=float(values["acceptance"]),
        seed=int(values["seed"]),
    )
    passes = list(timed(steps, on, speed=SPEED))
    return Scene(
        prompt=prompt,
        answer=answer_pieces(example.answer if example else "", wanted),
        passes=passes,
        ends_s=[timed_pass.end_s for timed_pass in passes],
        spans=tuple((timed_pass.step.kind, timed_pass.start_s, timed_pass.end_s) for timed_pass in passes),
        longest_s=max(timed_pass.end_s - timed_pass.start_s for timed_pass in passes),
        on=on,
        stock=example is None,
        guesses=int(values["draft_tokens"]),
        band=band_factors(on, len(prompt), wanted, SPEED),
    )
