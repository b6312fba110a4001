"""What does it cost when a model does not quite fit, and a part of it stays in main memory?"""

from __future__ import annotations

from simple_html import SafeString, div

from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.memory_bar import Stored, memory_bar
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, linear_ticks, plot
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.offload.controls import CONTROLS, PRESETS, READOUTS
from demos.offload.explanation import explain, table
from demos.offload.simulation import Scene, by_context, scene, speeds
from pysim import units
from pysim.roofline.host_part import movable_layers

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

TITLE = "What if the model is too big?"
LEAD = "Move layers to main memory until the rest fits, and watch the speed."
MAIN = ("hosted", "context_tokens")
ASKED = ("offload", "n-gpu-layers", "model too big for GPU", "n-cpu-moe", "experts on CPU", "not enough VRAM")
MATH_NOTE = "Typical speeds of writing, fitted to published measurements. GB is 10⁹ bytes."


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """Both memories to scale, the speed over all splits, and how many layers each context moves."""
    stage = element(
        div,
        {"class": "stage offload"},
        _memories(scene),
        div({"class": "offload-parts"}, _curve(scene), _contexts(scene)),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    here, free = scene.here, scene.here.device_free_bytes
    return {
        "hosted_layers": here.layers,
        "needed_layers": Missing("moving layers does not make it fit") if scene.needed is None else scene.needed,
        "free_bytes": Missing("memory size not published") if free is None else free,
        "host_bytes": here.host_bytes,
        "decode_tokens_per_s": 1 / here.token_s,
        "all_tokens_per_s": 1 / scene.whole.token_s,
        "slower": here.token_s / scene.whole.token_s,
        "host_share": here.host_s / here.token_s,
        "fits": free is None or free >= 0,
    }


def _memories(scene: Scene) -> SafeString:
    here, device = scene.here, scene.on.device
    parts = [
        Stored(kind="w", size_bytes=here.device_weights_bytes, label=f"weights {_gb(here.device_weights_bytes)}"),
        Stored(kind="e", size_bytes=here.device_working_bytes, label=f"engine about {_gb(here.device_working_bytes)}"),
        Stored(kind="k", size_bytes=here.device_cache_bytes, label=f"KV cache {_gb(here.device_cache_bytes)}"),
    ]
    free = "" if here.device_free_bytes is None else f"free {_gb(here.device_free_bytes)}"
    host = scene.on.host.name if scene.on.host is not None else ""
    moved = Stored(kind="r", size_bytes=here.host_bytes, label=f"moved {_gb(here.host_bytes)}")
    nothing = [] if here.host_bytes else [div({"class": "cap"}, "Nothing has moved yet.")]
    return element(
        div,
        {},
        div({"class": "cap"}, f"{device.name}, to scale"),
        memory_bar(parts, device.usable_memory_bytes, free_label=free, edge_label=f"{device.name} ends at the line"),
        div({"class": "cap"}, f"What moved to the memory of {host}"),
        memory_bar([moved], here.host_bytes + here.device_weights_bytes, free_label="on the device", edge_label=""),
        *nothing,
        div({"class": "cap"}, _notes(scene)),
    )


def _notes(scene: Scene) -> str:
    if scene.shared:
        return f"{scene.on.device.name} uses main memory as its own: moving a layer frees nothing."
    notes = []
    if scene.dense:
        notes.append(f"{scene.on.model.name} has no experts, so whole layers move.")
    if scene.asked > scene.here.layers:
        notes.append(f"Shown with {plural(scene.here.layers, 'layer')}: no more can move.")
    return " ".join(notes)


def _curve(scene: Scene) -> SafeString:
    points = speeds(scene.on, scene.context, scene.experts_only)
    most = movable_layers(scene.on, experts_only=scene.experts_only)
    high = max(tokens_per_s for _, tokens_per_s in points) * 1.15
    x = Axis(
        low=0,
        high=most,
        label="layers with their experts moved" if scene.experts_only else "layers moved to main memory",
        ticks=[(tick, count(tick)) for tick in (0, most // 2, most)],
    )
    y = Axis(
        low=0,
        high=high,
        label="tokens per second, typical",
        ticks=[(tick, count(tick)) for tick in linear_ticks(high, 3)],
    )
    rules = [Rule(x=scene.needed, label="fits from here", low=True)] if scene.needed else []
    speed = 1 / scene.here.token_s
    now = Mark(x=scene.here.layers, y=speed, kind="decode", label=units.show(speed, "tokens/s", digits=3))
    return plot(x, y, [Curve(points=points, kind="decode")], summary=say(scene, 0.0), marks=[now], rules=rules)


def _contexts(scene: Scene) -> SafeString:
    rows = []
    for context, needed, tokens_per_s in by_context(scene):
        if needed is None or tokens_per_s is None:
            rows.append((count(context), "does not fit", ""))
            continue
        rows.append((count(context), count(needed), units.show(tokens_per_s, "tokens/s", digits=3)))
    return small_table("Context against layers", ("Context, tokens", "layers to move", "writes at"), rows)


def _gb(size_bytes: float) -> str:
    return units.show(size_bytes, "B", digits=3)


def say(scene: Scene, t_s: float) -> str:
    """Whether the rest fits, and what that does to the speed."""
    here, free = scene.here, scene.here.device_free_bytes
    speed = units.show(1 / here.token_s, "tokens/s", digits=3)
    slower = here.token_s / scene.whole.token_s
    moved = f"{plural(here.layers, 'layer')} in main memory: {speed}" if here.layers else f"Nothing moved: {speed}"
    pace = f", {slower:.1f} times as slow as with everything on the device" if here.layers else ""
    if free is not None and free < 0:
        more = "" if scene.needed is None else f" {plural(scene.needed, 'layer')} must move."
        return f"It does not fit: {_gb(-free)} too much.{more} {moved}{pace}, if it did."
    return f"It fits. {moved}{pace}."
