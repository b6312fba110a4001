"""Details: all that a diagnosis holds, as lines of text: `pysim doctor --all`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.doctor.words import BOUND_WORDS, PHASE_WORDS, TIME_PART_WORDS, VERDICT_WORDS, gain_in_words
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, Case, Diagnosis, Phase, Recognised


def details(diagnosis: Diagnosis) -> list[str]:
    """The whole diagnosis as lines of text, case by case."""
    lines: list[str] = []
    for number, case in enumerate(diagnosis.cases):
        lines += ([""] if number else []) + list(_case(case))
    if diagnosis.gaps:
        lines += ["", "Gaps in the text"] + [f"  line {gap.line}: {gap.message}" for gap in diagnosis.gaps]
    return lines


def _case(case: Case) -> Iterator[str]:
    first, last = min(run.line for run in case.runs), max(run.last_line for run in case.runs)
    where = f"line {first}" if first == last else f"lines {first} to {last}"
    yield f"{case.title}  ({case.runs[0].tool}, {where})"
    for label, recognised in (
        ("model", case.model), ("device", case.device), ("weights", case.weights), ("engine", case.engine),
    ):  # fmt: skip
        yield f"  {label:<9}{_recognised(recognised)}"
    yield from _phase(PHASE_WORDS["prefill"], case.prefill)
    yield from _phase(PHASE_WORDS["decode"], case.decode)
    if (rate := case.rate_tokens_per_s) is not None:
        yield f"  rate     {show(rate, 'tokens/s', digits=3)}{whose_rate(case)}"
    times = [
        f"{name} {show(value, 's', digits=3)}"
        for name, value in (
            ("first token after", case.ttft_s),
            ("each token after that", case.tpot_s),
            ("total", case.total_s),
        )
        if value is not None
    ]
    if times:
        yield f"  time     {', '.join(times)}"
    if case.slow is not None:
        yield f"  slow is  {TIME_PART_WORDS[case.slow]}: {case.slow_why}"
    for cause in case.causes:
        where = "" if cause.line is None else f", line {cause.line:,}"
        yield f"  {cause.certainty}: {cause.name} ({cause.reveals}{where}); to be sure: {cause.test}"
    for advice in case.advice:
        yield from _advice(advice)
    for open_question in case.cannot_tell:
        yield f"  cannot tell: {open_question.message}"
        yield f"               instead: {open_question.instead}"
    if case.if_writing is not None:
        low, high = case.if_writing.low_tokens_per_s, case.if_writing.high_tokens_per_s
        typical = f"{show(low, 'tokens/s', digits=2)} to {show(high, 'tokens/s', digits=2)}"
        yield f"  note: if it is the speed of writing, as most such rates are, {typical} is typical"
    for doubt in case.doubts:
        yield f"  note: {doubt}"


def whose_rate(case: Case) -> str:
    """What the one rate of a run covers, in words to follow it."""
    return ", phase unknown" if case.runs[0].tool == SENTENCE else " over both phases"


def _recognised(recognised: Recognised | None) -> str:
    if recognised is None:
        return "not named"
    if recognised.key is None and recognised.candidates:
        return f"one of {', '.join(recognised.candidates)} ({recognised.how})"
    return f"{recognised.name} ({recognised.how})"


def _phase(label: str, phase: Phase | None) -> Iterator[str]:
    if phase is not None:
        yield f"  {label:<9}{_speed(phase)}"
        yield from (f"           {line}" for line in _comparison(phase))


def _speed(phase: Phase) -> str:
    if phase.tokens_per_s is None:
        speed = phase.each_tokens_per_s
        return "no speed" if speed is None else f"{show(speed, 'tokens/s', digits=3)} each"
    text = ("at least " if phase.at_least else "") + show(phase.tokens_per_s, "tokens/s", digits=3)
    if phase.each_tokens_per_s is not None and phase.each_tokens_per_s < 0.99 * phase.tokens_per_s:
        text += f", {show(phase.each_tokens_per_s, 'tokens/s', digits=3)} each"
    return text


def _comparison(phase: Phase) -> Iterator[str]:
    used = [
        f"{share:.0%} of the {what}"
        for share, what in ((phase.mbu, "bandwidth (MBU)"), (phase.mfu, "compute (MFU)"))
        if share is not None
    ]
    if phase.side is not None:
        used.append(BOUND_WORDS[phase.side])
    if used:
        yield ", ".join(used)
    if phase.typical is not None:
        low, high = phase.typical.low_tokens_per_s, phase.typical.high_tokens_per_s
        best = (
            ""
            if phase.best_tokens_per_s is None
            else f"; best case {show(phase.best_tokens_per_s, 'tokens/s', digits=3)}"
        )
        verdict = "" if phase.verdict is None else f": this run is {VERDICT_WORDS[phase.verdict]}"
        yield f"typical {show(low, 'tokens/s', digits=3)} to {show(high, 'tokens/s', digits=3)}{verdict}{best}"
    if phase.note is not None:
        yield phase.note
    if phase.doubt is not None:
        yield f"implausible: {phase.doubt}"


def _advice(advice: Advice) -> Iterator[str]:
    gain = gain_in_words(advice)
    yield f"  try: {advice.what}{gain and f': {gain}'}"
    yield f"       {advice.why} ({advice.setting})"
