"""One case of the doctor's: the timeline of its request, what was recognized, advice, and what is not known."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from simple_html import SafeString, div, li, p, span, strong, table, tbody, td, th, tr, ul

from demos.kit.draw.small_table import small_table
from demos.kit.html import element
from demos.kit.number import count, percent, share
from pysim import units
from pysim.doctor.answer.changes import Change
from pysim.doctor.case import TIME_PARTS, CannotTell, Case, Recognised, TimePart
from pysim.doctor.words import TIME_PART_WORDS

FILLS: dict[TimePart, str] = {"load": "t-load", "queue": "t-queue", "prefill": "pf", "decode": "dc", "other": "t-other"}
MOST_ROWS = 25


def run_timeline(parts_s: Mapping[TimePart, float], assembled: bool) -> SafeString:
    """Return the parts of a request's time in order, to scale."""
    whole = sum_s(parts_s)
    shown = [(part, parts_s[part]) for part in TIME_PARTS if parts_s.get(part)]
    bar = [element(span, {"class": FILLS[part], "style": f"width:{percent(time / whole)}"}) for part, time in shown]
    keys = [
        span({"class": f"key {FILLS[part]}"}, f"{TIME_PART_WORDS[part]} {_time(time)} ({share(time / whole)})")
        for part, time in shown
    ]
    what = "A request as long as these tests" if assembled else "Where the time went"
    return element(
        div,
        {"class": "run-timeline"},
        p({"class": "cap"}, f"{what}: {_time(whole)}"),
        element(div, {"class": "timeline-bar", "aria-hidden": "true"}, *bar),
        div({"class": "bank-legend"}, *keys),
    )


def sum_s(parts_s: Mapping[TimePart, float]) -> float:
    """Return the whole time of all parts."""
    return math.fsum(parts_s.values())


def sentence(text: str) -> str:
    """Return a text that begins like a sentence."""
    return text[:1].upper() + text[1:]


def recognized_table(case: Case) -> SafeString:
    """Return what was recognized by what, and what was not."""
    facts: Sequence[tuple[str, Recognised | None]] = (
        ("Model", case.model),
        ("Device", case.device),
        ("Weights", case.weights),
        ("Cache", case.kv),
        ("Engine", case.engine),
    )
    rows = [tr(th({"scope": "row"}, name), td(_called(recognized)), td(_by(recognized))) for name, recognized in facts]
    return element(table, {"class": "small-table words-table"}, tbody(*rows))


def _called(recognized: Recognised | None) -> str:
    if recognized is None:
        return "not named"
    if recognized.key is None and recognized.candidates:
        return "one of " + ", ".join(recognized.candidates[:4])
    return recognized.name


def _by(recognized: Recognised | None) -> str:
    return "choose it from the lists above" if recognized is None else recognized.how


def advice_list(changes: Sequence[Change]) -> SafeString:
    """Return the changes that would help, each with what it would do to which figure."""
    items = [
        li(
            div({"class": "advice-head"}, strong(change.what), span({"class": "advice-gain"}, change.gain)),
            div({"class": "advice-why"}, _why(change)),
        )
        for change in changes
    ]
    return element(ul, {"class": "advice-list"}, *items)


def _why(change: Change) -> str:
    """Return what speaks for a change, and how to be sure of it."""
    if not change.reveals:
        return f"{sentence(change.why)}."
    where = f" (line {count(change.line)})" if change.line else ""
    return f"{sentence(change.reveals)}{where}. To be sure: {change.test}."


def open_list(reasons: Sequence[CannotTell]) -> SafeString:
    """Return what the output cannot tell, and what to run instead."""
    items = [
        li(
            span({"class": "open-what"}, f"{sentence(reason.message)}."),
            span({"class": "open-instead"}, f" Instead: {reason.instead}."),
        )
        for reason in reasons
    ]
    return element(ul, {"class": "open-list"}, *items)


def cases_table(cases: Sequence[Case], chosen: int) -> SafeString:
    """Return all measurements that were found, with a mark at the one shown in detail."""
    first = max(0, min(chosen - MOST_ROWS // 2, len(cases) - MOST_ROWS))
    rows = []
    for number, case in enumerate(cases[first : first + MOST_ROWS], first + 1):
        mark = "▸ " if number == chosen else ""
        rows.append((f"{mark}{number}", case.title, _rate(case, "prefill"), _rate(case, "decode"), _slow(case)))
    left = len(cases) - len(rows)
    title = f"All {count(len(cases))} runs in the text" + (f" ({count(left)} more not listed)" if left else "")
    return small_table(title, ("", "what", "reads", "writes", "slow"), rows)


def _rate(case: Case, name: str) -> str:
    phase = case.prefill if name == "prefill" else case.decode
    speed = None if phase is None else phase.each_tokens_per_s or phase.tokens_per_s
    return "–" if speed is None else units.show(speed, "tokens/s", digits=3)


def _slow(case: Case) -> str:
    return "–" if case.slow is None else TIME_PART_WORDS[case.slow]


def _time(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)
