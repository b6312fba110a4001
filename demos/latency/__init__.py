"""How does a model feel: how long is the wait, and how fast is the stream?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices as catalogue
from demos.kit.declare.controls import Choice, Option, ReadingSpeed, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kit.tokenize.examples import EXAMPLES, answer_pieces
from demos.latency.chat import Line, Pane, chat_pane, timeline
from demos.latency.reading_pace import PARAGRAPH, pace_axis
from demos.latency.requests import OWN, REAL_PREFIX, WORKED, request_options
from demos.latency.runs import Run, averaged_run, measured_run, simulated_run
from demos.latency.traces import averages, traces
from pysim import units

TITLE = "Which would you rather wait for?"
LEAD = "Pick an example, press Send, and feel the wait."
ASKED = ("slow first word", "time to first token", "faster than I can read", "how fast is fast enough")
WORD = "Send"
ENGINE = "typical"
NONE = "none"
DEVICES = (
    "snapdragon-8-gen-3",
    "cloud-cpu-2c",
    "apple-m3-max-40c",
    "strix-halo",
    "rtx-4090",
    "h100-sxm",
)
MODELS = ("smollm2-135m", "llama-3.2-1b", "llama-3.1-8b", "qwen3-30b-a3b", "llama-3.1-70b")
CONTROLS = (
    Choice(name="example", label="Example", start="sky", options=request_options(), otherwise=OWN),
    Slider(name="prompt_tokens", label="Prompt", start=6, low=1, high=131_072, scale="log", noun="tokens"),
    Slider(name="output_tokens", label="Answer", start=48, low=1, high=10_000, scale="log", noun="tokens"),
    catalogue.models("llama-3.1-8b", MODELS),
    catalogue.weights(extra=(("q8_0", "8-bit (Q8_0)"),)),
    catalogue.devices("rtx-4090", DEVICES),
    catalogue.devices(NONE, DEVICES, name="compare_device", label="Compare with", none="nothing"),
    Choice(
        name="speed_up",
        label="Pace",
        start="1",
        options=(
            Option(value="1", label="true pace"),
            *(Option(value=str(factor), label=f"{factor}× faster") for factor in (2, 5, 10, 100)),
        ),
    ),
    ReadingSpeed(
        name="reading_words_per_minute",
        label="You read",
        start=240,
        low=40,
        high=1_000,
        noun="words a minute",
        paragraph=PARAGRAPH,
    ),
)

READOUTS = (
    Readout(name="ttft_s", label="First token (TTFT)", unit="s"),
    Readout(name="tpot_s", label="Per token (TPOT)", unit="s"),
    Readout(name="total_s", label="Whole answer", unit="s"),
    Readout(name="prefill_tokens_per_s", label="Reads at", unit="tokens/s"),
    Readout(name="decode_tokens_per_s", label="Writes at", unit="tokens/s"),
    Readout(name="speed_ratio", label="Reading ÷ writing", unit="×"),
    Readout(name="measured_ttft_s", label="First token, your clock", unit="s"),
    Readout(name="measured_total_s", label="Answer, your clock", unit="s"),
)

PRESETS = (
    Preset(label="Reads 19 times faster than it writes", values={"example": WORKED}),
    Preset(
        label="Phone against H100",
        values={
            "example": "sky",
            "model": "llama-3.2-1b",
            "device": "snapdragon-8-gen-3",
            "compare_device": "h100-sxm",
        },
    ),
    Preset(label="Measured on two CPU cores", values={"example": "real-document"}),
)
MATH_NOTE = "Typical speeds, fitted to published measurements, with the band that eight of ten runs fall in."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The run (and the one beside it), what is typed and answered, and the pace."""

    run: Run
    beside: Run | None
    prompt: str
    answer: Sequence[str]
    prompt_tokens: int
    speed_up: float
    words_per_minute: float

    @property
    def end_s(self) -> float:
        return max(self.run.end_s, self.beside.end_s if self.beside else 0.0)


def scene(**values: Value) -> Scene:
    """Simulate the request at typical speed, or replay a measured one with the simulation beside it."""
    example = str(values["example"])
    tokens = int(values["prompt_tokens"]), int(values["output_tokens"])
    model, weights = pysim.load_model(str(values["model"])), str(values["weights"])
    common = {"speed_up": float(values["speed_up"]), "words_per_minute": float(values["reading_words_per_minute"])}

    def simulated(device: Value, engine: str = ENGINE, title: str = "") -> Run:
        return simulated_run(model, pysim.load_device(str(device)), *tokens, weights, engine, title)

    compare = values["compare_device"]
    if example.startswith(REAL_PREFIX):
        trace = traces()[example.removeprefix(REAL_PREFIX)]
        predicted = simulated(trace.device, trace.engine, "the simulator's prediction")
        return Scene(
            run=measured_run(trace),
            beside=predicted if compare == NONE else simulated(compare),
            prompt=trace.prompt,
            answer=trace.pieces,
            prompt_tokens=trace.prompt_tokens,
            **common,
        )
    written = EXAMPLES.get(example)
    run: Run = simulated(values["device"])
    beside: Run | None = None if compare == NONE else simulated(compare)
    if example == WORKED:
        given = averages()[WORKED]
        beside = beside or simulated(given.device, given.engine, "the simulator's prediction")
        run = averaged_run(given, tokens[1])
    return Scene(
        run=run,
        beside=beside,
        prompt=written.prompt if written else f"Your own prompt, {plural(tokens[0], 'token')} long.",
        answer=answer_pieces(written.answer if written else "", tokens[1]),
        prompt_tokens=tokens[0],
        **common,
    )


