"""How many tokens may a step carry, before tokens come too late?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from simple_html import SafeString, div

from demos.kit.declare import choices
from demos.kit.declare.controls import Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.plot import Axis, Curve, Mark, plot, time_ticks
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural, share
from demos.kit.serving.loads import limits_choice, limits_words, load_choice, rate_slider, requests, seed_number
from demos.kit.serving.server import Refused, Server, sentence, server
from pysim import units
from pysim.errors import PysimError
from pysim.serving.plan.limits import Limits, limits_named
from pysim.serving.policies.vllm_v1 import VllmV1
from pysim.serving.run import Run
from pysim.serving.serve import rule_of

TITLE = "How many tokens may a step carry?"
LEAD = "Change the budget: what does the first token gain, what do the others lose?"
MAIN = ("rate", "token_budget")
ASKED = ("max_num_batched_tokens", "chunked_prefill_size", "token budget", "tune vllm for latency")
MATH_NOTE = "Each dot is a simulation of the same requests at typical speed; only the budget differs."
BUDGETS: Final = (512, 1024, 2048, 4096, 8192, 16_384)
REQUESTS: Final = 200
# Shares nearer to each other than this are alike.
CLOSE: Final = 0.015

CONTROLS = (
    rate_slider(10.0),
    Slider(
        name="token_budget", label="Tokens a step", start=8192, low=256, high=16_384, scale="log", noun="tokens",
        marks=((256, "256"), (2048, "2,048"), (16_384, "16,384")),
    ),
    load_choice(),
    limits_choice(),
    seed_number(),
    choices.models("llama-3.1-8b", ("llama-3.1-8b", "qwen3-32b", "gpt-oss-20b", "llama-3.1-70b")),
    choices.weights(),
    choices.devices("h100-sxm", ("rtx-4090", "rtx-5090", "h100-sxm", "b200", "mi300x")),
)  # fmt: skip

READOUTS = (
    Readout(name="ttft_p99_s", label="First token, p99", unit="s"),
    Readout(name="tpot_p99_s", label="Time per token, p99", unit="s"),
    Readout(name="gap_p99_s", label="Gap between tokens, p99", unit="s"),
    Readout(name="share_within", label="Within the limits", unit="%"),
    Readout(name="best_budget", label="Best budget", counts="token"),
    Readout(name="default_budget", label="Engine's default", counts="token"),
)

PRESETS = (
    Preset(label="Chat", values={}, recorded=True),
    Preset(label="A small budget", values={"token_budget": "512"}),
    Preset(label="Long documents", values={"load": "documents", "rate": "0.4", "limits": "mlperf-llama-3.1-8b-server"}),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dot:
    """What one budget gives: seconds that 99% of requests, or of gaps, do not exceed, and the share within limits."""

    budget: int
    ttft_p99_s: float
    tpot_p99_s: float
    gap_p99_s: float
    within: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A dot for each budget, the chosen one among them."""

    dots: tuple[Dot, ...] | Refused
    chosen: int
    default: int | None
    limits: Limits
    served: Server | None

    @property
    def shown(self) -> Dot:
        """The chosen budget's."""
        if isinstance(self.dots, Refused):
            raise ValueError("nothing runs")
        return next(dot for dot in self.dots if dot.budget == self.chosen)

    @property
    def best(self) -> Dot:
        """Of the budgets with most requests within the limits, to within 1.5%, the one with the shortest gaps."""
        if isinstance(self.dots, Refused):
            raise ValueError("nothing runs")
        top = max(dot.within for dot in self.dots)
        return max(self.dots, key=lambda dot: (dot.within >= top - CLOSE, -dot.gap_p99_s))


def scene(**values: Value) -> Scene:
    """Serve the same requests with each budget."""
    served, chosen = server(values), int(values["token_budget"])
    limits = limits_named(str(values["limits"]))
    if isinstance(served, Refused):
        return Scene(dots=served, chosen=chosen, default=None, limits=limits, served=None)
    load = requests(values, REQUESTS)
    try:
        runs = {
            budget: served.on.serve(
                load, policy=VllmV1.name, token_budget=budget, seats=256, kv_tokens=served.kv_tokens
            )
            for budget in sorted({*BUDGETS, chosen})
        }
    except PysimError as error:
        return Scene(dots=Refused(sentence(error)), chosen=chosen, default=None, limits=limits, served=None)
    dots = tuple(_dot(budget, run, limits) for budget, run in runs.items())
    default = rule_of(served.on).step_tokens_on(served.on.device) if served.on.engine else None
    return Scene(dots=dots, chosen=chosen, default=default, limits=limits, served=served)


