"""How many devices does this load need, and what breaks first?"""

from __future__ import annotations

from simple_html import SafeString, div

from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.plot import Axis, Curve, Rule, log_ticks, plot
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural, share
from demos.kit.serving.loads import limits_words
from demos.kit.serving.server import Refused
from demos.planner.controls import CONTROLS, PRESETS, READOUTS
from demos.planner.simulation import Scene, Way, scene
from pysim.serving.plan.quick import REQUESTS
from pysim.serving.results.one_factor import Calibrated

__all__ = [
    "ASKED",
    "CONTROLS",
    "LEAD",
    "MAIN",
    "MATH_NOTE",
    "PRESETS",
    "READOUTS",
    "TITLE",
    "explain",
    "frame",
    "say",
    "scene",
    "stops",
    "table",
]

TITLE = "How many devices do I need?"
LEAD = "Say what is asked of the server, and what is good enough. Nothing leaves your browser."
MAIN = ("model", "device", "load", "rate")
ASKED = ("how many GPUs", "capacity planning", "cost per million tokens", "size a server", "GPUs for users")
MATH_NOTE = (
    f"A quick look: each rate is tested with {REQUESTS} requests, so the queue has little time to grow. For a long "
    "test, use the command line: pysim serve size."
)


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The verdict, what one replica takes, every way to share the model, and what the pasted test says."""
    best = scene.best
    parts: list[SafeString] = [div_of("tool-verdict" + ("" if best else " bad"), _verdict(scene))]
    if best is not None and best.quick is not None:
        if best.quick.breaks_first:
            parts.append(div_of("verdict", f"What breaks first beyond that: {best.quick.breaks_first}."))
        parts.append(_curve(best))
    parts.append(_ways(scene))
    if scene.test is not None:
        parts.append(div_of("verdict", _test_words(scene.test)))
    stage = element(div, {"class": "stage serving planner"}, *parts)
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def div_of(names: str, text: str) -> SafeString:
    """A line of the picture."""
    return element(div, {"class": names}, text)


def _verdict(scene: Scene) -> str:
    best = scene.best
    if best is None or best.devices is None or best.replicas is None:
        return f"No number of devices keeps {limits_words(scene.limits)}."
    replicas = "one replica" if best.replicas == 1 else f"{count(best.replicas)} replicas"
    several = f", {replicas} of {best.per_replica}" if best.per_replica > 1 else ""
    return f"{plural(best.devices, 'device')}{several}, for {limits_words(scene.limits)}."


def _curve(best: Way) -> SafeString:
    points = [] if best.quick is None else [(each.rate_per_s, each.share_within) for each in best.quick.tried]
    low, high = points[0][0] / 1.3, points[-1][0] * 1.3
    x = Axis(low=low, high=high, label="requests/s for one replica", ticks=log_ticks(low, high), log=True)
    y = Axis(low=0, high=1.05, label="within the limits", ticks=[(v, share(v)) for v in (0.0, 0.5, 1.0)])
    rate = 0.0 if best.quick is None else best.quick.rate_per_s
    words = f"One replica stays within the limits up to {rate:.3g} requests per second."
    return plot(x, y, [Curve(points=points, kind="decode")], summary=words, rules=[Rule(x=rate, label=f"{rate:.3g}/s")])


def _ways(scene: Scene) -> SafeString:
    rows = [
        (
            f"{way.per_replica}",
            "none" if way.quick is None or not way.quick.rate_per_s else f"{way.quick.rate_per_s:.3g}/s",
            "none" if way.devices is None else count(way.devices),
            way.why_not or (way.quick.breaks_first or "" if way.quick else ""),
        )
        for way in scene.ways
    ]
    head = ("share it", "one takes", "devices", "what breaks first")
    return small_table("How many devices share the model, and what one such replica takes", head, rows)


def _test_words(test: Calibrated | Refused) -> str:
    if isinstance(test, Refused):
        return f"Your load test: {test.why}"
    how = "slower" if test.factor > 1 else "faster"
    words = f"By your load test, a step of your server takes {test.factor:.2f} times as long as typical ({how})"
    if test.unexplained:
        named = ", ".join(f"{name} stays {ratio:.2g} times off" for name, ratio in test.unexplained.items())
        return f"{words}. Speed alone does not explain all of it: {named}."
    return f"{words}. The plan above counts with that."


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    best, price = scene.best, scene.price_per_million
    none = Missing("no number of devices")
    test = scene.test
    return {
        "devices": none if best is None or best.devices is None else best.devices,
        "per_replica": none if best is None else best.per_replica,
        "token_budget": none if best is None else best.budget,
        "highest_rate": none if best is None or best.quick is None else best.quick.rate_per_s,
        "devices_low": none if scene.low is None else scene.low,
        "devices_high": Missing("no number, if steps are that slow") if scene.high is None else scene.high,
        "price_per_million": none if price is None else price,
        "factor": test.factor if isinstance(test, Calibrated) else Missing("paste a load test"),
    }


def say(scene: Scene, t_s: float) -> str:
    """The plan in a sentence."""
    words = _verdict(scene)
    if scene.low is None or scene.high is None:
        return words
    return f"{words} From {count(scene.low)} to {count(scene.high)}, as such servers differ."


def explain(scene: Scene) -> list[Formula]:
    """From the rate to devices and the price."""
    best, price = scene.best, scene.price_per_million
    if best is None or best.quick is None or best.devices is None or price is None:
        return []
    answer = scene.traffic.mean_tokens()[1]
    source, url = "goodput: Zhong et al., DistServe, 2024", "https://arxiv.org/abs/2401.09670"
    return [
        Formula(
            label="Replicas",
            rule="requests per second ÷ what one replica takes within the limits, rounded up",
            inserted=f"{scene.rate:g} ÷ {best.quick.rate_per_s:.3g}",
            result=count(best.replicas or 0),
            source=source,
            source_url=url,
        ),
        Formula(
            label="A million answer tokens",
            rule="devices × price of an hour ÷ 3,600 ÷ (requests per second × mean answer tokens) × 1,000,000",
            inserted=f"{best.devices} × {scene.price_per_hour:g} ÷ 3,600 ÷ ({scene.rate:g} × {answer:,.0f}) × 10⁶",
            result=f"{price:,.2f}",
            source=f"lengths: {scene.traffic.source or 'your own'}",
        ),
        Formula(
            label="The range",
            rule="the same search, with every step faster or slower, as published load tests differ from the simulator",
            inserted=_range(scene),
            result=plural(best.devices, "device"),
            source="published load tests, 2024 to 2026",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """Every rate that was tried, for each way to share the model."""
    rows: list[list[Cell]] = [
        ["devices_per_replica", "rate_per_s", "share_within", "ttft_p99_s", "tpot_p99_s", "too_high"]
    ]
    for way in scene.ways:
        for each in way.quick.tried if way.quick else ():
            worst = each.worst_s
            rows.append(
                [way.per_replica, each.rate_per_s, each.share_within, worst.get("ttft_s", ""), worst.get("tpot_s", ""),
                 each.broken or ""]
            )  # fmt: skip
    return rows


def _range(scene: Scene) -> str:
    return f"{count(scene.low)} to {count(scene.high)}" if scene.low and scene.high else "no number"
