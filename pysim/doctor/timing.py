"""What did the time of a case go to, and what do its speeds follow from?"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pysim.doctor.diagnosis import Part
    from pysim.doctor.pairing import Group
    from pysim.doctor.reading import Run

# Tools whose load time lies before everything else that they add up.
_LOADS_BEFORE: Final = ("llama", "torchchat", "openvino", "kobold", "gpt-fast")
# Reading a token never costs more than writing one; several times more is no computing.
_COLD: Final = 2.0
# A load time below this part of the rest is none: the model was there.
_LOADED: Final = 0.005
# A part of the total that no phase explains and that is still worth a word.
_WORTH: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Times of one request (of `sequences` equal ones), as far as they can be had; fields as in Case and Phase.

    `answer_depth_tokens`: in the cache when the answer begins. `prefill_at_least`: the reading speed is a lower
    bound. `own_reading_s`: of a service the most that reading one's own prompt can have taken. `prefill_trusted`:
    false where the text contradicts its reading time. `sequences` are in flight, of which `answer_sequences` are
    being written. `shared`: others' prompts are read between the tokens of one answer.
    """

    prompt_tokens: float | None = None
    output_tokens: float | None = None
    depth_tokens: float = 0.0
    answer_depth_tokens: float | None = None
    sequences: float = 1.0
    answer_sequences: float | None = None
    prefill_s: float | None = None
    prefill_tokens_per_s: float | None = None
    prefill_at_least: bool = False
    prefill_trusted: bool = True
    decode_s: float | None = None
    decode_each_tokens_per_s: float | None = None
    decode_total_tokens_per_s: float | None = None
    tpot_s: float | None = None
    ttft_s: float | None = None
    total_s: float | None = None
    own_reading_s: float | None = None
    shared: bool = False
    parts_s: dict[Part, float] = field(default_factory=dict)

    @property
    def strange(self) -> float | None:
        """How many times as long reading one token took as writing one, where that is too long to be computing."""
        if not (self.prefill_s and self.prompt_tokens and self.tpot_s and self.prefill_trusted):
            return None
        ratio = self.prefill_s / self.prompt_tokens / self.tpot_s
        # A single pass costs a decode pass at least, so very short prompts may look slow per token.
        return ratio if ratio > _COLD and self.prefill_s > _COLD * self.tpot_s else None


def timing(group: Group) -> Timing:
    """The times of a case."""
    first = group.first
    if first.kind == "service":
        return _service(first)
    if first.kind == "window":
        return _window(first)
    if first.kind == "combined":
        return _combined(first)
    return _request(group)


def _request(group: Group) -> Timing:
    prompt, answer, first = group.prompt, group.answer, group.first
    sequences = first.sequences or 1.0
    reading = None if prompt is None else _prefill(prompt, sequences)
    each = None if answer is None else _each(answer, sequences)
    passes = None if answer is None else answer.decode_passes or answer.output_tokens
    decode = None
    if answer is not None and passes is not None and (passes > 0):
        decode = answer.decode_s or (None if each is None else passes / each)
    tpot = decode / passes if decode and passes else _inverse(each)
    together = prompt is answer
    load, rest = (_load(first), first.unaccounted_s) if together else (None, None)
    trusted = prompt is None or not {"prefill_s", "prefill_tokens_per_s"} & set(prompt.untrusted)
    if load is not None and load < _LOADED * ((reading or 0.0) + (decode or 0.0)):
        load = None
    parts: dict[Part, float | None] = {"load": load, "prefill": reading, "decode": decode}
    at_least = False
    if not trusted:
        hidden = (rest or 0.0) + (reading or 0.0)
        reading = hidden if rest and rest > 0 else None
        parts["prefill"], at_least, rest = reading, reading is not None, None
    total = first.total_s if together else None
    if total is not None and together:
        known = math.fsum(each or 0.0 for each in parts.values())
        left = total - known
        if left > _WORTH * total and reading is not None and decode is not None:
            parts["other"] = left
        if left < -_WORTH * total:
            total = None
    spent = {name: value for name, value in parts.items() if value is not None and value > 0}
    whole = total if total is not None else math.fsum(spent.values()) if reading and decode else None
    read = None if prompt is None else _read_tokens(prompt)
    depth = (first.depth_tokens or 0.0) + (first.cached_tokens or 0.0)
    speed = None
    if prompt is not None and reading and read:
        speed = read * sequences / reading
    elif prompt is not None and trusted:
        speed = prompt.prefill_tokens_per_s
    ttft = first.ttft.mean_s if first.ttft is not None else None
    if ttft is None and reading is not None:
        ttft = reading + (load or 0.0)
    return Timing(
        prompt_tokens=read,
        output_tokens=None if answer is None else answer.output_tokens,
        depth_tokens=depth,
        answer_depth_tokens=depth + (read or 0.0) if together else depth,
        sequences=sequences,
        prefill_s=reading,
        prefill_tokens_per_s=speed,
        prefill_at_least=at_least,
        prefill_trusted=trusted,
        decode_s=decode,
        decode_each_tokens_per_s=each,
        decode_total_tokens_per_s=None if each is None else each * sequences,
        tpot_s=tpot,
        ttft_s=ttft,
        total_s=whole,
        parts_s=spent,
    )


def _read_tokens(run: Run) -> float | None:
    """Prompt tokens that were read anew: some tools count cached ones in, and their own rate tells."""
    if run.prompt_tokens and run.cached_tokens and run.prefill_s and run.prefill_tokens_per_s:
        read = run.prefill_s * run.prefill_tokens_per_s
        if abs(read - run.prompt_tokens + run.cached_tokens) < abs(read - run.prompt_tokens):
            return run.prompt_tokens - run.cached_tokens
    return run.prompt_tokens


