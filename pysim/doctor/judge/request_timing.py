"""Times of one request: where its time went, and the speeds that follow.

The reading and the writing come from one run, or from two tests that belong together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.doctor.judge.service_timing import combined, service, window
from pysim.doctor.judge.timing import Timing, hardly_an_answer, inverse
from pysim.engines.load import tool_engine

if TYPE_CHECKING:
    from pysim.doctor.case import TimePart
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.read.run import Run

# A load time below this part of the rest is none: the model was there.
_LOADED: Final = 0.005
# With so many fewer passes than tokens some of these were guessed; the first came out of the prompt.
_GUESSED: Final = 0.9
# A part of the total that no phase explains and that is still worth a word.
_WORTH: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The reading of a prompt. `printed_s`: its time by the text; `time_s`: the one that the text does not contradict.

    `tokens` and `time_s` are of one sequence, `tokens_per_s` counts all. `once`: sequences that share their prompt
    have it read once.
    """

    tokens: float | None = None
    printed_s: float | None = None
    time_s: float | None = None
    tokens_per_s: float | None = None
    trusted: bool = True
    once: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Writing:
    """The writing of an answer of `tokens` in so many passes. `guessed`: passes made more than a token each."""

    tokens: float | None = None
    passes: float | None = None
    time_s: float | None = None
    each_tokens_per_s: float | None = None
    guessed: bool = False

    @property
    def pass_s(self) -> float | None:
        """Seconds per pass; None where the time or the count of passes is not known."""
        return self.time_s / self.passes if self.time_s and self.passes else None

    @property
    def tpot_s(self) -> float | None:
        """Seconds per token after the first: a pass makes one, unless some were guessed."""
        return self.pass_s if self.pass_s and not self.guessed else inverse(self.each_tokens_per_s)


def timing_of(group: Group) -> Timing:
    """The times of a case."""
    first = group.first
    if first.kind == "service":
        return service(first)
    if first.kind == "window":
        return window(first)
    if first.kind == "combined":
        return combined(first)
    return _request(group)


def _request(group: Group) -> Timing:
    first = group.first
    together = group.prompt is group.answer
    sequences = first.sequences or 1.0
    reading = _reading(group.prompt, sequences, first.unaccounted_s if together else None)
    writing = _writing(group.answer, sequences)
    load_s = _load_s(first, (reading.printed_s or 0.0) + (writing.time_s or 0.0)) if together else None
    parts_s, total_s = _parts(load_s, reading.time_s, writing.time_s, first.total_s if together else None)
    depth = (first.depth_tokens or 0.0) + (first.cached_tokens or 0.0)
    speed = writing.each_tokens_per_s
    return Timing(
        prompt_tokens=reading.tokens,
        output_tokens=writing.tokens,
        depth_tokens=depth,
        answer_depth_tokens=depth + (reading.tokens or 0.0) if together else depth,
        sequences=sequences,
        read_sequences=1.0 if reading.once else None,
        prefill_s=reading.time_s,
        prefill_tokens_per_s=reading.tokens_per_s,
        prefill_at_least=not reading.trusted and reading.time_s is not None,
        prefill_trusted=reading.trusted,
        decode_s=writing.time_s,
        decode_each_tokens_per_s=speed,
        decode_total_tokens_per_s=None if speed is None else speed * sequences,
        decode_pass_s=writing.pass_s if writing.guessed else None,
        tpot_s=writing.tpot_s,
        ttft_s=_ttft_s(first, reading.time_s, load_s),
        total_s=total_s,
        one_token=together and hardly_an_answer(first),
        shared=(first.running or 1) > 1,
        parts_s=parts_s,
    )


