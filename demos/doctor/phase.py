"""One phase of a diagnosis: its speed on the scale of typical runs, and whether memory or math limits it."""

from __future__ import annotations

from simple_html import Node, SafeString, b, div, i, p, span

from demos.doctor.controls import VERDICTS
from demos.kit.draw.lanes import Lane, LanePart, lanes
from demos.kit.html import element
from demos.kit.number import count, percent, share
from pysim import units
from pysim.doctor.case import Phase, Range

SIDES = {
    "memory": "Memory is the bottleneck",
    "compute": "Math is the bottleneck",
    "overhead": "The fixed cost of each pass is the bottleneck",
}


def phase_panel(kind: str, title: str, phase: Phase | None, missing: str) -> SafeString:
    """Return one phase's panel; `kind` is "prefill" or "decode", `missing` what to say without a measurement."""
    head = div({"class": f"phase-title term-{kind}"}, title)
    if phase is None or phase_speed(phase) is None:
        return element(div, {"class": "phase-panel"}, head, p({"class": "cap"}, missing))
    inside: list[Node] = [head, _speed(phase)]
    if phase.doubt is not None:
        inside.append(p({"class": "phase-doubt"}, f"Implausible: {phase.doubt}."))
    elif phase.typical is not None:
        inside.append(_gauge(kind, phase, phase.typical))
    drawn = _lanes(kind, phase)
    return element(div, {"class": "phase-panel"}, *inside, *drawn)


def phase_speed(phase: Phase) -> float | None:
    """Return the speed that a reader feels: of one sequence, or of all where no other is known."""
    return phase.tokens_per_s if phase.each_tokens_per_s is None else phase.each_tokens_per_s


def _speed(phase: Phase) -> SafeString:
    speed, total = phase_speed(phase) or 0.0, phase.tokens_per_s
    words = f"{'at least ' if phase.at_least else ''}{_rate(speed)}"
    together = f", {_rate(total)} combined" if total is not None and speed < 0.99 * total else ""
    amount = "" if phase.tokens is None else f", {count(phase.tokens)} token{'' if phase.tokens == 1 else 's'}"
    took = "" if phase.time_s is None else f" in {units.show(phase.time_s, 's', digits=3)}"
    return element(p, {"class": "phase-speed"}, b(words), span(f"{together}{amount}{took}"))


def _gauge(kind: str, phase: Phase, typical: Range) -> SafeString:
    """Return the scale from 0 to the best case, with the band of typical runs and this run's place on it."""
    measured = phase.tokens_per_s or phase_speed(phase) or 0.0
    best = phase.best_tokens_per_s
    top = max(measured, typical.high_tokens_per_s, best or 0.0) * 1.04
    left, right = typical.low_tokens_per_s / top, typical.high_tokens_per_s / top
    marks: list[Node] = [
        element(span, {"class": "gauge-band", "style": f"left:{percent(left)};width:{percent(right - left)}"})
    ]
    if best is not None:
        marks.append(element(i, {"class": "gauge-best", "style": f"left:{percent(best / top)}"}))
    marks.append(element(i, {"class": f"gauge-now {kind}", "style": f"left:{percent(measured / top)}"}))
    verdict = "" if phase.verdict is None else f"This run is {VERDICTS[phase.verdict]}. "
    band = f"{_number(typical.low_tokens_per_s)} to {_rate(typical.high_tokens_per_s)}"
    limit = "" if best is None else f", best case {_rate(best)}"
    words = p({"class": "gauge-words"}, b(verdict), f"Typical: {band}{limit}.")
    return element(div, {"class": "gauge-part"}, element(div, {"class": "gauge", "aria-hidden": "true"}, *marks), words)


def _lanes(kind: str, phase: Phase) -> list[SafeString]:
    """Return what memory and math had to do in the time of a pass, as far as model and device are known."""
    if phase.pass_s is None or phase.mbu is None or phase.mfu is None or phase.doubt is not None:
        return []
    moved = "" if phase.moved_bytes is None else f"{units.show(phase.moved_bytes, 'B', digits=3)}, "
    done = "" if phase.flop is None else f"{units.show(phase.flop, 'FLOP', digits=3)}, "
    memory = LanePart(kind="mem", time_s=min(1.0, phase.mbu) * phase.pass_s)
    math = LanePart(kind="math", time_s=min(1.0, phase.mfu) * phase.pass_s)
    end = units.show(phase.pass_s, "s", digits=3)
    drawn = lanes(
        [
            Lane(title="Memory", note=f"{moved}{share(phase.mbu)} used", parts=[memory], waits="not used"),
            Lane(title="Math", note=f"{done}{share(phase.mfu)} used", parts=[math], waits="not used"),
        ],
        phase.pass_s,
        end_label=end,
    )
    what = "the whole prompt" if kind == "prefill" else "one pass"
    wall = "" if phase.side is None else f" {SIDES[phase.side]}."
    return [element(p, {"class": "cap"}, f"What took the time of {what}:{wall}"), drawn]


def _rate(value: float) -> str:
    return units.show(value, "tokens/s", digits=3)


def _number(value: float) -> str:
    return _rate(value).removesuffix(" tokens/s")
