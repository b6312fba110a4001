"""Which weight format fits, how much context does it leave, and how fast is it?"""

from __future__ import annotations

from dataclasses import dataclass

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices
from demos.kit.declare.controls import Choice, Option, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.memory_bar import Stored, memory_bar
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count
from pysim import units
from pysim.formats.common import READY_MADE_WEIGHTS
from pysim.memory.occupancy import DeviceMemory
from pysim.models.parameters import parameters

TITLE = "How much room does each format leave?"
LEAD = "Choose a context length, and compare the formats."
MAIN = ("weights", "context_tokens")
ASKED = ("quantization size", "Q4_K_M or Q8_0", "which quant fits", "how many bits")
MATH_NOTE = "Typical speeds, fitted to published measurements. GB is 10⁹ bytes. How good the answers are is not shown."

CONTROLS = (
    Choice(
        name="weights",
        label="Weights",
        start="q4_k_m",
        options=tuple(Option(value=key, label=choices.WEIGHTS[key]) for key in READY_MADE_WEIGHTS),
        also=(Option(value="fp8", label=choices.WEIGHTS["fp8"]),),
    ),
    Slider(
        name="context_tokens",
        label="Context length",
        start=16_384,
        low=512,
        high=131_072,
        scale="log",
        noun="tokens",
        marks=((4_000, "4,000"), (32_000, "32,000"), (128_000, "128,000")),
    ),
    choices.models("qwen3-14b", ("llama-3.2-1b", "llama-3.1-8b", "qwen3-14b", "qwen3-32b", "llama-3.1-70b")),
    choices.devices("rtx-4060-ti-16gb", ("rtx-3060-12gb", "rtx-4060-ti-16gb", "rtx-4090", "rtx-5090")),
    choices.caches(),
)
READOUTS = (
    Readout(name="weights_bytes", label="Weights", unit="B"),
    Readout(name="free_bytes", label="Left free", unit="B"),
    Readout(name="longest_context_tokens", label="Longest context", counts="token"),
    Readout(name="decode_tokens_per_s", label="Writes at", unit="tokens/s"),
    Readout(name="prefill_tokens_per_s", label="Reads at", unit="tokens/s"),
    Readout(name="fits", label="Fits in memory", flag=True),
)
PRESETS = (
    Preset(label="Eight bits", values={"weights": "q8_0"}),
    Preset(label="Two bits", values={"weights": "q2_k"}),
    Preset(label="A long context", values={"context_tokens": "65536"}),
    Preset(label="A small card", values={"device": "rtx-3060-12gb"}),
)
PROMPT_TOKENS = 2_000
ANSWER_TOKENS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatRow:
    """A model stored in one format on the device, at the chosen context; `longest` is None without a memory size."""

    key: str
    on: pysim.Deployment
    memory: DeviceMemory
    longest: int | None
    decode_tokens_per_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """All formats, and the chosen one."""

    rows: tuple[FormatRow, ...]
    chosen: FormatRow
    context: int
    prefill_tokens_per_s: float


def scene(**values: Value) -> Scene:
    """Store the model in each format; a context longer than the model's is cut to it."""
    model, device = pysim.load_model(str(values["model"])), pysim.load_device(str(values["device"]))
    context = min(int(values["context_tokens"]), model.max_position_embeddings)
    asked = str(values["weights"])
    keys = READY_MADE_WEIGHTS if asked in READY_MADE_WEIGHTS else (asked, *READY_MADE_WEIGHTS)
    rows = tuple(
        _row(key, pysim.Deployment(model, device, weight_format=key, kv_format=str(values["kv"])), context)
        for key in keys
    )
    chosen = next(row for row in rows if row.key == asked)
    run = chosen.on.estimate(prompt_tokens=PROMPT_TOKENS, output_tokens=ANSWER_TOKENS)
    return Scene(rows=rows, chosen=chosen, context=context, prefill_tokens_per_s=float(run.prefill_tokens_per_s))


