"""How big does the KV cache get next to the weights, and what does that cost?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices as catalogue
from demos.kit.declare.controls import Slider, Switch, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.memory_bar import Stored, bank
from demos.kit.draw.plot import Axis, Curve, Mark, Rule, linear_ticks, log_ticks, plot
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from demos.kv_memory.setting import Setting
from pysim import units
from pysim.memory.occupancy import Occupancy
from pysim.requests.crossover import cache_equals_weights_tokens

TITLE = "How big does the cache get next to the weights?"
LEAD = "Drag the slider of the context length."
ASKED = ("context memory", "how much memory a long context takes", "VRAM for context", "gets slower as the chat grows")
LONGEST, POINTS = 131_072, [2**k for k in range(18)]
TICKS = ((1, "1"), (100, "100"), (10_000, "10,000"))

CONTROLS = (
    Slider(
        name="context_tokens",
        label="Context length",
        start=8_192,
        low=1,
        high=LONGEST,
        scale="log",
        noun="tokens",
        marks=((200, "200"), (4_000, "4,000"), (128_000, "128,000")),
    ),
    catalogue.models(
        "llama-3.1-8b",
        ("llama-3.2-1b", "llama-3.1-8b", "phi-3.5-mini", "gemma-3-12b", "gpt-oss-20b", "llama-3.1-70b", "deepseek-v3"),
    ),
    catalogue.weights(),
    catalogue.caches(),
    catalogue.devices("rtx-5090", ("rtx-4090", "rtx-5090", "apple-m3-max-40c", "h100-sxm", "h200-sxm")),
    Slider(name="conversations", label="Conversations", start=1, low=1, high=64),
    Switch(name="reserve", label="Reserve the maximum up front", start=False),
    Slider(name="max_tokens", label="Maximum length", start=LONGEST, low=512, high=LONGEST, scale="log", noun="tokens"),
)

READOUTS = (
    Readout(name="context_tokens", label="Context", counts="token"),
    Readout(name="kv_bytes_per_token", label="Cache per token", unit="B"),
    Readout(name="kv_cache_bytes", label="Cache in use", unit="B"),
    Readout(name="weights_bytes", label="Weights", unit="B"),
    Readout(name="reserved_bytes", label="Reserved up front", unit="B"),
    Readout(name="free_bytes", label="Left free", unit="B"),
    Readout(name="equal_at_tokens", label="Cache = weights at", counts="token"),
    Readout(name="tpot_s", label="Time per token", unit="s"),
    Readout(name="tpot_empty_s", label="… cache empty", unit="s"),
    Readout(name="fits", label="Fits in memory", flag=True),
)

FRESH, SUMMARY, SMALLER = 200, 16_000, 32_768
PRESETS = (
    Preset(label="128,000 tokens", values={"context_tokens": "128000"}),
    Preset(label="The maximum, reserved", values={"reserve": "true", "max_tokens": str(LONGEST)}),
    Preset(label="A fresh conversation", values={"context_tokens": str(FRESH)}),
    Preset(label="A summary of older messages", values={"context_tokens": str(SUMMARY)}),
    Preset(label="A smaller maximum", values={"reserve": "true", "max_tokens": str(SMALLER)}),
    Preset(label="A cache with fewer bits", values={"kv": "q8_0"}),
)
MATH_NOTE = "Times are best case: the device's datasheet figures, fully used. GB is 10⁹ bytes."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What the simulator answered. `longest` is where the model, or the reserved maximum, ends the context."""

    at: Setting
    asked: int
    longest: int
    context: int
    reserve: bool
    max_tokens: int
    filled: Occupancy
    equal_at: int | None
    tpot_s: float


def scene(**values: Value) -> Scene:
    """Fill the memory; a context longer than the model's or the reserved maximum is cut to it."""
    at = Setting(
        model=pysim.load_model(str(values["model"])),
        weights=str(values["weights"]),
        kv=str(values["kv"]),
        device=pysim.load_device(str(values["device"])),
        conversations=int(values["conversations"]),
    )
    return _scene(at, int(values["context_tokens"]), bool(values["reserve"]), int(values["max_tokens"]))


