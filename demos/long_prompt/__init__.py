"""What happens to the others when somebody pastes a long document?"""

from __future__ import annotations

from simple_html import div

from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.request_lanes import Bar, RequestLane, lanes_key, request_lanes, step_bars, time_axis
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kit.serving.server import Refused
from demos.long_prompt.controls import CONTROLS, PRESETS, READOUTS
from demos.long_prompt.explanation import explain, table
from demos.long_prompt.simulation import Scene, scene
from pysim import units

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

TITLE = "What does one long prompt do to everyone else?"
LEAD = "Choose how the server reads it, press Run, and look for gaps."
MAIN = ("policy", "late_prompt_tokens")
ASKED = (
    "chunked prefill",
    "stream stutters",
    "why does the answer pause",
    "max_num_batched_tokens",
    "gap between tokens",
)
MATH_NOTE = (
    "Each step is simulated with the typical speed of the engine. Ticks that touch are drawn as one bar, so what shows "
    "is the gaps."
)
# Lanes of others that are drawn, and moments at which a reader can stop.
MOST_LANES, MOST_STOPS = 6, 10
# A gap is noticed from so many times the usual one on; below ten, a decimal says how many.
NOTICED, FEW = 1.5, 10


def stops(scene: Scene) -> list[float]:
    """The arrival, ends of steps that read, the first token of the newcomer, and the end."""
    if isinstance(scene.run, Refused):
        return [0.0]
    arrive_s = scene.late.request.arrive_s
    reads = [bar.start_s + bar.seconds for bar in scene.bars if bar.reads and bar.start_s >= arrive_s]
    every = max(1, len(reads) // (MOST_STOPS - 3))
    moments = {arrive_s, *reads[every - 1 :: every], scene.late.first_s, scene.end_s}
    return sorted({0.0, *(round(at_s - scene.begin_s, 9) for at_s in moments if scene.begin_s < at_s <= scene.end_s)})


def frame(scene: Scene, t_s: float) -> str:
    """Lanes of the others and of the newcomer, the steps of the server, and what it costs whom."""
    if isinstance(scene.run, Refused):
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, scene.run.why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    now_s = scene.begin_s + t_s
    stage = element(
        div,
        {"class": "stage serving"},
        request_lanes(_lanes(scene), scene.begin_s, scene.end_s, now_s, title=_title(scene), summary=_sum(scene)),
        step_bars(
            [Bar(start_s=each.start_s, seconds=each.seconds, reads=each.reads) for each in scene.bars],
            scene.begin_s, scene.end_s, now_s, title="Steps of the server, by their length", summary=_steps(scene),
        ),
        time_axis(scene.begin_s, scene.end_s, scene.late.request.arrive_s),
        lanes_key(["reads", "writes", *(["moves"] if scene.late.sent_s else [])]),
    )  # fmt: skip
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _lanes(scene: Scene) -> list[RequestLane]:
    late = scene.late
    moves = (late.first_s, late.sent_s) if late.sent_s else None
    lanes = [
        RequestLane(
            name="newcomer", waits=(late.request.arrive_s, late.admitted_s), reads=scene.reads, moves=moves,
            tokens_s=scene.tokens_s[0], kind="new",
        )
    ]  # fmt: skip
    drawn = min(MOST_LANES, scene.streams)
    return lanes + [RequestLane(name=f"answer {n + 1}", tokens_s=scene.tokens_s[n + 1]) for n in range(drawn)]


def _title(scene: Scene) -> str:
    hidden = scene.streams - MOST_LANES
    more = f" ({MOST_LANES} are drawn)" if hidden > 0 else ""
    return f"{plural(scene.streams, 'answer')} being written{more}, and a prompt of {count(scene.prompt_tokens)} tokens"


def _sum(scene: Scene) -> str:
    return f"{_title(scene)}. {_verdict(scene)}"


def _steps(scene: Scene) -> str:
    reading = [bar for bar in scene.bars if bar.reads]
    longest = _seconds(max(bar.seconds for bar in scene.bars))
    return f"{plural(len(scene.bars), 'step')}, {len(reading)} of them read a prompt; the longest takes {longest}."


def _verdict(scene: Scene) -> str:
    gap, alone, ttft = (_seconds(each) for each in (scene.worst_gap_s, scene.alone_s, scene.late.ttft_s))
    times = scene.worst_gap_s / scene.alone_s
    if times < NOTICED:
        return f"The others notice nothing: their longest gap is {gap}. The newcomer waits {ttft} for its first token."
    many = f"{times:,.1f}" if times < FEW else f"{times:,.0f}"
    return (
        f"The others wait up to {gap} for a token, {many} times their usual {alone}. "
        f"The newcomer waits {ttft} for its first."
    )


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.run, Refused):
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    return {
        "worst_gap_s": scene.worst_gap_s,
        "newcomer_ttft_s": scene.late.ttft_s,
        "others_tpot_s": scene.others_tpot_s,
        "tpot_p99_s": scene.tpot_p99_s,
    }


def say(scene: Scene, t_s: float) -> str:
    """What has happened up to a moment."""
    if isinstance(scene.run, Refused):
        return scene.run.why
    since_s = scene.begin_s + t_s - scene.late.request.arrive_s
    if since_s <= 0:
        written = "One answer gets" if scene.streams == 1 else f"Each of {count(scene.streams)} answers gets"
        return f"{written} a token every {_seconds(scene.alone_s)}."
    if scene.begin_s + t_s < scene.late.first_s:
        fed = sum(tokens for at_s, tokens in scene.fed if at_s <= scene.begin_s + t_s)
        return f"{count(fed)} of {count(scene.prompt_tokens)} prompt tokens are read after {_seconds(since_s)}."
    return _verdict(scene)
