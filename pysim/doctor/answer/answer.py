"""Answer to a text: the verdict, what to change, the figures, and what cannot be told, each once per text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.ask import Ask, ask_about
from pysim.doctor.answer.case_verdict import verdict_of
from pysim.doctor.answer.changes import Change, changes_of
from pysim.doctor.answer.comparison import compare
from pysim.doctor.answer.setup_words import setup_words
from pysim.doctor.answer.speed_words import range_words, speed_of
from pysim.doctor.read.tabular.by_hand import DOUBT as TABLE_DOUBT
from pysim.doctor.recognise.choice import LEFT_OUT
from pysim.doctor.words import PHASE_WORDS, TIME_PART_WORDS, VERDICT_WORDS
from pysim.engines.names import TYPICAL
from pysim.units import show

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pysim.doctor.answer.comparison import Comparison
    from pysim.doctor.case import Case, Diagnosis, OpenKind, Phase, PhaseName

MOST_RUNS: Final = 8
MOST_UNKNOWN: Final = 2
# What names would settle is asked for in one line, and the verdict says the rest of these.
_SAID: Final[frozenset[OpenKind]] = frozenset(
    {"unknown device", "unknown model", "unknown weights", "impossible", "does not fit", "offload", "cold", "load"}
)
_LEAST_SHARE: Final = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of figures: what it is of, and the figures."""

    label: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a text's reader wants to know, in that order.

    `number`: the case, from 1, that verdict, changes and figures are of; 0 without any. `unknown`: what the text
    cannot tell, each with what to run instead. `ask`: the one fact that would settle the verdict.
    """

    verdict: str
    changes: tuple[Change, ...] = ()
    figures: tuple[Figure, ...] = ()
    unknown: tuple[str, ...] = ()
    ask: Ask | None = None
    number: int = 0


def answer_of(diagnosis: Diagnosis, number: int | None = None) -> Answer:
    """The answer for a text; `number`: the case to tell of, or None for the one that tells the most."""
    cases = diagnosis.cases
    if not cases:
        return Answer(verdict="Nothing in this text is a measurement that can be read.")
    at = _telling(cases) if number is None else number - 1
    case = cases[at]
    comparison = compare(cases)
    verdict = verdict_of(case)
    if comparison is not None:
        line = min(run.line for run in case.runs)
        verdict = f"{comparison.sentence} Line {line:,}: {verdict[:1].lower()}{verdict[1:]}"
    return Answer(
        verdict=verdict,
        changes=changes_of(case, None if comparison is None else comparison.keep),
        figures=(*_figures(case), *(_all_runs(cases, comparison) if len(cases) > 1 else ())),
        unknown=tuple(_unknown(diagnosis, case)),
        ask=ask_about(case),
        number=at + 1,
    )


def _telling(cases: tuple[Case, ...]) -> int:
    """The case that a text is about: one that is slower than normal, else the first with a verdict, else the first."""

    def weight(case: Case) -> int:
        verdicts = {phase.verdict for phase in (case.prefill, case.decode) if phase is not None}
        return 3 if "slower" in verdicts else 2 if case.on_host else 1 if verdicts - {None} else 0

    return max(range(len(cases)), key=lambda at: (weight(cases[at]), -at))


def _figures(case: Case) -> Iterator[Figure]:
    named = setup_words(case)
    engine = "" if case.engine is None or case.engine.key in (None, TYPICAL) else f", {case.engine.name}"
    counts = case.title.rpartition(": ")[2] if ": " in case.title else ""
    if named or counts:
        yield Figure(label="run", text=f"{named or case.runs[0].tool}{engine if named else ''}; {counts}".strip("; "))
    both: tuple[tuple[PhaseName, Phase | None], ...] = (("prefill", case.prefill), ("decode", case.decode))
    for name, phase in both:
        if phase is not None and (speed := speed_of(phase)):
            yield Figure(label=PHASE_WORDS[name], text="; ".join((speed, *_beside(name, phase))))
    if case.rate_tokens_per_s is not None:
        yield Figure(
            label="rate", text=f"{show(case.rate_tokens_per_s, 'tokens/s', digits=3)}, of both phases or unknown"
        )
    if times := "; ".join(_times(case)):
        yield Figure(label="time", text=times)
    for doubt in case.doubts:
        if doubt.startswith((LEFT_OUT, TABLE_DOUBT)):
            yield Figure(label="note", text=doubt)


def _beside(name: PhaseName, phase: Phase) -> Iterator[str]:
    if phase.typical is not None:
        verdict = "" if phase.verdict is None else f" ({VERDICT_WORDS[phase.verdict]})"
        best = (
            ""
            if phase.best_tokens_per_s is None
            else f", at most {show(phase.best_tokens_per_s, 'tokens/s', digits=3)}"
        )
        yield f"typical {range_words(phase.typical)}{best}{verdict if phase.verdict != 'typical' else ''}"
    used, of = (phase.mbu, "memory's bandwidth") if name == "decode" else (phase.mfu, "peak math")
    if used is not None and phase.doubt is None and used >= _LEAST_SHARE:
        yield f"{used:.0%} of the {of}"


def _times(case: Case) -> Iterator[str]:
    if len(case.shares) > 1:
        parts = [f"{TIME_PART_WORDS[part]} {share:.0%}" for part, share in case.shares.items() if share >= _LEAST_SHARE]
        whole = sum(case.parts_s.values())
        yield f"{show(whole, 's', digits=3)}: {', '.join(parts)}"
    elif case.ttft_s is not None:
        yield f"first token after {show(case.ttft_s, 's', digits=3)}"


def _all_runs(cases: tuple[Case, ...], comparison: Comparison | None) -> Iterator[Figure]:
    """One line for each run, by the line of the text where it begins."""
    labels = [case.title for case in cases] if comparison is None else comparison.labels
    for case, label in zip(cases[:MOST_RUNS], labels, strict=False):
        both: tuple[tuple[PhaseName, Phase | None], ...] = (("prefill", case.prefill), ("decode", case.decode))
        speeds = [
            f"{PHASE_WORDS[name]} {speed_of(phase)}" for name, phase in both if phase is not None and speed_of(phase)
        ]
        if not speeds and case.rate_tokens_per_s is not None:
            speeds = [show(case.rate_tokens_per_s, "tokens/s", digits=3)]
        line = min(run.line for run in case.runs)
        yield Figure(label=f"line {line:,}", text=f"{label}: {', '.join(speeds)}")
    if (left := len(cases) - MOST_RUNS) > 0:
        yield Figure(label="…", text=f"{left:,} more runs")


def _unknown(diagnosis: Diagnosis, case: Case) -> Iterator[str]:
    said = _SAID | ({"unexplained"} if any(cause.name == "sampling" for cause in case.causes) else set())
    questions = [question for question in case.cannot_tell if question.kind not in said]
    for question in questions[:MOST_UNKNOWN]:
        yield f"{question.message}. Instead: {question.instead}"
    if diagnosis.gaps:
        gap, more = diagnosis.gaps[0], len(diagnosis.gaps) - 1
        yield f"line {gap.line:,}: {gap.message}" + (f", and {more:,} more places" if more else "")
