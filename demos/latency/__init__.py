"""How does a model feel: how long is the wait, and how fast is the stream?"""

from __future__ import annotations

import math

from simple_html import SafeString, div

from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.latency.chat import Line, Pane, chat_pane, timeline
from demos.latency.controls import CONTROLS, PRESETS, READOUTS
from demos.latency.explanation import explain, table
from demos.latency.reading_pace import pace_axis
from demos.latency.runs import Run, seconds
from demos.latency.simulation import Scene, scene

__all__ = [
    "ASKED",
    "CONTROLS",
    "LEAD",
    "MAIN",
    "MATH_NOTE",
    "PRESETS",
    "READOUTS",
    "TITLE",
    "WORD",
    "explain",
    "frame",
    "measure",
    "play_rate",
    "say",
    "scene",
    "stops",
    "table",
]

TITLE = "Which would you rather wait for?"
LEAD = "Pick an example, press Send, and feel the wait."
MAIN = ("example",)
ASKED = ("slow first word", "time to first token", "faster than I can read", "how fast is fast enough")
WORD = "Send"
MATH_NOTE = "Typical speeds, fitted to published measurements, with the band that eight of ten runs fall in."


def stops(scene: Scene) -> list[float]:
    """The first token, quarters of the stream, and the end, of each run."""
    moments_s = {0.0}
    for run in (scene.run, scene.beside):
        if run:
            numbers = {1, *(math.ceil(run.tokens * k / 4) for k in (1, 2, 3)), run.tokens}
            moments_s |= {run.token_s(number) for number in numbers}
    return sorted(moments_s)


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
    exact = f"TTFT + {count(run.tokens - 1)} × TPOT = {seconds(run.end_s)}"
    return f"{exact}; the rule of thumb TTFT + {count(run.tokens)} × TPOT gives {seconds(rule_s)}."


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
        return f"reading the prompt, {seconds(t_s)} so far"
    if written < run.tokens:
        return f"{count(written)} of {plural(run.tokens, 'token')} after {seconds(t_s)}"
    return f"all {plural(run.tokens, 'token')} after {seconds(run.end_s)}"