def _scene(at: Setting, asked: int, reserve: bool, max_tokens: int) -> Scene:
    longest = min(at.model.max_position_embeddings, max_tokens) if reserve else at.model.max_position_embeddings
    context = min(asked, longest)
    return Scene(
        at=at,
        asked=asked,
        longest=longest,
        context=context,
        reserve=reserve,
        max_tokens=max_tokens,
        filled=at.filled(context, longest if reserve else 0),
        equal_at=cache_equals_weights_tokens(at.model, at.weights, at.kv, at.conversations),
        tpot_s=at.tpot_s(context),
    )


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
        "kv_bytes_per_token": pysim.kv_bytes_per_token(scene.at.model, scene.at.kv),
        "kv_cache_bytes": scene.filled.cache_bytes,
        "weights_bytes": scene.filled.weights_bytes,
        "reserved_bytes": scene.filled.reserved_bytes,
        "free_bytes": Missing("memory size not published") if free is None else free,
        "equal_at_tokens": Missing("windows keep it smaller") if scene.equal_at is None else scene.equal_at,
        "tpot_s": scene.tpot_s,
        "tpot_empty_s": scene.at.tpot_s(0),
        "fits": free is None or free >= 0,
    }


def _bank(scene: Scene) -> SafeString:
    parts = [
        Stored(kind="w", size_bytes=scene.filled.weights_bytes, label=f"weights {_gb(scene.filled.weights_bytes)}"),
        Stored(kind="k", size_bytes=scene.filled.cache_bytes, label=f"KV cache {_gb(scene.filled.cache_bytes)}"),
        Stored(
            kind="r",
            size_bytes=max(0.0, scene.filled.reserved_bytes - scene.filled.cache_bytes),
            label=f"reserved, unused {_gb(scene.filled.reserved_bytes - scene.filled.cache_bytes)}",
        ),
    ]
    memory = scene.at.device.memory_bytes
    free = f"free {_gb(scene.filled.free_bytes)}" if scene.filled.free_bytes is not None else ""
    edge = f"{scene.at.device.name} ends at the line"
    equal = "" if scene.equal_at is None else f" Cache and weights weigh the same at {count(scene.equal_at)} tokens."
    size = (
        f"{units.show(memory, 'B', binary=True, digits=3)} of memory on the {scene.at.device.name}, to scale."
        if memory
        else ""
    )
    return element(
        div,
        {},
        bank(parts, memory, free_label=free, edge_label=edge),
        div({"class": "cap"}, size, equal, _cut_note(scene)),
    )


def _cut_note(scene: Scene) -> str:
    if scene.asked <= scene.longest:
        return ""
    why = "the reserved maximum is" if scene.longest < scene.at.model.max_position_embeddings else "the model ends at"
    return f" Shown at {count(scene.context)} tokens: {why} {count(scene.longest)}."


@lru_cache(maxsize=32)
def _times(at: Setting) -> tuple[tuple[float, float], ...]:
    points = [tokens for tokens in POINTS if tokens <= at.model.max_position_embeddings]
    return tuple((tokens, at.tpot_s(tokens)) for tokens in points)


def _curve(scene: Scene) -> SafeString:
    times = _times(scene.at)
    high_s = max(time_s for _, time_s in times) * 1.15
    x = Axis(low=1, high=LONGEST, label="context, tokens", ticks=log_ticks(1, LONGEST, TICKS), log=True)
    y = Axis(
        low=0,
        high=high_s,
        label="time of one token, best case",
        ticks=[(tick, _ms(tick) if tick else "0") for tick in linear_ticks(high_s, 3)],
    )
    equal = scene.equal_at
    rules = [Rule(x=equal, label="cache = weights", low=True)] if equal is not None and equal <= LONGEST else []
    now = Mark(x=scene.context, y=scene.tpot_s, kind="cache", label=_ms(scene.tpot_s))
    return plot(x, y, [Curve(points=times, kind="cache")], summary=say(scene, 0.0), marks=[now], rules=rules)