def _reading(run: Run | None, sequences: float, unaccounted_s: float | None) -> _Reading:
    if run is None:
        return _Reading()
    printed_s = _printed_reading_s(run, sequences)
    trusted = not {"prefill_s", "prefill_tokens_per_s"} & set(run.untrusted)
    time_s = printed_s
    if not trusted:
        # The rest of the total is reading too: the tool timed only a piece of it.
        time_s = unaccounted_s + (printed_s or 0.0) if unaccounted_s and unaccounted_s > 0 else None
    tokens = read_tokens(run)
    speed = run.prefill_tokens_per_s if trusted else None
    if speed is None and time_s and tokens:
        speed = tokens * sequences / time_s
    once = sequences > 1 and speed and time_s and tokens and abs(speed * time_s / tokens - 1) < 0.1
    return _Reading(
        tokens=tokens, printed_s=printed_s, time_s=time_s, tokens_per_s=speed, trusted=trusted, once=bool(once)
    )


def read_tokens(run: Run) -> float | None:
    """Prompt tokens that were read again: some tools count cached ones in, and their own rate tells."""
    if run.prompt_tokens and run.cached_tokens and run.prefill_s and run.prefill_tokens_per_s:
        read = run.prefill_s * run.prefill_tokens_per_s
        if abs(read - run.prompt_tokens + run.cached_tokens) < abs(read - run.prompt_tokens):
            return run.prompt_tokens - run.cached_tokens
    return run.prompt_tokens


def _printed_reading_s(run: Run, sequences: float) -> float | None:
    if run.prefill_s:
        return run.prefill_s
    if run.prefill_tokens_per_s and run.prompt_tokens:
        return run.prompt_tokens * sequences / run.prefill_tokens_per_s
    if run.ttft is not None and run.kind == "request":
        return run.ttft.mean_s
    return None


def _writing(run: Run | None, sequences: float) -> _Writing:
    if run is None:
        return _Writing()
    speed = _each_tokens_per_s(run, sequences)
    passes = run.decode_passes or run.output_tokens
    time_s = None
    if passes is not None and passes > 0:
        time_s = run.decode_s or (None if speed is None else passes / speed)
    guessed = passes is not None and run.output_tokens is not None and passes < _GUESSED * run.output_tokens
    return _Writing(tokens=run.output_tokens, passes=passes, time_s=time_s, each_tokens_per_s=speed, guessed=guessed)


def _each_tokens_per_s(run: Run, sequences: float) -> float | None:
    """Answer tokens per second of one sequence."""
    if run.decode_tokens_per_s and "decode_tokens_per_s" not in run.untrusted:
        return run.decode_tokens_per_s
    if run.decode_total_tokens_per_s:
        return run.decode_total_tokens_per_s / sequences
    if run.decode_s and (run.decode_passes or run.output_tokens):
        return (run.decode_passes or run.output_tokens or 0.0) / run.decode_s
    if run.tpot is not None:
        return inverse(run.tpot.mean_s)
    return None


def _load_s(run: Run, phases_s: float) -> float | None:
    """Seconds of loading that are part of the total; None where there were none to speak of."""
    program = tool_engine(run.tool)
    if run.load_s is None or (program is not None and program.loads_before):
        return None
    return None if run.load_s < _LOADED * phases_s else run.load_s


def _parts(
    load_s: float | None, reading_s: float | None, writing_s: float | None, total_s: float | None
) -> tuple[dict[TimePart, float], float | None]:
    """The parts of the time, and the whole: as printed unless the parts are longer, else their sum with both phases."""
    parts: dict[TimePart, float | None] = {"load": load_s, "prefill": reading_s, "decode": writing_s}
    if total_s is not None:
        left = total_s - math.fsum(seconds or 0.0 for seconds in parts.values())
        if left > _WORTH * total_s and reading_s is not None and writing_s is not None:
            parts["other"] = left
        if left < -_WORTH * total_s:
            total_s = None
    spent = {part: seconds for part, seconds in parts.items() if seconds is not None and seconds > 0}
    if total_s is None and reading_s and writing_s:
        total_s = math.fsum(spent.values())
    return spent, total_s


def _ttft_s(run: Run, reading_s: float | None, load_s: float | None) -> float | None:
    if run.ttft is not None and run.ttft.mean_s is not None:
        return run.ttft.mean_s
    return None if reading_s is None else reading_s + (load_s or 0.0)
