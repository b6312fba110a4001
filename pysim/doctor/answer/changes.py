"""Changes: what to do about a run, at most three: its causes first, then what else would help."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pysim.doctor.words import FIGURE_WORDS, gain_in_words

if TYPE_CHECKING:
    from pysim.doctor.case import Advice, AdviceKind, Case, Cause

MOST: Final = 3
# Everybody knows that less of it takes less time.
_TRIVIAL: Final[frozenset[AdviceKind]] = frozenset({"answer", "shorter prompt"})
# A range wider than this promises nothing.
_WIDE: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One thing to change: what, what that brings (empty where pysim cannot compute it), and why.

    `reveals`: the words of the text, or the figures, that speak for it; `line`: where they are; `test`: how to be sure.
    """

    what: str
    gain: str
    why: str
    reveals: str = ""
    line: int | None = None
    test: str = ""


def changes_of(case: Case, keep: tuple[str, float] | None = None) -> tuple[Change, ...]:
    """The changes for a case, most promising first; what is only possible comes where nothing surer is left.

    `keep`: the setting that made the faster of two runs, with how many times as fast it was.
    """
    said: dict[str, Change] = {}
    if keep is not None:
        what, ratio = keep
        change = Change(
            what=f"Keep {what}",
            gain=f"{ratio:.2g} times as fast, as measured here",
            why="the two runs differ in nothing else",
        )
        said[change.what] = change
        case = replace(
            case,
            causes=tuple(cause for cause in case.causes if cause.name != _SAME_AS.get(_name(what))),
            advice=tuple(advice for advice in case.advice if advice.kind != "below typical"),
        )
    for change in _all_changes(case):
        said.setdefault(change.what, change)
    return tuple(said.values())[:MOST]


def _all_changes(case: Case) -> Iterator[Change]:
    sure = [cause for cause in case.causes if cause.certainty != "possible"]
    replaced = {kind for cause in case.causes for kind in cause.replaces}
    if case.causes:
        replaced.add("below typical")
    useful = [
        advice for advice in case.advice if advice.kind not in _TRIVIAL | replaced and (advice.high or 2.0) > _NOTHING
    ]
    yield from map(_of_cause, sure)
    slower = any(phase is not None and phase.verdict == "slower" for phase in (case.prefill, case.decode))
    possible = [_of_cause(cause) for cause in case.causes if cause.certainty == "possible"]
    if slower:
        yield from possible
    # What is wrong comes before what would be faster still.
    yield from map(_of_advice, sorted(useful, key=lambda advice: advice.kind != "below typical"))
    if case.runs[0].kind == "service" and case.sequences > _ALONE:
        yield Change(what=_PLAN, gain="", why="it serves such requests step by step, and finds what each limit needs")
    yield from possible


def _name(what: str) -> str:
    return what.partition(":")[0]


def _of_cause(cause: Cause) -> Change:
    gain = _gain(cause)
    return Change(
        what=_sentence(cause.what), gain=gain, why=cause.name, reveals=cause.reveals, line=cause.line, test=cause.test
    )


def _of_advice(advice: Advice) -> Change:
    return Change(what=_sentence(advice.what), gain=_gain(advice), why=advice.why)


def _gain(change: Advice | Cause) -> str:
    """The gain in words; a wide range by what is sure of it, and none where that is nothing."""
    if change.low is None or change.high is None:
        return ""
    if change.high < _NOTHING:
        return ""
    if change.low < _NOTHING:
        best = (
            f"up to {gain_in_words(replace(change, low=change.high)).removeprefix(FIGURE_WORDS[change.figure]).strip()}"
        )
        return f"{FIGURE_WORDS[change.figure]} {best}" if change.high <= _WIDE else ""
    if change.high <= _WIDE * change.low:
        return gain_in_words(change) if change.low >= 1 else ""
    words = gain_in_words(change)
    sure = words.partition(" to ")[0]
    return f"{sure} times as fast or more" if change.low >= _LEAST else ""


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


_PLAN: Final = "Size servers for your rate and limits with the planner (tools/planner.html)"
# A setting that was faster here, and the cause that says the same without a comparison.
_SAME_AS: Final = {
    "flash attention": "flash attention off",
    "-fa": "flash attention off",
    "split": "split by rows",
    "layers on the device": "layers on the host",
    "--top-k": "sampling",
    "--enforce-eager": "eager mode",
}
_LEAST: Final = 1.5
_ALONE: Final = 1.5
# Less than this is no promise.
_NOTHING: Final = 1.05