def _row(key: str, on: pysim.Deployment, context: int) -> FormatRow:
    (memory,) = on.memory(context).per_device
    known = memory.memory_bytes is not None
    longest = min(on.max_context_tokens(), on.model.max_position_embeddings) if known else None
    return FormatRow(
        key=key, on=on, memory=memory, longest=longest, decode_tokens_per_s=1 / on.pass_cost(1, context).time_s
    )


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The chosen format in memory to scale, and a table of all formats."""
    stage = element(div, {"class": "stage formats"}, _bank(scene), _formats(scene))
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    chosen, free = scene.chosen, scene.chosen.memory.free_bytes
    return {
        "weights_bytes": chosen.memory.weights_bytes,
        "free_bytes": Missing("memory size not published") if free is None else free,
        "longest_context_tokens": Missing("memory size not published") if chosen.longest is None else chosen.longest,
        "decode_tokens_per_s": chosen.decode_tokens_per_s,
        "prefill_tokens_per_s": scene.prefill_tokens_per_s,
        "fits": free is None or free >= 0,
    }


def _bank(scene: Scene) -> SafeString:
    memory, device = scene.chosen.memory, scene.chosen.on.device
    sizes = (("w", "weights", memory.weights_bytes), ("e", "engine about", memory.working.total_bytes))
    parts = [
        Stored(kind=kind, size_bytes=size, label=f"{name} {_gb(size)}")
        for kind, name, size in (*sizes, ("k", "KV cache", memory.taken_bytes))
    ]
    free = "" if memory.free_bytes is None else f"free {_gb(memory.free_bytes)}"
    return element(
        div,
        {},
        div({"class": "cap"}, f"{choices.WEIGHTS[scene.chosen.key]} on {device.name}, {count(scene.context)} tokens"),
        memory_bar(parts, memory.memory_bytes, free_label=free, edge_label=f"{device.name} ends at the line"),
    )


def _formats(scene: Scene) -> SafeString:
    rows = []
    for row in scene.rows:
        longest = "–" if row.longest is None else count(row.longest) if row.longest else "none"
        speed = units.show(row.decode_tokens_per_s, "tokens/s", digits=3).split()[0] if _fits(row) else "no room"
        rows.append((choices.WEIGHTS[row.key], _gb(row.memory.weights_bytes), longest, speed))
    return small_table("All formats, from here", ("Weights", "size", "longest context", "tokens/s"), rows)


def _fits(row: FormatRow) -> bool:
    return row.memory.free_bytes is None or row.memory.free_bytes >= 0


def _gb(size_bytes: float) -> str:
    return units.show(size_bytes, "B", digits=3)


def say(scene: Scene, t_s: float) -> str:
    """Whether the chosen format fits, and which is the widest that does."""
    widest = next((row for row in scene.rows if _fits(row)), None)
    best = "No format fits." if widest is None else f"The widest that fits: {choices.WEIGHTS[widest.key]}."
    if _fits(scene.chosen):
        speed = units.show(scene.chosen.decode_tokens_per_s, "tokens/s", digits=3)
        return f"{choices.WEIGHTS[scene.chosen.key]} fits and writes at {speed}. {best}"
    over = _gb(-(scene.chosen.memory.free_bytes or 0.0))
    return f"{choices.WEIGHTS[scene.chosen.key]} does not fit: {over} too much. {best}"


def explain(scene: Scene) -> list[Formula]:
    """The size of the weights, and the speed that the bytes allow."""
    model, device = scene.chosen.on.model, scene.chosen.on.device
    total, size = parameters(model).total, scene.chosen.memory.weights_bytes
    read = scene.chosen.on.pass_cost(1, scene.context)
    return [
        Formula(
            label="Weights",
            rule="parameters × mean bits of a weight ÷ 8",
            inserted=f"{total:,} × {8 * size / total:.4g} ÷ 8",
            result=_gb(size),
            source=model.source,
        ),
        Formula(
            label="Writes at, at the most",
            rule="memory bandwidth ÷ bytes of a pass",
            inserted=f"{units.show(device.memory_bandwidth_bytes_per_s, 'B/s')} ÷ {_gb(read.moved_bytes)}",
            result=units.show(device.memory_bandwidth_bytes_per_s / read.moved_bytes, "tokens/s", digits=3),
            source="roofline model, Williams, Waterman and Patterson, 2009",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """Each format's size, longest context and speed."""
    rows: list[list[Cell]] = [["weights", "weights_bytes", "longest_context_tokens", "decode_tokens_per_s"]]
    for row in scene.rows:
        rows.append([row.key, row.memory.weights_bytes, row.longest or 0, row.decode_tokens_per_s])
    return rows
