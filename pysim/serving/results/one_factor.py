"""One factor on all times, from one measured figure: how fast is this server against typical ones?"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from pysim.errors import BadValue, UnknownName
from pysim.serving.plan.server import Server
from pysim.serving.results.load_test import MEASURES, LoadTest
from pysim.serving.run import Run

TURNS: Final = 12
CLOSE: Final = 1e-3
FACTORS: Final = (0.05, 20.0)
# Which measure is taken where several are known: waits before the first token depend on much besides speed.
ORDER: Final = ("tpot_mean", "output_tok_s", "ttft_mean")
# A measure further off than this after the factor is not explained by speed alone.
EXPLAINED: Final = 1.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibrated:
    """The factor, the measure that it was taken from, and all measures: measured, typical, and with the factor.

    `unexplained`: measures that stay far off, with measured ÷ simulated. `met`: does the factor give the measure?
    """

    factor: float
    taken_from: str
    measured: dict[str, float]
    typical: dict[str, float]
    with_factor: dict[str, float]
    unexplained: dict[str, float]
    met: bool


def calibrated(server: Server, test: LoadTest, taken_from: str | None = None) -> Calibrated:
    """The factor that a load test speaks for. Raises BadValue where the test lacks the measure, or never fits."""
    if taken_from is not None and taken_from not in MEASURES:
        raise UnknownName("measure", taken_from, MEASURES)
    load = test.load()

    def simulate(factor: float) -> Run:
        return server.slower(factor).run(load, at_once=test.at_once)

    typical = means(simulate(1.0))
    known = {name: value for name, value in test.measured.items() if typical.get(name)}
    name = taken_from or next((each for each in ORDER if each in known), None)
    if name is None or name not in known:
        raise BadValue(f"{test.words}: {taken_from or 'a time or a speed'} was not measured")
    factor, after = fitted(simulate, known, typical, name)
    ratios = {each: value / after[each] for each, value in known.items()}
    return Calibrated(
        factor=factor, taken_from=name, measured=known, typical={each: typical[each] for each in known},
        with_factor={each: after[each] for each in known},
        unexplained={each: ratio for each, ratio in ratios.items() if not 1 / EXPLAINED <= ratio <= EXPLAINED},
        met=abs(ratios[name] - 1) < 0.02,
    )  # fmt: skip


def means(run: Run) -> dict[str, float]:
    """What load generators print: mean TTFT and TPOT (s), and tokens of answers per second."""
    tpots = [each.tpot_s for each in run.outcomes if each.tpot_s is not None]
    return {
        "ttft_mean": fmean(each.ttft_s for each in run.outcomes),
        "tpot_mean": fmean(tpots) if tpots else 0.0,
        "output_tok_s": run.output_tokens_per_s,
    }


def fitted(
    simulate: Callable[[float], Run],
    measured: Mapping[str, float],
    untouched: dict[str, float],
    name: str | None = None,
) -> tuple[float, dict[str, float]]:
    """The factor on all times that fits one measure, and all measures with it."""
    name = name or next(each for each in ORDER if each in measured)
    factor, found = 1.0, untouched
    for _ in range(TURNS):
        ratio = measured[name] / found[name]
        ratio = 1 / ratio if name == "output_tok_s" else ratio
        if abs(ratio - 1) < CLOSE:
            break
        factor = min(FACTORS[1], max(FACTORS[0], factor * ratio))
        found = means(simulate(factor))
    return factor, found