def _helped(scene: Scene) -> list[tuple[str, Scene | None]]:
    """The four ways to help and what each would lead to; None where it changes nothing here."""

    def shorter(tokens: int) -> Scene | None:
        return _scene(scene.at, tokens, scene.reserve, scene.max_tokens) if tokens < scene.context else None

    at = scene.at
    fewer = {"f16": "q8_0", "q8_0": "q4_0"}.get(at.kv)
    thinner = Setting(
        model=at.model, weights=at.weights, kv=fewer or at.kv, device=at.device, conversations=at.conversations
    )
    smaller = scene.reserve and scene.max_tokens > SMALLER
    bits = {"q8_0": "8 bits", "q4_0": "4 bits"}.get(fewer or "", "fewer bits")
    return [
        (f"Fresh start, {count(FRESH)} tokens", shorter(FRESH)),
        (f"Summary, {count(SUMMARY)} tokens", shorter(SUMMARY)),
        (f"Maximum of {count(SMALLER)}", _scene(at, scene.asked, True, SMALLER) if smaller else None),
        (f"Cache in {bits}", _scene(thinner, scene.asked, scene.reserve, scene.max_tokens) if fewer else None),
    ]


def _help_table(scene: Scene) -> SafeString:
    rows = []
    for label, after in _helped(scene):
        saved = scene.filled.taken_bytes - after.filled.taken_bytes if after else 0.0
        rows.append((label, f"−{_gb(saved)}" if saved > 0 else "–", _ms(after.tpot_s) if after else "–"))
    return small_table("Four ways to help, from here", ("What helps", "memory", "per token"), rows)


def _ms(time_s: float) -> str:
    return units.show(time_s, "s", digits=3)


def _gb(size_bytes: float | None) -> str:
    return units.show(size_bytes or 0.0, "B", digits=3)


def say(scene: Scene, t_s: float) -> str:
    """Cache against weights, whether it fits, and what a token takes."""
    share = scene.filled.cache_bytes / scene.filled.weights_bytes
    size = f"{share:.1f} times the weights" if share >= 1 else f"{100 * share:.0f}% of the weights"
    slower = scene.tpot_s / scene.at.tpot_s(0)
    fit = ""
    if scene.filled.free_bytes is not None and scene.filled.free_bytes < 0:
        fit = f" It does not fit: {_gb(-scene.filled.free_bytes)} too much; times are as if it did."
    return (
        f"{plural(scene.at.conversations, 'conversation')} of {plural(scene.context, 'token')}: the cache is {size}, "
        f"and each new token takes {slower:.2f} times as long as with an empty cache.{fit}"
    )


def explain(scene: Scene) -> list[Formula]:
    """Bytes per token, bytes of the cache, of the weights, and the time of one token."""
    model = scene.at.model
    per_token = pysim.kv_bytes_per_token(model, scene.at.kv)
    total = scene.filled.weights_bytes + scene.filled.cache_bytes
    bandwidth = scene.at.device.memory_bandwidth_bytes_per_s
    return [
        Formula(
            label="Cache of one token",
            rule="layers × bytes of keys and values in one layer",
            inserted=f"{model.num_hidden_layers} × {per_token / model.num_hidden_layers:,.9g} B",
            result=f"{per_token:,.9g} B",
            source=model.source,
        ),
        Formula(
            label="Cache in use",
            rule="conversations × tokens × bytes per token (layers with a window keep their window only)",
            inserted=f"{scene.at.conversations} × {count(scene.context)} × {per_token:,.9g} B",
            result=units.show(scene.filled.cache_bytes, "B"),
            source="counted per layer by pysim.memory.kv_cache",
        ),
        Formula(
            label="Time of one token, memory side",
            rule="(weights + cache) ÷ memory bandwidth, or the math where that is longer",
            inserted=f"{units.show(total, 'B')} ÷ {units.show(bandwidth, 'B/s')}",
            result=units.show(scene.tpot_s, "s"),
            source="roofline model, Williams, Waterman and Patterson, 2009",
            source_url="https://doi.org/10.1145/1498765.1498785",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """The cache and the time of a token over the whole range of lengths."""
    rows: list[list[Cell]] = [["context_tokens", "kv_cache_bytes", "weights_bytes", "tpot_s"]]
    for tokens, tpot_s in [*_times(scene.at), (scene.context, scene.tpot_s)]:
        rows.append([int(tokens), scene.at.filled(int(tokens), 0).cache_bytes, scene.filled.weights_bytes, tpot_s])
    return rows
