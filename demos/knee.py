"""How many requests per second can the server take before tokens come too late?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simple_html import SafeString, div

from demos.kit.declare import choices
from demos.kit.declare.controls import Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, linear_ticks, log_ticks, plot, time_ticks
from demos.kit.html import element, joined
from demos.kit.number import count, share
from demos.kit.serving.loads import limits_choice, limits_words, load_choice, rate_slider, requests, seed_number
from demos.kit.serving.server import SEATS, Refused, Server, sentence, server
from pysim import units
from pysim.errors import PysimError
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.policies.vllm_v1 import VllmV1

TITLE = "Where is the knee?"
LEAD = "Raise the arrivals until the curve bends."
MAIN = ("rate",)
ASKED = ("how many users", "requests per second", "goodput", "capacity of my server", "load test")
MATH_NOTE = "Each point is a simulation at typical speed; all rates get the same requests, only closer together."
RATES: Final = (0.25, 1.0, 2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 48.0)
WANTED: Final = 0.9

CONTROLS = (
    rate_slider(4.0),
    Slider(name="test_requests", label="Requests of the test", start=200, low=50, high=600, step=50, noun="requests"),
    load_choice(),
    limits_choice(),
    seed_number(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)

READOUTS = (
    Readout(name="goodput", label="Goodput", unit="requests/s"),
    Readout(name="share_within", label="Within the limits", unit="%"),
    Readout(name="highest_rate", label="Highest rate, 90% within", unit="requests/s"),
    Readout(name="ttft_p99_s", label="First token, p99", unit="s"),
    Readout(name="tpot_p99_s", label="Time per token, p99", unit="s"),
)

PRESETS = (
    Preset(label="Below the knee", values={}, recorded=True),
    Preset(label="Past the knee", values={"rate": "20"}),
    Preset(label="Too short a test", values={"rate": "20", "test_requests": "50"}),
    Preset(label="Code completion", values={"load": "code", "rate": "8"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one rate gives."""

    rate: float
    within: float
    ttft_p99_s: float
    tpot_p99_s: float

    @property
    def goodput(self) -> float:
        """Requests per second that arrive and stay within the limits."""
        return self.rate * self.within


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A point for each rate, the chosen one among them."""

    points: tuple[Point, ...] | Refused
    rate: float
    tests: int
    limits: Limits
    served: Server | None

    @property
    def shown(self) -> Point:
        """The chosen rate's."""
        if isinstance(self.points, Refused):
            raise ValueError("nothing runs")
        return next(point for point in self.points if point.rate == self.rate)

    @property
    def highest(self) -> float | None:
        """The rate at which the share within the limits falls below what is wanted, between two points; None: never."""
        points = () if isinstance(self.points, Refused) else self.points
        if not points or points[0].within < WANTED:
            return None
        for low, high in itertools.pairwise(points):
            if high.within < WANTED:
                part = (low.within - WANTED) / (low.within - high.within)
                return float(low.rate * (high.rate / low.rate) ** part)
        return None


def scene(**values: Value) -> Scene:
    """Serve the same requests at each rate."""
    served, rate, tests = server(values), float(values["rate"]), int(values["test_requests"])
    limits = limits_named(str(values["limits"]))
    if isinstance(served, Refused):
        return Scene(points=served, rate=rate, tests=tests, limits=limits, served=None)
    try:
        points = tuple(_point(served, values, each, tests, limits) for each in sorted({*RATES, rate}))
    except PysimError as error:
        return Scene(points=Refused(sentence(error)), rate=rate, tests=tests, limits=limits, served=None)
    return Scene(points=points, rate=rate, tests=tests, limits=limits, served=served)


