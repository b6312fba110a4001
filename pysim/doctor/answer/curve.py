"""Curve: how a speed changes with one number, over three runs or more: context, layers, requests at once, devices."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from pysim.doctor.words import PHASE_WORDS
from pysim.units import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.doctor.case import Case, PhaseName

_LEAST: Final = 3
_LEAST_OF_LENGTHS: Final = 2
_NOISE: Final = 1.05
_CHANGE: Final = 1.1
# Each number that makes a curve, as people call what grows.
_AXES: Final[dict[str, str]] = {
    "depth": "the context grows",
    "prompt": "the prompt grows",
    "requests at once": "requests run at once grow",
    "layers on the device": "layers on the device grow",
    "devices": "devices grow",
    "threads": "threads grow",
    "micro-batch": "the micro-batch grows",
    "batch": "the batch grows",
    "context size": "the context size grows",
}


def curve_words(
    phase: PhaseName,
    settings: Sequence[dict[str, str | float]],
    differing: Sequence[str],
    speeds: Sequence[float],
    timed: Sequence[Case],
) -> str:
    """The sentence of a curve; empty where something else differs too, or fewer than three values were measured."""
    axis = next((name for name in _AXES if name in differing), None)
    others = [name for name in differing if name != axis and not (axis == "depth" and name == "prompt")]
    if axis is None or others:
        return ""
    points: dict[float, float] = {}
    for setting, speed in zip(settings, speeds, strict=True):
        at = setting.get(axis)
        if not isinstance(at, int | float):
            return ""
        points.setdefault(float(at), speed)
    if len(points) < (_LEAST_OF_LENGTHS if axis == "depth" else _LEAST):
        return ""
    curve = sorted(points.items())
    return _words(phase, axis, curve, timed)


def at_once_words(timed: Sequence[Case]) -> str:
    """Two runs that differ in how many requests were written at once."""
    few, many = sorted(timed, key=lambda case: case.sequences)
    now, before = many.decode, few.decode
    if now is None or before is None or not now.each_tokens_per_s or not before.each_tokens_per_s:
        return "The runs differ in how many requests ran at once."
    each = (
        f"With {many.sequences:,.0f} requests at once each writes {_rate(now.each_tokens_per_s)}, with "
        f"{few.sequences:,.0f} it is {_rate(before.each_tokens_per_s)}"
    )
    if not now.tokens_per_s or not before.tokens_per_s:
        return f"{each}."
    return f"{each}; together they write {_rate(now.tokens_per_s)} instead of {_rate(before.tokens_per_s)}."


def _words(phase: PhaseName, axis: str, curve: list[tuple[float, float]], timed: Sequence[Case]) -> str:
    (first, start), (last, end) = curve[0], curve[-1]
    what = PHASE_WORDS[phase].capitalize()
    span = f"as {_AXES[axis]} from {first:,.0f} to {last:,.0f}{' tokens' if axis in ('depth', 'prompt') else ''}"
    speeds = [speed for _, speed in curve]
    if max(speeds) < _CHANGE * min(speeds):
        low, high = _rate(min(speeds)), _rate(max(speeds))
        return f"{what} stays at {low if low == high else f'{low} to {high}'} {span}."
    if all(later < _NOISE * earlier for earlier, later in pairwise(speeds)):
        return f"{what} falls from {_rate(start)} to {_rate(end)} {span}{_half(curve, axis)}.{_together(axis, timed)}"
    if all(_NOISE * later > earlier for earlier, later in pairwise(speeds)):
        return f"{what} rises from {_rate(start)} to {_rate(end)} {span}."
    best, at = max((speed, place) for place, speed in curve)
    return f"{what} is fastest, {_rate(best)}, at {at:,.0f}; it is {_rate(start)} to {_rate(end)} {span}."


def _half(curve: list[tuple[float, float]], axis: str) -> str:
    """Where half of the first speed is left: the time of a token grows in a line between two runs."""
    if axis != "depth":
        return ""
    goal = 2 / curve[0][1]
    for (near, fast), (far, slow) in pairwise(curve):
        if 1 / fast < goal <= 1 / slow:
            at = near + (far - near) * (goal - 1 / fast) / (1 / slow - 1 / fast)
            return f"; half the speed is left at {float(f'{at:.2g}'):,.0f}"
    return ""


def _together(axis: str, timed: Sequence[Case]) -> str:
    """Of several requests at once: all answers together."""
    if axis != "requests at once":
        return ""
    totals = [case.decode.tokens_per_s for case in timed if case.decode is not None and case.decode.tokens_per_s]
    return f" Together they write {_rate(min(totals))} to {_rate(max(totals))}." if len(totals) > 1 else ""


def _rate(value: float) -> str:
    return show(value, "tokens/s", digits=3)
