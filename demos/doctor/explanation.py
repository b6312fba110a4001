"""The math of a diagnosis: the two speeds measured, and the shares of bandwidth and math that they used."""

from __future__ import annotations

from demos.kit.declare.formulas import Formula
from demos.kit.draw.pass_math import ROOFLINE, ROOFLINE_URL, TWO_FLOP, TWO_FLOP_URL
from demos.kit.number import count, share
from pysim import units
from pysim.doctor.case import Case, Phase


def case_math(case: Case | None) -> list[Formula]:
    """Return the steps for one case, as far as its text allows them."""
    if case is None:
        return [_speed_rule("Speed of a phase", "tokens", "time", "none", "nothing was measured")]
    steps: list[Formula] = []
    printed = f"{case.runs[0].tool}, as printed"
    for name, phase in (("Reading", case.prefill), ("Writing", case.decode)):
        if phase is None or phase.tokens_per_s is None:
            continue
        tokens = "tokens" if phase.tokens is None else count(phase.tokens)
        time = "time" if phase.time_s is None else units.show(phase.time_s, "s")
        speed = phase.each_tokens_per_s if name == "Writing" and phase.each_tokens_per_s else phase.tokens_per_s
        steps.append(_speed_rule(f"{name} at", tokens, time, units.show(speed, "tokens/s"), printed))
        steps += _shares(name, phase)
    return steps or [_speed_rule("Speed of a phase", "tokens", "time", "none", "no phase was timed by itself")]


def _speed_rule(label: str, tokens: str, time: str, result: str, source: str) -> Formula:
    return Formula(label=label, rule="tokens ÷ time", inserted=f"{tokens} ÷ {time}", result=result, source=source)


def _shares(name: str, phase: Phase) -> list[Formula]:
    if phase.pass_s is None or phase.doubt is not None:
        return []
    time, steps = units.show(phase.pass_s, "s"), []
    if phase.mbu and phase.moved_bytes is not None:
        bandwidth = phase.moved_bytes / phase.pass_s / phase.mbu
        steps.append(
            Formula(
                label=f"{name}: share of the bandwidth (MBU)",
                rule="bytes moved by a pass ÷ its time ÷ bandwidth on the spec sheet",
                inserted=f"{units.show(phase.moved_bytes, 'B')} ÷ {time} ÷ {units.show(bandwidth, 'B/s')}",
                result=share(phase.mbu),
                source=ROOFLINE,
                source_url=ROOFLINE_URL,
            )
        )
    if phase.mfu and phase.flop is not None:
        peak = phase.flop / phase.pass_s / phase.mfu
        steps.append(
            Formula(
                label=f"{name}: share of the math (MFU)",
                rule="FLOP of a pass ÷ its time ÷ peak on the spec sheet",
                inserted=f"{units.show(phase.flop, 'FLOP')} ÷ {time} ÷ {units.show(peak, 'FLOP/s')}",
                result=share(phase.mfu),
                source=TWO_FLOP,
                source_url=TWO_FLOP_URL,
            )
        )
    return steps