def stops(scene: Scene) -> list[float]:
    """The first token, quarters of the stream, and the end, of each run."""
    found = {0.0}
    for run in (scene.run, scene.beside):
        if run:
            numbers = {1, *(math.ceil(run.tokens * k / 4) for k in (1, 2, 3)), run.tokens}
            found |= {run.token_s(number) for number in numbers}
    return sorted(found)


def play_rate(scene: Scene) -> float:
    """True pace, or as many times faster as the reader asks."""
    return scene.speed_up


def measure(scene: Scene) -> dict[str, float]:
    """The simulated moments at which the page notes its own clock."""
    return {"measured_ttft_s": scene.run.ttft_s, "measured_total_s": scene.run.end_s}


def frame(scene: Scene, t_s: float) -> str:
    """The chat, one pane a device, the timeline, and the pace against the reader's own."""
    runs = [scene.run, *([scene.beside] if scene.beside else [])]
    lines = tuple(Line(title=run.title, ttft_s=run.ttft_s, end_s=run.end_s, tokens=run.tokens) for run in runs)
    pace = "" if scene.speed_up == 1 else f" Shown {scene.speed_up:g} times faster than it is."
    stage = element(
        div,
        {"class": "stage latency"},
        div({"class": f"chats chats-{len(runs)}"}, *[_pane(scene, run, t_s) for run in runs]),
        timeline(lines, scene.end_s, t_s),
        div({"class": "cap"}, _sum_words(scene), pace),
        pace_axis(runs, scene.words_per_minute),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _pane(scene: Scene, run: Run, t_s: float) -> SafeString:
    return chat_pane(
        Pane(
            title=run.title,
            note=run.note,
            prompt=scene.prompt,
            prompt_tokens=scene.prompt_tokens,
            answer=scene.answer,
            written=run.tokens_at(t_s),
            now_s=t_s,
            ttft_s=run.ttft_s,
            end_s=run.end_s,
        )
    )


def _sum_words(scene: Scene) -> str:
    run = scene.run
    if run.tpot_s is None:
        return "One token: the whole wait is the time to first token."
    rule_s = run.ttft_s + run.tokens * run.tpot_s
    exact = f"TTFT + {count(run.tokens - 1)} × TPOT = {_shown(run.end_s)}"
    return f"{exact}; the rule of thumb TTFT + {count(run.tokens)} × TPOT gives {_shown(rule_s)}."


def _shown(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    run = scene.run
    none = Missing("one token has no gap after it")
    return {
        "ttft_s": run.banded("ttft_s", run.ttft_s),
        "tpot_s": none if run.tpot_s is None else run.banded("tpot_s", run.tpot_s),
        "total_s": run.banded("total_s", run.end_s),
        "prefill_tokens_per_s": scene.prompt_tokens / run.ttft_s,
        "decode_tokens_per_s": none if run.tpot_s is None else 1 / run.tpot_s,
        "speed_ratio": none if run.tpot_s is None else scene.prompt_tokens / run.ttft_s * run.tpot_s,
        "measured_ttft_s": Missing("send it first"),
        "measured_total_s": Missing("send it first"),
    }


def say(scene: Scene, t_s: float) -> str:
    """Who waits, who writes, and how far the answer is."""
    parts = [f"{run.title}: {_progress(run, t_s)}" for run in (scene.run, scene.beside) if run]
    return "; ".join(parts) + "."


def _progress(run: Run, t_s: float) -> str:
    if t_s <= 0:
        return f"ready, {plural(run.prompt_tokens, 'prompt token')}"
    written = run.tokens_at(t_s)
    if written == 0:
        return f"reading the prompt, {_shown(t_s)} so far"
    if written < run.tokens:
        return f"{count(written)} of {plural(run.tokens, 'token')} after {_shown(t_s)}"
    return f"all {plural(run.tokens, 'token')} after {_shown(run.end_s)}"


def explain(scene: Scene) -> list[Formula]:
    """The whole wait from its parts, and the two speeds."""
    run = scene.run
    tpot_s = run.tpot_s or 0.0
    source = run.source
    return [
        Formula(
            label="Whole wait",
            rule="TTFT + (answer tokens − 1) × TPOT",
            inserted=f"{_shown(run.ttft_s)} + {count(run.tokens - 1)} × {_shown(tpot_s)}",
            result=_shown(run.end_s),
            source=source,
        ),
        Formula(
            label="Reading speed",
            rule="prompt tokens ÷ TTFT",
            inserted=f"{count(scene.prompt_tokens)} ÷ {_shown(run.ttft_s)}",
            result=units.show(scene.prompt_tokens / run.ttft_s, "tokens/s"),
            source=source,
        ),
        *(
            [
                Formula(
                    label="Writing speed",
                    rule="1 ÷ TPOT",
                    inserted=f"1 ÷ {_shown(tpot_s)}",
                    result=units.show(1 / tpot_s, "tokens/s"),
                    source=source,
                )
            ]
            if tpot_s
            else []
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """One row per run."""
    rows: list[list[Cell]] = [["run", "prompt_tokens", "output_tokens", "ttft_s", "tpot_s", "total_s"]]
    for run in (scene.run, scene.beside):
        if run:
            tpot: Cell = "none" if run.tpot_s is None else run.tpot_s
            rows.append([run.title, run.prompt_tokens, run.tokens, run.ttft_s, tpot, run.end_s])
    return rows
