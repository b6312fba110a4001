"""Limits: how late may tokens come, for which share of the requests, and do outcomes stay within that?"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final

from pysim import units
from pysim.errors import BadValue, UnknownName, quoted
from pysim.serving.measure import at_share
from pysim.serving.request import Outcome

FILE: Final = Path(__file__).with_name("limits.toml")
MEASURES: Final = ("ttft_s", "tpot_s", "end_to_end_s")
LABELS: Final = {"ttft_s": "TTFT", "tpot_s": "TPOT", "end_to_end_s": "end to end"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Seconds that a request may take to its first token, per token after that (its mean), and end to end; None: any.

    `share`: of the requests, how many must stay within. `together`: a request counts where it stays within all limits,
    as goodput is defined; otherwise each limit has its own share, as in MLPerf. The choice changes the answer.
    """

    ttft_s: float | None = None
    tpot_s: float | None = None
    end_to_end_s: float | None = None
    share: float = 0.99
    together: bool = True

    def __post_init__(self) -> None:
        for name, most_s in self.by_measure().items():
            if not (math.isfinite(most_s) and most_s > 0):
                raise BadValue(f"the limit {name} {most_s} is not a number of seconds above 0")
        if not 0 < self.share <= 1:
            raise BadValue(f"the share {self.share} of requests within the limits is not above 0 and at most 1")

    def by_measure(self) -> dict[str, float]:
        """Those limits that are set."""
        return {name: most_s for name in MEASURES if (most_s := getattr(self, name)) is not None}

    def within(self, outcome: Outcome) -> bool:
        """Does a request stay within all limits? An answer of one token has no time per token, and stays within."""
        return all(
            (value := getattr(outcome, name)) is None or value <= most_s for name, most_s in self.by_measure().items()
        )

    def share_within(self, outcomes: Sequence[Outcome]) -> float:
        """The share of requests within all limits."""
        return sum(map(self.within, outcomes)) / len(outcomes) if outcomes else 0.0

    def worst(self, outcomes: Sequence[Outcome]) -> dict[str, float]:
        """For each limit, the seconds that `share` of the requests do not exceed."""
        values = {name: [getattr(each, name) for each in outcomes] for name in self.by_measure()}
        present = {name: [value for value in several if value is not None] for name, several in values.items()}
        return {name: at_share(several, self.share) for name, several in present.items() if several}

    def broken(self, outcomes: Sequence[Outcome]) -> str | None:
        """The measure that exceeds its limit by most, or that most requests exceed; None where the limits hold."""
        worst = self.worst(outcomes)
        if self.together:
            beyond = {
                name: sum((getattr(each, name) or 0) > most_s for each in outcomes)
                for name, most_s in self.by_measure().items()
            }
            held = not beyond or self.share_within(outcomes) >= self.share
            return None if held else max(beyond, key=lambda name: beyond[name])
        excess = {name: worst[name] / most_s for name, most_s in self.by_measure().items() if name in worst}
        return None if max(excess.values(), default=0) <= 1 else max(excess, key=lambda name: excess[name])

    def words(self, name: str, outcomes: Sequence[Outcome]) -> str:
        """What `broken` says, in words."""
        most = units.show(self.by_measure()[name], "s", digits=3)
        if self.together and len(self.by_measure()) > 1:
            share = self.share_within(outcomes)
            return (
                f"only {share:.1%} of the requests stay within all limits, {self.share:.0%} should; "
                f"most of the others exceed the {LABELS[name]} of {most}"
            )
        value = units.show(self.worst(outcomes)[name], "s", digits=3)
        return f"{LABELS[name]} at p{self.share * 100:g} is {value}, the limit is {most}"


@cache
def presets() -> Mapping[str, Limits]:
    """The limits that have a name; `limits.toml` cites the source of each."""
    with FILE.open("rb") as file:
        groups = tomllib.load(file)
    return {
        key: Limits(
            ttft_s=units.parse(values["ttft"], "s"),
            tpot_s=units.parse(values["tpot"], "s"),
            share=group["share"],
            together=group["together"],
        )
        for group in groups.values()
        for key, values in group["limits"].items()
    }


def limits_named(name: str) -> Limits:
    """Limits by name; UnknownName offers the nearest."""
    if name not in presets():
        raise UnknownName("limits", name, presets())
    return presets()[name]


def limits_from(given: Mapping[str, object] | str) -> Limits:
    """Limits from a name, or from a table whose `preset` the other values change."""
    if isinstance(given, str):
        return limits_named(given)
    allowed = [field.name for field in fields(Limits)]
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "preset":
            continue
        if name not in allowed:
            raise UnknownName("limit", name, [*allowed, "preset"])
        if name != "together" and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise BadValue(f"the limit {name} {value!r} is not a number")
        values[name] = value
    if not isinstance(given.get("together", True), bool):
        raise BadValue(f"the limit together {quoted(given['together'], 30)} is neither true nor false")
    start = limits_named(str(given["preset"])) if "preset" in given else Limits()
    return Limits(**{**{name: getattr(start, name) for name in allowed}, **values})
