"""Judging of a group of runs: its times, what was recognized, and both phases against what is predicted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import TIME_PARTS, Case, Range
from pysim.doctor.judge.judgement import Judgement
from pysim.doctor.judge.open_questions import open_questions
from pysim.doctor.judge.prediction import predicted
from pysim.doctor.judge.request_timing import timing_of
from pysim.doctor.judge.service_timing import ASSUMED_DEPTH_TOKENS
from pysim.doctor.judge.setups import on_host, recognise
from pysim.doctor.judge.slow_part import shares_of, slow_part
from pysim.doctor.judge.stream import stream_of
from pysim.doctor.judge.title import title_of
from pysim.doctor.judge.unknown_model import from_bytes
from pysim.doctor.judge.verdict import compared, decode_of, prefill_of
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.read.tabular.by_hand import TOOL as BY_HAND

if TYPE_CHECKING:
    from pysim.doctor.case import Phase
    from pysim.doctor.judge.pairing import Group
    from pysim.doctor.judge.setups import Choices, Known
    from pysim.doctor.judge.timing import Timing
    from pysim.doctor.read.run import Run

# Long conversations write so much slower than short ones.
_LONG_CONTEXT: Final = 0.5
Phases = tuple["Phase | None", "Phase | None"]


def judge_group(group: Group, chosen: Choices) -> Judgement:
    """The case of a group with all but its advice."""
    timing = timing_of(group)
    known = recognise(group.first, timing, chosen)
    kept = on_host(group.first.setup, known.models, known.devices)
    whole_on_device = kept is None and known.fits is not False
    prefill, decode = _phases(group, timing, known, whole_on_device=whole_on_device)
    if not known.models and whole_on_device:
        prefill, decode = from_bytes(group, known, prefill, decode)
    case = _case(group, timing, known)
    judgement = Judgement(
        case=replace(
            case,
            prefill=prefill,
            decode=decode,
            stream=stream_of(group.first, timing, known, decode, prefill),
            on_host=kept,
        ),
        group=group,
        timing=timing,
        known=known,
        on_host=kept,
    )
    return replace(judgement, case=replace(judgement.case, cannot_tell=open_questions(judgement)))


def _phases(group: Group, timing: Timing, known: Known, *, whole_on_device: bool) -> Phases:
    possible = known.possible if group.first.kind != "combined" else ()
    reading = prefill_of(timing, None if group.prompt is None else group.prompt.prefill_deviation)
    writing = decode_of(timing, None if group.answer is None else group.answer.decode_deviation)
    prefill = None if reading is None else compared(reading, "prefill", possible, whole_on_device=whole_on_device)
    decode = None if writing is None else compared(writing, "decode", possible, whole_on_device=whole_on_device)
    if (prefill is not None and prefill.doubt is not None) or (decode is not None and decode.doubt is not None):
        # Names that make one phase impossible are no measure for the other one.
        prefill = None if prefill is None else replace(prefill, verdict=None)
        decode = None if decode is None else replace(decode, verdict=None)
    if decode is not None and group.first.kind == "window" and not group.first.depth_tokens:
        decode = _with_any_depth(decode)
    return prefill, decode


def _with_any_depth(decode: Phase) -> Phase:
    """Writing whose context is not known: a little slower than a short one's is no verdict."""
    low = 0.0 if decode.typical is None else decode.typical.low_tokens_per_s
    near = decode.verdict == "slower" and (decode.tokens_per_s or 0.0) > _LONG_CONTEXT * low
    note = f"compared as if each request had {ASSUMED_DEPTH_TOKENS:,.0f} tokens in the cache, as the log does not say"
    return replace(
        decode, verdict=None if near else decode.verdict, note=decode.note or (note if decode.typical else None)
    )


def _case(group: Group, timing: Timing, known: Known) -> Case:
    """Everything but the phases and what follows from them."""
    shares = shares_of(timing)
    slow, slow_why = slow_part(timing, assembled=group.assembled)
    prediction = predicted(known.possible[0], "decode") if known.possible else None
    return Case(
        title=title_of(group, timing, known),
        runs=group.runs,
        assembled=group.assembled,
        model=known.model,
        device=known.device,
        weights=known.weights,
        kv=known.kv,
        engine=known.engine,
        n_devices=known.n_devices,
        weights_bytes=group.first.setup.weights_bytes or (None if prediction is None else prediction.weights_bytes),
        kv_bytes=None if prediction is None else prediction.kv_bytes,
        memory_bytes=known.devices[0].memory_bytes if len(known.devices) == 1 else None,
        prompt_tokens=timing.prompt_tokens,
        output_tokens=timing.output_tokens,
        depth_tokens=timing.depth_tokens,
        cached_tokens=group.first.cached_tokens,
        sequences=timing.sequences,
        ttft_s=timing.ttft_s,
        tpot_s=timing.tpot_s,
        total_s=timing.total_s,
        parts_s={part: timing.parts_s[part] for part in TIME_PARTS if part in timing.parts_s},
        shares={part: shares[part] for part in TIME_PARTS if part in shares},
        slow=slow,
        slow_why=slow_why,
        if_writing=_if_writing(group, known),
        doubts=tuple(dict.fromkeys(doubt for run in _doubted(group) for doubt in run.doubts)),
    )


def _doubted(group: Group) -> tuple[Run, ...]:
    """The runs whose doubts are the case's: of a server's windows those alone that were taken."""
    return (group.first,) if group.first.kind == "window" else group.runs


def _if_writing(group: Group, known: Known) -> Range | None:
    """The speeds to compare a bare rate with, if it is what most people mean by one."""
    predictions = [forecast for run in known.possible if (forecast := predicted(run, "decode")) is not None]
    told = group.first.tool in (SENTENCE, BY_HAND) and group.first.kind == "combined"
    if not told or len(known.models) != 1 or known.fits is False or not predictions:
        return None
    # No run is faster than the spec sheet.
    lows, middles, highs = zip(
        *(
            [1 / max(time_s, forecast.best_s) for time_s in (forecast.high_s, forecast.typical_s, forecast.low_s)]
            for forecast in predictions
        ),
        strict=True,
    )
    return Range(
        low_tokens_per_s=min(lows),
        typical_tokens_per_s=(min(middles) * max(middles)) ** 0.5,
        high_tokens_per_s=max(highs),
    )
