"""How does a text become a diagnosis?"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.advise.advice import advice_for
from pysim.doctor.case import PARTS, Case, Diagnosis
from pysim.doctor.judge.open_questions import reasons
from pysim.doctor.judge.pairing import Group, grouped
from pysim.doctor.judge.plausible import sane
from pysim.doctor.judge.prediction import outlook
from pysim.doctor.judge.request_timing import timing
from pysim.doctor.judge.setups import Choices, Known, known, on_host
from pysim.doctor.judge.slow_part import shares_of, slow_part
from pysim.doctor.judge.unknown_model import from_bytes
from pysim.doctor.judge.verdict import decode_of, judged, prefill_of
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.read.run import KINDS, Gap, Reading
from pysim.units import show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pysim.doctor.judge.timing import Timing

# A log of a day holds thousands; nobody reads on beyond these, and each takes some milliseconds.
MOST_CASES: Final = 40
MOST_RUNS: Final = 1000


def judge(reading: Reading, chosen: Choices) -> Diagnosis:
    """Every case of a reading, judged."""
    groups = grouped([sane(run) for run in reading.runs[:MOST_RUNS]])
    gaps = list(reading.gaps)
    left = groups[MOST_CASES:]
    beyond = reading.runs[MOST_RUNS:]
    if left or beyond:
        line = min([group.line for group in left] + [run.line for run in beyond])
        count = sum(len(group.runs) for group in left) + len(beyond)
        gaps.append(Gap(line=line, message=f"from here on {count:,} more runs are not looked at"))
    cases = tuple(_case(group, chosen) for group in groups[:MOST_CASES])
    return Diagnosis(cases=cases, gaps=tuple(gaps), lines=reading.lines)


def _case(group: Group, chosen: Choices) -> Case:
    time = timing(group)
    run = group.first
    facts = known(run, time, chosen)
    kept = on_host(run.setup, facts.models, facts.devices)
    fits = _fits(facts)
    whole = kept is None and fits is not False
    compared = run.kind != "combined"
    seen = {
        "prefill": prefill_of(time, None if group.prompt is None else group.prompt.prefill_deviation),
        "decode": decode_of(time, None if group.answer is None else group.answer.decode_deviation),
    }
    subjects = facts.subjects if compared else ()
    reading, writing = seen["prefill"], seen["decode"]
    prefill = None if reading is None else judged(reading, "prefill", subjects, whole_on_device=whole)
    decode = None if writing is None else judged(writing, "decode", subjects, whole_on_device=whole)
    if any(each is not None and each.doubt is not None for each in (prefill, decode)):
        # Names that make one phase impossible are no measure for the other one.
        prefill, decode = (None if each is None else replace(each, verdict=None) for each in (prefill, decode))
    if not facts.models and whole:
        prefill, decode = from_bytes(group, facts, prefill, decode)
    assembled = group.prompt is not None and group.answer is not None and group.prompt is not group.answer
    shares = shares_of(time)
    slow, why = slow_part(time, assembled=assembled)
    view = outlook(facts.subjects[0], "decode") if facts.subjects else None
    case = Case(
        title=_title(group, time, facts),
        runs=group.runs,
        assembled=assembled,
        model=facts.model,
        device=facts.device,
        weights=facts.weights,
        kv=facts.kv,
        engine=facts.engine,
        n_devices=facts.n_devices,
        weights_bytes=run.setup.weights_bytes or (None if view is None else view.weights_bytes),
        kv_bytes=None if view is None else view.kv_bytes,
        memory_bytes=facts.devices[0].memory_bytes if len(facts.devices) == 1 else None,
        prompt_tokens=time.prompt_tokens,
        output_tokens=time.output_tokens,
        depth_tokens=time.depth_tokens,
        cached_tokens=run.cached_tokens,
        sequences=time.sequences,
        prefill=prefill,
        decode=decode,
        ttft_s=time.ttft_s,
        tpot_s=time.tpot_s,
        total_s=time.total_s,
        parts_s={name: time.parts_s[name] for name in PARTS if name in time.parts_s},
        shares={name: shares[name] for name in PARTS if name in shares},
        slow=slow,
        slow_why=why,
        doubts=(*dict.fromkeys(doubt for each in group.runs for doubt in each.doubts), *_if_writing(group, facts)),
    )
    return _finished(case, group, time, facts, kept)


def _if_writing(group: Group, facts: Known) -> Iterator[str]:
    """What a bare rate would be held against, were it what most people mean by one."""
    views = [view for each in facts.subjects if (view := outlook(each, "decode")) is not None]
    if views and group.first.tool == SENTENCE and group.first.kind == "combined":
        low, high = min(1 / each.high_s for each in views), max(1 / each.low_s for each in views)
        typical = f"{show(low, 'tokens/s', digits=2)} to {show(high, 'tokens/s', digits=2)}"
        yield f"if it is the speed of writing, as most such rates are: typical is {typical}"


def _finished(case: Case, group: Group, time: Timing, facts: Known, kept: str | None) -> Case:
    case = replace(case, cannot_tell=reasons(case, group, time, facts, kept))
    return replace(case, advice=advice_for(case, group, time, facts, kept))


def _fits(facts: Known) -> bool | None:
    """Does the model fit in the devices' memory; None where that is not known for one of the set-ups."""
    views = [outlook(each, "decode") for each in facts.subjects]
    found = {None if each is None else each.fits for each in views}
    return next(iter(found)) if len(found) == 1 else None


def _kind(group: Group, time: Timing, *, both: bool) -> str:
    if group.first.tool == SENTENCE:
        return "a speed in words"
    if group.first.kind != "request" or both:
        return KINDS["request" if both else group.first.kind]
    read = time.prefill_s is not None or time.prefill_tokens_per_s is not None
    written = time.decode_s is not None or time.tpot_s is not None
    if read == written:
        return KINDS["request"]
    return "one request, only reading timed" if read else "one request, only writing timed"


def _title(group: Group, time: Timing, facts: Known) -> str:
    name = facts.model.name if facts.model is not None else ""
    both = group.prompt is not None and group.answer is not None and group.prompt is not group.answer
    what = name or _kind(group, time, both=both)
    tokens = []
    if time.prompt_tokens:
        tokens.append(f"{time.prompt_tokens:,.0f} in")
    if time.output_tokens:
        tokens.append(f"{time.output_tokens:,.0f} out")
    if time.depth_tokens:
        tokens.append(f"after {time.depth_tokens:,.0f}")
    if time.sequences > 1 and math.isfinite(time.sequences):
        tokens.append(f"{time.sequences:,.3g} at once")
    return f"{what}: {', '.join(tokens)}" if tokens else what
