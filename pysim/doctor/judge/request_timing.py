"""What did the time of a case go to, and what do its speeds follow from?"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from pysim.doctor.judge.service_timing import combined, service, window
from pysim.doctor.judge.timing import Timing, hardly_an_answer, inverse

if TYPE_CHECKING:
    from pysim.doctor.case import Part
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.read.run import Run

# Tools whose load time lies before everything else that they add up.
_LOADS_BEFORE: Final = ("llama", "torchchat", "openvino", "kobold", "gpt-fast")
# A load time below this part of the rest is none: the model was there.
_LOADED: Final = 0.005
# With so many fewer passes than tokens some of these were guessed; the first came out of the prompt.
_GUESSED: Final = 0.9
# A part of the total that no phase explains and that is still worth a word.
_WORTH: Final = 0.02


def timing(group: Group) -> Timing:
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
    prompt, answer, first = group.prompt, group.answer, group.first
    sequences = first.sequences or 1.0
    reading = None if prompt is None else _prefill(prompt, sequences)
    each = None if answer is None else _each(answer, sequences)
    passes = None if answer is None else answer.decode_passes or answer.output_tokens
    decode = None
    if answer is not None and passes is not None and (passes > 0):
        decode = answer.decode_s or (None if each is None else passes / each)
    wrote = None if answer is None else answer.output_tokens
    guessed = passes is not None and wrote is not None and passes < _GUESSED * wrote
    tpot = decode / passes if decode and passes and not guessed else inverse(each)
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
    speed = prompt.prefill_tokens_per_s if prompt is not None and trusted else None
    if speed is None and reading and read:
        speed = read * sequences / reading
    # Sequences that share their prompt have it read once.
    once = sequences > 1 and speed and reading and read and abs(speed * reading / read - 1) < 0.1
    ttft = first.ttft.mean_s if first.ttft is not None else None
    if ttft is None and reading is not None:
        ttft = reading + (load or 0.0)
    return Timing(
        prompt_tokens=read,
        output_tokens=wrote,
        depth_tokens=depth,
        answer_depth_tokens=depth + (read or 0.0) if together else depth,
        sequences=sequences,
        read_sequences=1.0 if once else None,
        prefill_s=reading,
        prefill_tokens_per_s=speed,
        prefill_at_least=at_least,
        prefill_trusted=trusted,
        decode_s=decode,
        decode_each_tokens_per_s=each,
        decode_total_tokens_per_s=None if each is None else each * sequences,
        decode_pass_s=decode / passes if guessed and decode and passes else None,
        tpot_s=tpot,
        ttft_s=ttft,
        total_s=whole,
        one_token=together and hardly_an_answer(first),
        shared=(first.running or 1) > 1,
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
        return inverse(run.tpot.mean_s)
    return None


def _load(run: Run) -> float | None:
    return None if run.tool.lower().startswith(_LOADS_BEFORE) else run.load_s
