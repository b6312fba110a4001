"""Accuracy: how far are predictions from published measurements that were not fitted?"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from statistics import median
from typing import Final

from pysim.engines.names import engine_name
from pysim.fit.points import Phase, Point, deployed, points
from pysim.requests.request_estimate import Estimate, estimate

ALIKE: Final = 2.0  # two runs compare if their token counts differ by no more than this factor


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A point and what pysim says to it, in seconds; `low_s` and `high_s` are the band, `fits` as in an estimate."""

    point: Point
    family: str
    engine: str
    is_moe: bool
    predicted_s: float
    low_s: float
    high_s: float
    fits: bool | None

    @property
    def measured_per_s(self) -> float:
        """Tokens per second as its source has it: of all sequences together."""
        return self._tokens / self.point.measured_s

    @property
    def predicted_per_s(self) -> float:
        """The same, predicted."""
        return self._tokens / self.predicted_s

    @property
    def miss(self) -> float:
        """By which fraction the predicted speed is above (or, negative, below) the measured one."""
        return self.point.measured_s / self.predicted_s - 1

    @property
    def log_miss(self) -> float:
        """The same as a logarithm, in which twice too fast and twice too slow are equally far off."""
        return math.log(self.point.measured_s / self.predicted_s)

    @property
    def in_band(self) -> bool:
        """Does the measured time lie between p10 and p90?"""
        return self.low_s <= self.point.measured_s <= self.high_s

    @property
    def _tokens(self) -> int:
        of_one = self.point.prompt_tokens if self.point.phase == "prefill" else 1
        if self.point.whole:
            of_one = self.point.output_tokens
        return of_one * self.point.batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Some outcomes in a line; errors are fractions of the measured speed."""

    name: tuple[str, ...]
    points: int
    median_error: float
    p90_error: float
    bias: float
    in_band: float


def compare(point: Point) -> Outcome:
    """Predict one point."""
    on = deployed(point)
    whole = estimate(
        on,
        prompt_tokens=point.prompt_tokens,
        output_tokens=point.output_tokens,
        prompt_depth=point.prompt_depth,
        batch=point.batch,
    )
    field = "ttft_s" if point.phase == "prefill" else "total_s" if point.whole else "tpot_s"
    predicted, low, high = _field(whole, field)
    return Outcome(
        point=point,
        family=on.device.family,
        engine=engine_name(point.engine),
        is_moe=on.model.is_moe,
        predicted_s=predicted,
        low_s=low,
        high_s=high,
        fits=whole.fits,
    )


@lru_cache(maxsize=2)
def outcomes(*, reported: bool = True) -> tuple[Outcome, ...]:
    """All sound points that were kept out of the fit (or, on demand, those in it), compared."""
    return tuple(compare(point) for point in points() if point.sound and point.reported == reported)


def summarize(compared: Iterable[Outcome], name_of: Callable[[Outcome], tuple[str, ...]]) -> list[Summary]:
    """A line per name, in the order of names."""
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in compared:
        groups.setdefault(name_of(outcome), []).append(outcome)
    return [
        summary_of(name, [outcome.miss for outcome in own], sum(outcome.in_band for outcome in own) / len(own))
        for name, own in sorted(groups.items(), key=lambda group: group[0])
    ]


def summary_of(name: tuple[str, ...], misses: Sequence[float], in_band: float) -> Summary:
    """The line of some misses, at least one, of which a share is within its band."""
    errors = [abs(miss) for miss in misses]
    return Summary(
        name=name,
        points=len(errors),
        median_error=median(errors),
        p90_error=quantile(errors, 0.9),
        bias=median(misses),
        in_band=in_band,
    )


def by_kind(outcome: Outcome) -> tuple[str, ...]:
    """Phase, dense or experts, and batch 1 or larger."""
    return (outcome.point.phase, "experts" if outcome.is_moe else "dense", "larger" if outcome.point.batch > 1 else "1")


def by_cell(outcome: Outcome) -> tuple[str, ...]:
    """Phase, engine and family."""
    return (outcome.point.phase, outcome.engine, outcome.family)


def noise_floor(phase: Phase) -> tuple[float, int]:
    """How far two sources lie apart that measured the same model and format on the same device.

    The median ratio of the faster to the slower speed, and the number of pairs; lengths may differ
    by ALIKE, engines do not.
    """
    groups: dict[tuple[str, ...], list[Point]] = {}
    for point in points():
        if point.sound and point.phase == phase and point.batch == 1 and not point.whole and point.n_devices == 1:
            key = (point.device, point.model, point.weights.split(" ")[0], engine_name(point.engine))
            groups.setdefault(key, []).append(point)
    ratios = [
        max(_speed(a), _speed(b)) / min(_speed(a), _speed(b))
        for group in groups.values()
        for a, b in combinations(group, 2)
        if a.source != b.source and _alike(a, b)
    ]
    return (median(ratios), len(ratios)) if ratios else (math.nan, 0)


def quantile(values: Sequence[float], share: float) -> float:
    """The value below which a share lies, between neighbors by a straight line."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def _field(whole: Estimate, field: str) -> tuple[float, float, float]:
    value = getattr(whole, field)
    if value is None or whole.band is None:
        raise ValueError(f"a measured point needs {field} and its band")
    low, high = whole.band[field]
    return value, low, high


def _speed(point: Point) -> float:
    return (point.prompt_tokens if point.phase == "prefill" else 1) / point.measured_s


def _alike(a: Point, b: Point) -> bool:
    pairs = (
        (a.prompt_tokens + a.output_tokens, b.prompt_tokens + b.output_tokens),
        (a.prompt_depth + 1, b.prompt_depth + 1),
    )
    return all(max(pair) <= ALIKE * min(pair) for pair in pairs)