def _dot(budget: int, run: Run, limits: Limits) -> Dot:
    found = run.percentiles()
    return Dot(
        budget=budget,
        ttft_p99_s=found["ttft_s"]["p99"],
        tpot_p99_s=found["tpot_s"]["p99"] if "tpot_s" in found else 0.0,
        gap_p99_s=run.gap_s(0.99) or 0.0,
        within=limits.share_within(run.outcomes),
    )


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The wait against the pace, a dot for each budget, and the limits as a box."""
    if isinstance(scene.dots, Refused):
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, scene.dots.why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    rows = [
        (count(dot.budget), _seconds(dot.ttft_p99_s), _seconds(dot.gap_p99_s), share(dot.within)) for dot in scene.dots
    ]
    head = ("tokens a step", "first token", "gap", "within")
    shown = small_table("Same requests with each budget; 99% within", head, rows)
    stage = element(div, {"class": "stage serving"}, _plot(scene, scene.dots), shown)
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _plot(scene: Scene, dots: tuple[Dot, ...]) -> SafeString:
    first_s, pace_s = scene.limits.ttft_s or 1.0, scene.limits.tpot_s or 0.1
    waits, gaps = [dot.ttft_p99_s for dot in dots], [dot.gap_p99_s or pace_s for dot in dots]
    x_low, x_high = _around([*waits, first_s])
    y_low, y_high = _around([*gaps, pace_s])
    x = Axis(low=x_low, high=x_high, label="first token, 99% within", ticks=time_ticks(x_low, x_high), log=True)
    y = Axis(low=y_low, high=y_high, label="gap between tokens, 99% within", ticks=time_ticks(y_low, y_high), log=True)
    box = Curve(points=[(x_low, pace_s), (first_s, pace_s), (first_s, y_low)], kind="rule", dashed=True)
    path = Curve(points=list(zip(waits, gaps, strict=True)), kind="decode")
    named = {scene.chosen, dots[0].budget} if scene.chosen != dots[0].budget else {scene.chosen, dots[-1].budget}
    marks = [
        Mark(x=x_s, y=y_s, kind="now" if dot.budget == scene.chosen else "",
             label=count(dot.budget) if dot.budget in named else "")
        for dot, x_s, y_s in zip(dots, waits, gaps, strict=True)
    ]  # fmt: skip
    return plot(x, y, [box, path], summary=_words(scene), marks=marks)


def _around(values: list[float]) -> tuple[float, float]:
    return min(values) / 1.6, max(values) * 1.6


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.dots, Refused):
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    dot = scene.shown
    return {
        "ttft_p99_s": dot.ttft_p99_s,
        "tpot_p99_s": dot.tpot_p99_s,
        "gap_p99_s": dot.gap_p99_s,
        "share_within": dot.within,
        "best_budget": scene.best.budget,
        "default_budget": Missing("not known here") if scene.default is None else scene.default,
    }


def _words(scene: Scene) -> str:
    best, shown = scene.best, scene.shown
    inside = f"With {plural(shown.budget, 'token')} a step, {share(shown.within)} of the requests are within the limits"
    if best.within - shown.within >= CLOSE:
        return f"{inside}; with {count(best.budget)} it would be {share(best.within)}."
    if best.gap_p99_s > 0.8 * shown.gap_p99_s:
        return f"{inside}: no other budget here does better."
    gaps = f"99% of the gaps are below {_seconds(best.gap_p99_s)} instead of {_seconds(shown.gap_p99_s)}"
    return f"{inside}. With {count(best.budget)} as many are, and {gaps}."


def say(scene: Scene, t_s: float) -> str:
    """How the chosen budget does, and which is best."""
    return scene.dots.why if isinstance(scene.dots, Refused) else _words(scene)


def explain(scene: Scene) -> list[Formula]:
    """What a full step takes, which bounds the gaps, and what counts as within the limits."""
    if scene.served is None or isinstance(scene.dots, Refused):
        return []
    step = scene.served.on.pass_cost(scene.chosen, 0, 1, speed="typical")
    return [
        Formula(
            label="A step full of prompt",
            rule="the time of a pass that reads as many prompt tokens as the budget allows",
            inserted=f"{count(scene.chosen)} tokens, {units.show(step.flop, 'FLOP')}",
            result=_seconds(step.time_s),
            source="prompts in pieces: Agrawal et al., Sarathi-Serve, 2024",
            source_url="https://arxiv.org/abs/2403.02310",
        ),
        Formula(
            label="Within the limits",
            rule=f"requests with {limits_words(scene.limits)} on average ÷ all requests",
            inserted=f"{count(round(scene.shown.within * REQUESTS))} ÷ {count(REQUESTS)}",
            result=share(scene.shown.within),
            source="limits: MLPerf Inference, Llama 3.1 8B",
            source_url="https://github.com/mlcommons/inference",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """A row for each budget."""
    rows: list[list[Cell]] = [["token_budget", "ttft_p99_s", "tpot_p99_s", "gap_p99_s", "share_within"]]
    for dot in () if isinstance(scene.dots, Refused) else scene.dots:
        rows.append([dot.budget, dot.ttft_p99_s, dot.tpot_p99_s, dot.gap_p99_s, dot.within])
    return rows
