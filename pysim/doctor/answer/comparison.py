"""Comparison of the runs of one text: which is faster, by how much, and in what they differ."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from pysim.doctor.answer.curve import at_once_words, curve_words
from pysim.doctor.answer.settings import settings_of
from pysim.units import show

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pysim.doctor.case import Case, PhaseName

# Repeats of a run differ by as much.
SAME: Final = 1.1
_SIZES: Final = 1.5
_LENGTHS: Final = ("depth", "prompt")
_MOST_NAMED: Final = 3
# What nobody sets to be faster.
_NO_CHOICE: Final = ("model", "device", "devices", "tool", "version", "context size")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What differs between the runs of a text.

    `sentence`: the difference in speed, and in the settings. `labels`: for each case what sets it apart. `keep`: the
    setting of the faster of two runs that differ in nothing else, with how many times as fast it is.
    """

    sentence: str
    labels: tuple[str, ...]
    keep: tuple[str, float] | None = None


def compare(cases: Sequence[Case]) -> Comparison | None:
    """The comparison; None where there is but one run with a speed, or nothing is alike."""
    timed = [case for case in cases if _speed(case, "decode") or _speed(case, "prefill")]
    if len(timed) < 2:
        return None
    settings = [settings_of(case) for case in timed]
    differing = _differing(settings)
    phase: PhaseName = _phase(timed)
    speeds = [_speed(case, phase) for case in timed]
    if any(speed is None for speed in speeds):
        return None
    known = [speed for speed in speeds if speed is not None]
    labels = _labels(cases, timed, settings, differing)
    curve = curve_words(phase, settings, differing, known, timed)
    if curve:
        return Comparison(sentence=curve, labels=labels)
    if len(timed) == 2:
        return _two(phase, timed, settings, differing, known, labels)
    return Comparison(sentence=_many(phase, settings, differing, known), labels=labels)


def _differing(settings: Sequence[dict[str, str | float]]) -> list[str]:
    """The names of settings that are not the same in all runs, in the order of their weight."""
    names = dict.fromkeys(name for setting in settings for name in setting)
    return [name for name in names if len({setting.get(name) for setting in settings}) > 1]


def _phase(timed: Sequence[Case]) -> PhaseName:
    """The phase to compare: writing where all have it and it differs, else reading."""

    def spread(name: PhaseName) -> float:
        speeds = [_speed(case, name) for case in timed]
        known = [speed for speed in speeds if speed]
        return max(known) / min(known) if len(known) == len(timed) else 0.0

    writing, reading = spread("decode"), spread("prefill")
    if not writing:
        return "prefill"
    return "decode" if writing >= SAME or writing >= reading or not reading else "prefill"


def _two(
    phase: PhaseName,
    timed: Sequence[Case],
    settings: Sequence[dict[str, str | float]],
    differing: list[str],
    speeds: Sequence[float],
    labels: tuple[str, ...],
) -> Comparison:
    verb = {"decode": "writes", "prefill": "reads"}[phase]
    fast = 0 if speeds[0] >= speeds[1] else 1
    ratio = speeds[fast] / speeds[1 - fast]
    named = [name for name in differing if name not in _LENGTHS]
    apart = _apart(named or differing, settings)
    figures = f"{_rate(speeds[fast])} instead of {_rate(speeds[1 - fast])}"
    if ratio < SAME:
        both = f"Both runs {verb[:-1]} about as fast ({_rate(speeds[0])} and {_rate(speeds[1])})"
        return Comparison(sentence=f"{both}{apart and f', though they differ in {apart}'}.", labels=labels)
    if named == ["requests at once"]:
        return Comparison(sentence=at_once_words(timed), labels=labels)
    order = ("first", "second")[fast]
    sentence = f"The {order} run {verb} {_times(ratio)} as fast: {figures}. "
    sentence += f"They differ in {apart}." if apart else "The text shows no difference in their settings."
    sentence += _smaller_is_slower(timed, fast, named)
    alone = len(named) == 1 and named[0] not in _NO_CHOICE
    value = settings[fast].get(named[0]) if alone else None
    keep = (f"{named[0]}: {_value(named[0], value)}", ratio) if alone and value is not None else None
    return Comparison(sentence=sentence, labels=labels, keep=keep)


def _smaller_is_slower(timed: Sequence[Case], fast: int, named: Sequence[str]) -> str:
    """A smaller model that is slower on the same device cannot run where the larger one does."""
    slow, quick = timed[1 - fast].stream, timed[fast].stream
    if slow is None or quick is None or slow.bytes_per_pass * _SIZES > quick.bytes_per_pass:
        return ""
    if "model" not in named or {"device", "devices"} & set(named):
        return ""
    return " The slower model is the smaller one: it does not run where the larger one does."


def _many(
    phase: PhaseName, settings: Sequence[dict[str, str | float]], differing: list[str], speeds: Sequence[float]
) -> str:
    fast, slow = max(range(len(speeds)), key=speeds.__getitem__), min(range(len(speeds)), key=speeds.__getitem__)
    does = {"decode": "write", "prefill": "read"}[phase]
    if speeds[fast] < SAME * speeds[slow]:
        return f"All {len(speeds)} runs {does} about as fast: {_rate(speeds[slow])} to {_rate(speeds[fast])}."
    pair = [settings[fast], settings[slow]]
    named = [name for name in differing if pair[0].get(name) != pair[1].get(name)]
    apart = _apart([name for name in named if name not in _LENGTHS] or named, pair)
    return (
        f"Of {len(speeds)} runs the fastest {does}s {_times(speeds[fast] / speeds[slow])} as fast as the slowest: "
        f"{_rate(speeds[fast])} instead of {_rate(speeds[slow])}." + (f" They differ in {apart}." if apart else "")
    )


def _apart(names: Sequence[str], settings: Sequence[dict[str, str | float]]) -> str:
    """Such as "layers on the device (10, 99) and cache (f16, q8_0)"."""
    told = [
        f"{name} ({', '.join(_value(name, setting.get(name)) for setting in settings)})" for name in names[:_MOST_NAMED]
    ]
    left = len(names) - len(told)
    return " and ".join(told) + (f" and {left} more" if left else "")


def _labels(
    cases: Sequence[Case], timed: Sequence[Case], settings: Sequence[dict[str, str | float]], differing: Sequence[str]
) -> tuple[str, ...]:
    of = {id(case): setting for case, setting in zip(timed, settings, strict=True)}
    labels = []
    for case in cases:
        setting = of.get(id(case), {})
        told = [f"{name} {_value(name, setting.get(name))}" for name in differing[:_MOST_NAMED]]
        labels.append(", ".join(told) or case.title)
    return tuple(labels)


def _value(name: str, value: str | float | None) -> str:
    if value is None:
        return "off" if name.startswith("-") else "not set"
    if isinstance(value, str):
        return value
    if name == "layers on the device" and value >= _ALL:
        return "all"
    return f"{value:,.0f}"


_ALL: Final = 99


def _times(ratio: float) -> str:
    return f"{ratio:.2g} times" if ratio < 9.95 else f"{float(f'{ratio:.2g}'):,.0f} times"


def _speed(case: Case, name: PhaseName) -> float | None:
    phase = case.prefill if name == "prefill" else case.decode
    if phase is None or phase.at_least:
        return None
    return phase.each_tokens_per_s if name == "decode" and phase.each_tokens_per_s else phase.tokens_per_s


def _rate(value: float) -> str:
    return show(value, "tokens/s", digits=3)
