"""Title of a case: the model or the kind of run, and its counts of tokens."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from pysim.doctor.read.llama_cpp.only_setup import TOOL as LOADED
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.words import RUN_KIND_WORDS

if TYPE_CHECKING:
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.setups import Known
    from pysim.doctor.judge.timing import Timing


def title_of(group: Group, timing: Timing, known: Known) -> str:
    """What a case is called: "Llama 3.1 8B: 512 in, 128 out"."""
    name = known.model.name if known.model is not None else ""
    what = name or _kind(group, timing)
    counts = []
    if timing.prompt_tokens:
        counts.append(f"{timing.prompt_tokens:,.0f} in")
    if timing.output_tokens:
        counts.append(f"{timing.output_tokens:,.0f} out")
    if timing.depth_tokens:
        counts.append(f"after {timing.depth_tokens:,.0f}")
    if timing.sequences > 1 and math.isfinite(timing.sequences):
        counts.append(f"{_some(timing.sequences)} at once")
    return f"{what}: {', '.join(counts)}" if counts else what


def _some(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.3g}"


def _kind(group: Group, timing: Timing) -> str:
    run = group.first
    if run.tool == SENTENCE:
        return "a speed in words"
    if group.assembled or run.kind != "request":
        return RUN_KIND_WORDS["request" if group.assembled else run.kind]
    if run.tool == LOADED:
        return "a model that was loaded"
    reads = timing.prefill_s is not None or timing.prefill_tokens_per_s is not None
    writes = timing.decode_s is not None or timing.tpot_s is not None
    if reads == writes:
        return RUN_KIND_WORDS["request"]
    return "one request, only reading timed" if reads else "one request, only writing timed"
