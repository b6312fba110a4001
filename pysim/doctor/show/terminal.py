"""How does a diagnosis read on a terminal?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from pysim.doctor.case import PARTS
from pysim.doctor.read.prose import TOOL as SENTENCE
from pysim.units import show

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, Case, Diagnosis, Phase, Recognised

_VERDICTS: Final = {
    "faster": "faster than nine of ten such runs",
    "typical": "typical",
    "slower": "slower than nine of ten such runs",
}
_SIDES: Final = {
    "memory": "bound by memory",
    "compute": "bound by arithmetic",
    "overhead": "bound by fixed costs of each pass",
}


def as_lines(diagnosis: Diagnosis) -> list[str]:
    """The whole diagnosis as lines of text."""
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
    for name, found in (
        ("model", case.model), ("device", case.device), ("weights", case.weights), ("engine", case.engine),
    ):  # fmt: skip
        yield f"  {name:<9}{_recognised(found)}"
    for name, phase in (("reading", case.prefill), ("writing", case.decode)):
        if phase is not None:
            yield f"  {name:<9}{_speed(phase)}"
            yield from (f"           {line}" for line in _judgement(phase))
    if (rate := case.rate_tokens_per_s) is not None:
        yield f"  rate     {show(rate, 'tokens/s', digits=3)}{whose_rate(case)}"
    times = [
        f"{name} {show(value, 's', digits=3)}"
        for name, value in (("first token after", case.ttft_s), ("each further", case.tpot_s), ("in all", case.total_s))
        if value is not None
    ]
    if times:
        yield f"  time     {', '.join(times)}"
    if case.slow is not None:
        yield f"  slow is  {PARTS[case.slow]}: {case.slow_why}"
    for each in case.advice:
        yield from _advice(each)
    for open_question in case.cannot_tell:
        yield f"  cannot tell: {open_question.message}"
        yield f"               instead: {open_question.instead}"
    for doubt in case.doubts:
        yield f"  note: {doubt}"


def whose_rate(case: Case) -> str:
    """What one rate for all of a run is of, to be said behind it."""
    return ", of which phase is not said" if case.runs[0].tool == SENTENCE else " over both phases"


def _recognised(found: Recognised | None) -> str:
    if found is None:
        return "not named"
    if found.key is None and found.candidates:
        return f"one of {', '.join(found.candidates)} ({found.how})"
    return f"{found.name} ({found.how})"


def _speed(phase: Phase) -> str:
    if phase.tokens_per_s is None:
        each = phase.each_tokens_per_s
        return "no speed" if each is None else f"{show(each, 'tokens/s', digits=3)} each"
    text = ("at least " if phase.at_least else "") + show(phase.tokens_per_s, "tokens/s", digits=3)
    if phase.each_tokens_per_s is not None and phase.each_tokens_per_s < 0.99 * phase.tokens_per_s:
        text += f", {show(phase.each_tokens_per_s, 'tokens/s', digits=3)} each"
    return text


def _judgement(phase: Phase) -> Iterator[str]:
    used = [
        f"{share:.0%} of the {what}"
        for share, what in ((phase.mbu, "bandwidth (MBU)"), (phase.mfu, "arithmetic (MFU)"))
        if share is not None
    ]
    if phase.side is not None:
        used.append(_SIDES[phase.side])
    if used:
        yield ", ".join(used)
    if phase.typical is not None:
        low, high = phase.typical.low_tokens_per_s, phase.typical.high_tokens_per_s
        best = (
            ""
            if phase.best_tokens_per_s is None
            else f"; best case {show(phase.best_tokens_per_s, 'tokens/s', digits=3)}"
        )
        verdict = "" if phase.verdict is None else f": this run is {_VERDICTS[phase.verdict]}"
        yield f"typical {show(low, 'tokens/s', digits=3)} to {show(high, 'tokens/s', digits=3)}{verdict}{best}"
    if phase.note is not None:
        yield phase.note
    if phase.doubt is not None:
        yield f"not to be believed: {phase.doubt}"


def _advice(advice: Advice) -> Iterator[str]:
    yield f"  would help: {advice.what}{advice.gain and f': {advice.gain}'}"
    yield f"              {advice.why} ({advice.setting})"