def _prefill(run: Run, sequences: float) -> float | None:
    if run.prefill_s:
        return run.prefill_s
    if run.prefill_tokens_per_s and run.prompt_tokens:
        return run.prompt_tokens * sequences / run.prefill_tokens_per_s
    if run.ttft is not None and run.kind == "request":
        return run.ttft.mean_s
    return None


def _each(run: Run, sequences: float) -> float | None:
    """Answer tokens per second of one sequence."""
    if run.decode_tokens_per_s and "decode_tokens_per_s" not in run.untrusted:
        return run.decode_tokens_per_s
    if run.decode_total_tokens_per_s:
        return run.decode_total_tokens_per_s / sequences
    if run.decode_s and (run.decode_passes or run.output_tokens):
        return (run.decode_passes or run.output_tokens or 0.0) / run.decode_s
    if run.tpot is not None:
        return _inverse(run.tpot.mean_s)
    return None


def _load(run: Run) -> float | None:
    return None if run.tool.lower().startswith(_LOADS_BEFORE) else run.load_s


def _service(run: Run) -> Timing:
    ttft = _typical(run, "ttft")
    tpot = _typical(run, "tpot") or _typical(run, "itl") or _inverse(run.decode_tokens_per_s)
    end = _typical(run, "end_to_end")
    output = run.output_tokens
    if output is None and ttft and tpot and end:
        output = (end - ttft) / tpot + 1
    few = output is not None and output < 3
    decode = None
    if end is not None and ttft is not None:
        decode = max(0.0, end - ttft)
    elif tpot is not None and output is not None and output > 1:
        decode = tpot * (output - 1)
    most = None
    if ttft is not None and run.prompt_tokens and run.total_prefill_tokens_per_s:
        most = min(ttft, run.prompt_tokens / run.total_prefill_tokens_per_s)
    parts: dict[Part, float | None] = {"decode": decode}
    if most is not None and ttft is not None:
        parts |= {"prefill": most, "queue": ttft - most if ttft > 1.5 * most else 0.0}
        if not parts["queue"]:
            parts["prefill"] = ttft
    elif ttft is not None:
        parts["prefill"] = ttft
    spent = {name: value for name, value in parts.items() if value}
    sequences = run.sequences or run.concurrency_limit
    if run.requests and run.total_s and (whole := end or (ttft or 0.0) + (decode or 0.0)) and run.sequences is None:
        sequences = min(run.requests, run.requests * whole / run.total_s)
    pause = _typical(run, "itl") or tpot
    written = run.decode_total_tokens_per_s
    # By Little's law as many answers are being written as tokens come in the time between two of one answer.
    at_once = written * pause if written and pause and not few else None
    alone = bool(ttft and run.prompt_tokens and (sequences or 2.0) < 1.5)
    rate = run.total_prefill_tokens_per_s
    return Timing(
        prompt_tokens=run.prompt_tokens,
        output_tokens=output,
        depth_tokens=run.cached_tokens or 0.0,
        answer_depth_tokens=run.prompt_tokens,
        sequences=max(1.0, sequences or 1.0),
        answer_sequences=None if at_once is None else max(1.0, min(at_once, sequences or at_once)),
        prefill_s=ttft if alone else None,
        prefill_tokens_per_s=run.prompt_tokens / ttft if alone and ttft and run.prompt_tokens else rate,
        prefill_at_least=not alone,
        own_reading_s=most,
        decode_s=decode,
        decode_each_tokens_per_s=None if few else _inverse(pause),
        shared=not alone,
        decode_total_tokens_per_s=run.decode_total_tokens_per_s,
        tpot_s=None if few else tpot,
        ttft_s=ttft,
        total_s=end if end is not None else math.fsum(spent.values()) if ttft and decode else None,
        parts_s=spent,
    )


def _typical(run: Run, name: str) -> float | None:
    latency = getattr(run, name)
    if latency is None:
        return None
    return latency.mean_s if latency.mean_s is not None else latency.median_s  # type: ignore[no-any-return]


def _window(run: Run) -> Timing:
    running = run.running or run.sequences
    total = run.decode_total_tokens_per_s
    each = run.decode_tokens_per_s
    if each is None and total and running and running >= 1:
        each = total / running
    return Timing(
        output_tokens=run.output_tokens,
        depth_tokens=run.depth_tokens or 0.0,
        sequences=max(1.0, running or 1.0),
        prefill_tokens_per_s=run.prefill_tokens_per_s or None,
        prefill_at_least=True,
        decode_each_tokens_per_s=each or None,
        decode_total_tokens_per_s=total or each,
        shared=True,
        tpot_s=_inverse(each),
    )


def _combined(run: Run) -> Timing:
    return Timing(
        prompt_tokens=run.prompt_tokens,
        output_tokens=run.output_tokens,
        depth_tokens=run.depth_tokens or 0.0,
        answer_depth_tokens=(run.depth_tokens or 0.0) + (run.prompt_tokens or 0.0),
        sequences=run.sequences or 1.0,
        decode_each_tokens_per_s=run.decode_tokens_per_s,
        decode_total_tokens_per_s=run.decode_total_tokens_per_s,
        ttft_s=_typical(run, "ttft"),
        tpot_s=_inverse(run.decode_tokens_per_s) or _typical(run, "tpot"),
        total_s=run.total_s,
    )


def _inverse(value: float | None) -> float | None:
    return 1 / value if value else None
