"""Same requests, two schedulers: who waits, and for what?"""

from __future__ import annotations

from simple_html import SafeString, div

from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.request_lanes import lanes_key, request_lanes, time_axis
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural, share
from demos.kit.serving.server import Refused
from demos.two_policies.controls import CONTROLS, LABELS, PRESETS, READOUTS
from demos.two_policies.explanation import explain, table
from demos.two_policies.simulation import Scene, Side, scene
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

TITLE = "Same requests, two schedulers"
LEAD = "Choose two, press Run, and compare who waits."
MAIN = ("policy_a", "policy_b")
ASKED = ("vllm or sglang scheduler", "continuous batching", "static batching", "which scheduler is best")
MATH_NOTE = (
    "Both sides get the same requests at the same moments, on the same server at typical speed: what differs is the "
    "scheduler alone. Real engines also differ in how fast a step is."
)
STOPS = 10


def stops(scene: Scene) -> list[float]:
    """Tenths of the time in view."""
    if isinstance(scene.sides, Refused):
        return [0.0]
    return [scene.end_s * k / STOPS for k in range(STOPS + 1)]


def frame(scene: Scene, t_s: float) -> str:
    """The lanes of both sides on one clock, and what their users got."""
    if isinstance(scene.sides, Refused):
        stage = element(div, {"class": "stage serving"}, div({"class": "tool-verdict bad"}, scene.sides.why))
        return joined(stage, readouts(READOUTS, _values(scene))).safe_str
    kinds = ["waits", "reads", "writes"]
    if any(lane.pauses for side in scene.sides for lane in side.lanes):
        kinds.append("pauses")
    stage = element(
        div,
        {"class": "stage serving two-policies"},
        element(div, {"class": "policy-sides"}, *[_side(scene, side, t_s) for side in scene.sides]),
        lanes_key(kinds),
        _compared(scene),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _side(scene: Scene, side: Side, t_s: float) -> SafeString:
    inside = side.inside_at(t_s)
    title = f"{LABELS[side.policy]}: {count(inside)} in the server" if inside else LABELS[side.policy]
    return element(
        div,
        {"class": "policy-side"},
        request_lanes(side.lanes, 0.0, scene.end_s, t_s, title=title, summary=_summary(scene, side)),
        time_axis(0.0, scene.end_s),
    )


def _summary(scene: Scene, side: Side) -> str:
    first, pace = (_seconds(side.percentiles[name]["p50"]) for name in ("ttft_s", "tpot_s"))
    drawn = f"{LABELS[side.policy]}, the first {len(side.lanes)} requests"
    return f"{drawn}: half have a first token in {first}, then {pace} a token."


def _compared(scene: Scene) -> SafeString:
    sides = list(scene.sides) if not isinstance(scene.sides, Refused) else []
    rows = [
        ("First token, half within", *[_seconds(side.percentiles["ttft_s"]["p50"]) for side in sides]),
        ("First token, 99% within", *[_seconds(side.percentiles["ttft_s"]["p99"]) for side in sides]),
        ("Time per token, half within", *[_seconds(side.percentiles["tpot_s"]["p50"]) for side in sides]),
        ("Gaps between tokens, 99% within", *[_seconds(side.gap_p99_s) for side in sides]),
        ("Requests within the limits", *[share(side.share_within) for side in sides]),
        ("Evicted", *[count(side.evictions) for side in sides]),
    ]
    title = f"{plural(scene.requests, 'request')} on {scene.server_name}"
    return small_table(title, ("", *[LABELS[side.policy] for side in sides]), rows)


def _seconds(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    if isinstance(scene.sides, Refused):
        return {readout.name: Missing("nothing runs here") for readout in READOUTS}
    values: dict[str, ReadoutValue] = {}
    for name, side in zip("ab", scene.sides, strict=True):
        values |= {
            f"ttft_p50_s_{name}": side.percentiles["ttft_s"]["p50"],
            f"ttft_p99_s_{name}": side.percentiles["ttft_s"]["p99"],
            f"tpot_p50_s_{name}": side.percentiles["tpot_s"]["p50"],
            f"tpot_p99_s_{name}": side.percentiles["tpot_s"]["p99"],
            f"goodput_{name}": side.goodput_per_s,
            f"output_tokens_per_s_{name}": side.output_tokens_per_s,
        }
    return values


def say(scene: Scene, t_s: float) -> str:
    """Who is ahead at a moment; at the end, what differs."""
    if isinstance(scene.sides, Refused):
        return scene.sides.why
    a, b = scene.sides
    if 0 < t_s < scene.end_s:
        counts = [f"{LABELS[side.policy]} has {plural(side.answered_at(t_s), 'first token')} out" for side in (a, b)]
        return f"After {_seconds(t_s)}: {counts[0]}, {counts[1]}."
    if a.policy == b.policy:
        return "The same scheduler on both sides: nothing differs."
    return f"{_difference(a, b, 'ttft_s', 'first token')} {_difference(a, b, 'tpot_s', 'time per token')}"


def _difference(a: Side, b: Side, measure: str, words: str) -> str:
    of_a, of_b = a.percentiles[measure]["p99"], b.percentiles[measure]["p99"]
    if abs(of_a / of_b - 1) < 0.02:
        return f"{words.capitalize()}, 99% within: {_seconds(of_a)} on both sides."
    better, worse = (a, b) if of_a < of_b else (b, a)
    low, high = sorted((of_a, of_b))
    return (
        f"{words.capitalize()}, 99% within: {_seconds(low)} with {LABELS[better.policy]}, {_seconds(high)} with "
        f"{LABELS[worse.policy]}."
    )
