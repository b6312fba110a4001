"""How big does the KV cache get next to the weights, and what does that cost?"""

from __future__ import annotations

from dataclasses import replace

from simple_html import SafeString, div

import pysim
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.layer_strip import layer_strip
from demos.kit.draw.memory_bar import Stored, memory_bar
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, linear_ticks, plot
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kv_memory.controls import CONTROLS, FRESH, LONGEST, PRESETS, READOUTS, SMALLER, SUMMARY
from demos.kv_memory.explanation import explain, table
from demos.kv_memory.simulation import Scene, filled_scene, scene, token_times
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

TITLE = "How big does the cache get next to the weights?"
LEAD = "Drag the slider of the context length."
MAIN = ("context_tokens",)
ASKED = ("context memory", "how much memory a long context takes", "VRAM for context", "gets slower as the chat grows")
LEAST_SHARE = 0.01
TICKS = ((0, "0"), (64_000, "64,000"), (128_000, "128,000"))
MATH_NOTE = "Typical speeds, fitted to published measurements. GB is 10⁹ bytes."


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """Memory to scale, the time of one token as the context grows, and what the four ways to help would change."""
    stage = element(
        div,
        {"class": "stage kv-memory"},
        _bank(scene),
        div({"class": "kv-memory-parts"}, _curve(scene), _help_table(scene)),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    free = scene.filled.free_bytes
    return {
        "context_tokens": scene.context,
        "kv_bytes_per_token": pysim.kv_bytes_per_token(scene.at.on.model, scene.at.on.kv_format),
        "kv_cache_bytes": scene.filled.cache_bytes,
        "weights_bytes": scene.filled.weights_bytes,
        "reserved_bytes": scene.filled.reserved_bytes if scene.reserve else 0.0,
        "free_bytes": Missing("memory size not published") if free is None else free,
        "equal_at_tokens": Missing("the cache stays smaller") if scene.equal_at is None else scene.equal_at,
        "tpot_s": scene.tpot_s,
        "tpot_empty_s": scene.at.tpot_s(0),
        "fits": free is None or free >= 0,
    }


def _bank(scene: Scene) -> SafeString:
    parts = [
        Stored(kind="w", size_bytes=scene.filled.weights_bytes, label=f"weights {_gb(scene.filled.weights_bytes)}"),
        Stored(
            kind="e",
            size_bytes=scene.filled.working.total_bytes,
            label=f"engine about {_gb(scene.filled.working.total_bytes)}",
        ),
        Stored(kind="k", size_bytes=scene.filled.cache_bytes, label=f"KV cache {_gb(scene.filled.cache_bytes)}"),
        Stored(
            kind="r",
            size_bytes=max(0.0, scene.filled.reserved_bytes - scene.filled.cache_bytes),
            label=f"reserved, unused {_gb(scene.filled.reserved_bytes - scene.filled.cache_bytes)}",
        ),
    ]
    memory = scene.filled.memory_bytes
    free = f"free {_gb(scene.filled.free_bytes)}" if scene.filled.free_bytes is not None else ""
    edge = f"{scene.at.on.device.name} ends at the line"
    equal = "" if scene.equal_at is None else f" Cache and weights weigh the same at {count(scene.equal_at)} tokens."
    size = (
        f"{units.show(memory, 'B', binary=True, digits=3)} of memory to use on the {scene.at.on.device.name}, to scale."
        if memory
        else ""
    )
    return element(
        div,
        {},
        memory_bar(parts, memory, free_label=free, edge_label=edge),
        div({"class": "cap"}, size, equal, _cut_note(scene)),
        *[strip for strip in (layer_strip(scene.at.on.model),) if strip is not None],
    )


def _cut_note(scene: Scene) -> str:
    if scene.asked <= scene.longest:
        return ""
    why = (
        "the reserved maximum is" if scene.longest < scene.at.on.model.max_position_embeddings else "the model ends at"
    )
    return f" Shown at {count(scene.context)} tokens: {why} {count(scene.longest)}."


def _curve(scene: Scene) -> SafeString:
    times = token_times(scene.at)
    high_s = max(time_s for _, time_s in times) * 1.15
    x = Axis(low=0, high=LONGEST, label="context, tokens", ticks=TICKS)
    y = Axis(
        low=0,
        high=high_s,
        label="time of one token, typical",
        ticks=[(tick, _ms(tick) if tick else "0") for tick in linear_ticks(high_s, 3)],
    )
    equal = scene.equal_at
    rules = [Rule(x=equal, label="cache = weights", low=True)] if equal is not None and equal <= LONGEST else []
    now = Mark(x=scene.context, y=scene.tpot_s, kind="cache", label=_ms(scene.tpot_s))
    return plot(x, y, [Curve(points=times, kind="cache")], summary=say(scene, 0.0), marks=[now], rules=rules)


def _helped(scene: Scene) -> list[tuple[str, Scene | str]]:
    """The four ways to help and what each would lead to, or why it changes nothing here."""

    def shorter(tokens: int) -> Scene | str:
        if tokens >= scene.context:
            return "already shorter"
        return filled_scene(scene.at, tokens, scene.reserve, scene.max_tokens)

    at = scene.at
    fewer = {"f16": "q8_0", "q8_0": "q4_0"}.get(at.on.kv_format)
    thinner = replace(at, on=replace(at.on, kv_format=fewer or at.on.kv_format))
    smaller = filled_scene(at, scene.asked, True, SMALLER) if scene.max_tokens > SMALLER else "already smaller"
    bits = {"q8_0": "8 bits", "q4_0": "4 bits"}.get(fewer or "", "fewer bits")
    return [
        (f"Fresh start, {count(FRESH)} tokens", shorter(FRESH)),
        (f"Summary, {count(SUMMARY)} tokens", shorter(SUMMARY)),
        (f"Maximum of {count(SMALLER)}", smaller if scene.reserve else "nothing reserved"),
        (
            f"Cache in {bits}",
            filled_scene(thinner, scene.asked, scene.reserve, scene.max_tokens) if fewer else "already few",
        ),
    ]


def _help_table(scene: Scene) -> SafeString:
    rows = []
    for label, after in _helped(scene):
        if isinstance(after, str):
            rows.append((label, after, ""))
            continue
        saved = scene.filled.taken_bytes - after.filled.taken_bytes
        rows.append((label, f"−{_gb(saved)}" if saved > 0 else "the same", _ms(after.tpot_s)))
    return small_table("Four ways to help, from here", ("What helps", "memory", "per token"), rows)


def _ms(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _gb(size_bytes: float | None) -> str:
    return units.show(size_bytes or 0.0, "B", digits=3)


def say(scene: Scene, t_s: float) -> str:
    """Cache against weights, whether it fits, and what a token takes."""
    share = scene.filled.cache_bytes / scene.filled.weights_bytes
    percents = f"{100 * share:.0f}%" if share >= LEAST_SHARE else "less than 1%"
    size = f"{share:.1f} times the weights" if share >= 1 else f"{percents} of the weights"
    slower = scene.tpot_s / scene.at.tpot_s(0)
    fit = ""
    if scene.filled.free_bytes is not None and scene.filled.free_bytes < 0:
        fit = f" It does not fit: {_gb(-scene.filled.free_bytes)} too much; times are as if it did."
    return (
        f"{plural(scene.at.conversations, 'conversation')} of {plural(scene.context, 'token')}: the cache is {size}, "
        f"and each new token takes {slower:.2f} times as long as with an empty cache.{fit}"
    )