def _point(served: Server, values: dict[str, Value], rate: float, tests: int, limits: Limits) -> Point:
    run = served.on.serve(
        requests({**values, "rate": rate}, tests), policy=VllmV1.name, token_budget=8192, seats=SEATS,
        kv_tokens=served.kv_tokens,
    )  # fmt: skip
    found = run.percentiles()
    return Point(
        rate=rate,
        within=limits.share_within(run.outcomes),
        ttft_p99_s=found["ttft_s"]["p99"],
        tpot_p99_s=found["tpot_s"]["p99"] if "tpot_s" in found else 0.0,
    )


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """Goodput against the rate, and the wait against the rate."""
    if isinstance(scene.points, Refused):
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, scene.points.why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    stage = element(
        div, {"class": "stage serving knee"}, _goodput_plot(scene, scene.points), _wait_plot(scene, scene.points)
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _goodput_plot(scene: Scene, points: Sequence[Point]) -> SafeString:
    top = 1.15 * max(max(point.goodput for point in points), 0.1)
    x, limit = _rates(), scene.highest
    y = Axis(low=0, high=top, label="requests/s within the limits", ticks=[(v, f"{v:g}") for v in linear_ticks(top)])
    ideal = [(rate, rate) for rate in sorted({*(each for each in RATES if each < top), min(top, RATES[-1])})]
    curves = [
        Curve(points=ideal, kind="rule", dashed=True),
        Curve(points=[(point.rate, point.goodput) for point in points], kind="decode"),
    ]
    shown = scene.shown
    mark = Mark(x=shown.rate, y=shown.goodput, kind="now", label=f"{shown.goodput:.3g}/s", centered=True)
    rules = [] if limit is None else [Rule(x=limit, label=f"{share(WANTED)} within up to {limit:.3g}/s")]
    return plot(x, y, curves, summary=_words(scene), marks=[mark], rules=rules)


def _wait_plot(scene: Scene, points: Sequence[Point]) -> SafeString:
    waits = [point.ttft_p99_s for point in points]
    limit_s = scene.limits.ttft_s or 1.0
    low, high = min(*waits, limit_s) / 2, max(*waits, limit_s) * 2
    ticks = time_ticks(low, high)
    y = Axis(low=low, high=high, label="first token, 99% within", ticks=ticks, log=True)
    curves = [
        Curve(points=[(RATES[0], limit_s), (RATES[-1], limit_s)], kind="rule", dashed=True),
        Curve(points=[(point.rate, point.ttft_p99_s) for point in points], kind="prefill"),
    ]
    shown = scene.shown
    mark = Mark(x=shown.rate, y=shown.ttft_p99_s, kind="now", label=_seconds(shown.ttft_p99_s), centered=True)
    return plot(_rates(), y, curves, summary=f"The wait for a first token at each rate. {_words(scene)}", marks=[mark])


def _rates() -> Axis:
    low, high = 0.1, 100.0
    return Axis(low=low, high=high, label="arrivals per second", ticks=log_ticks(low, high), log=True)


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.points, Refused):
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    shown, highest = scene.shown, scene.highest
    never = "even the slowest arrivals exceed them" if scene.points[0].within < WANTED else "no rate here exceeds them"
    return {
        "goodput": shown.goodput,
        "share_within": shown.within,
        "highest_rate": Missing(never) if highest is None else highest,
        "ttft_p99_s": shown.ttft_p99_s,
        "tpot_p99_s": shown.tpot_p99_s,
    }


def _words(scene: Scene) -> str:
    shown, highest = scene.shown, scene.highest
    here = f"At {shown.rate:g} requests per second, {share(shown.within)} have {limits_words(scene.limits)}"
    if highest is None:
        return f"{here}."
    tested = f"says a test of {count(scene.tests)} requests"
    return f"{here}. Up to about {highest:.3g} per second, {share(WANTED)} do, {tested}."


def say(scene: Scene, t_s: float) -> str:
    """What the chosen rate gives, and where the knee is."""
    return scene.points.why if isinstance(scene.points, Refused) else _words(scene)


def explain(scene: Scene) -> list[Formula]:
    """Goodput, and how long the test lasts."""
    if isinstance(scene.points, Refused):
        return []
    shown = scene.shown
    return [
        Formula(
            label="Goodput",
            rule="arrivals per second × the share of requests within the limits",
            inserted=f"{shown.rate:g} × {share(shown.within)}",
            result=units.show(shown.goodput, "requests/s", digits=3),
            source="goodput: Zhong et al., DistServe, 2024",
            source_url="https://arxiv.org/abs/2401.09670",
        ),
        Formula(
            label="How long the test lasts",
            rule="requests ÷ arrivals per second; a queue that grows needs time to show, so a short test says too much",
            inserted=f"{count(scene.tests)} ÷ {shown.rate:g}",
            result=_seconds(scene.tests / shown.rate),
            source="Little's law: Little, 1961",
            source_url="https://doi.org/10.1287/opre.9.3.383",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """A row for each rate."""
    rows: list[list[Cell]] = [["rate_per_s", "goodput_per_s", "share_within", "ttft_p99_s", "tpot_p99_s"]]
    for point in () if isinstance(scene.points, Refused) else scene.points:
        rows.append([point.rate, point.goodput, point.within, point.ttft_p99_s, point.tpot_p99_s])
    return rows
