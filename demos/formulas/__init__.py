"""What do the formulas of prefill and decode give for a model and a device of your choice?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from simple_html import SafeString, code, dd, div, dl, dt, span

import pysim
from demos.formulas.rows import FormulaRow, Workload, rows
from demos.kit.declare import choices
from demos.kit.declare.controls import Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts, texts_of
from demos.kit.html import Attributes, element, joined, output
from demos.kit.number import plural

TITLE = "What do the formulas give for your model and device?"
LEAD = "Choose, and every formula is worked out."
MAIN = ("model", "device")
ASKED = ("FLOPs and bytes of my model", "formula for time per token", "cache size formula")
LONGEST = 131_072

CONTROLS = (
    choices.models(
        "llama-3.1-8b",
        (
            "llama-3.2-1b",
            "llama-2-7b",
            "falcon-7b",
            "llama-3.1-8b",
            "gemma-3-12b",
            "qwen3-30b-a3b",
            "llama-3.1-70b",
            "deepseek-v3",
        ),
    ),
    choices.devices(
        "rtx-4090", ("snapdragon-8-gen-3", "apple-m3-max-40c", "strix-halo", "rtx-4090", "rtx-5090", "h100-sxm", "b200")
    ),
    choices.weights(),
    choices.caches(),
    Slider(name="prompt_tokens", label="Prompt, P", start=1000, low=1, high=LONGEST, scale="log", noun="tokens"),
    Slider(name="output_tokens", label="Answer, N", start=200, low=1, high=10_000, scale="log", noun="tokens"),
    Slider(name="context_tokens", label="In the cache, c", start=1000, low=1, high=LONGEST, scale="log", noun="tokens"),
    Slider(name="batch", label="Conversations in a decode pass", start=1, low=1, high=256, scale="log"),
)

FITS = Readout(name="fits", label="Fits in memory", flag=True)
UNITS = {
    "_flop": "FLOP",
    "_flop_per_byte": "FLOP/B",
    "_bytes": "B",
    "_bytes_per_token": "B",
    "_tokens_per_s": "tokens/s",
    "_s": "s",
}
NUMBERS = (
    "prefill_flop",
    "prefill_bytes",
    "prefill_intensity_flop_per_byte",
    "prefill_pass_s",
    "decode_flop",
    "decode_bytes",
    "decode_intensity_flop_per_byte",
    "decode_pass_s",
    "ridge_flop_per_byte",
    "ridge_tokens",
    "kv_bytes_per_token",
    "kv_cache_bytes",
    "weights_bytes",
    "equal_at_tokens",
    "ttft_s",
    "tpot_s",
    "total_s",
    "prefill_tokens_per_s",
    "decode_tokens_per_s",
)


def _readout(name: str) -> Readout:
    if name.endswith("_tokens"):
        return Readout(name=name, label=name, counts="token")
    unit = max((ending for ending in UNITS if name.endswith(ending)), key=len)
    return Readout(name=name, label=name, unit=UNITS[unit])


READOUTS = (*(_readout(name) for name in NUMBERS), FITS)
BY_NAME = {readout.name: readout for readout in READOUTS}

PRESETS = (
    Preset(label="Keys and values per head", values={"model": "llama-2-7b"}),
    Preset(label="One head for all", values={"model": "falcon-7b", "context_tokens": "1000"}),
    Preset(label="A compressed row", values={"model": "deepseek-v3", "device": "b200", "weights": "fp8"}),
    Preset(label="Windows", values={"model": "gemma-3-12b", "context_tokens": "32000", "device": "h100-sxm"}),
)
MATH_NOTE = "Best case: the device’s spec sheet, fully used. GB is 10⁹ bytes, GiB 2³⁰."


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The formulas worked out, and whether weights and caches fit."""

    at: Workload
    rows: tuple[FormulaRow, ...]
    fits: bool | None


def scene(**values: Value) -> Scene:
    """Work out every formula by the simulator; times are best case."""
    at = Workload(
        on=pysim.Deployment(
            pysim.load_model(str(values["model"])),
            pysim.load_device(str(values["device"])),
            weight_format=str(values["weights"]),
            kv_format=str(values["kv"]),
        ),
        prompt=int(values["prompt_tokens"]),
        output=int(values["output_tokens"]),
        context=int(values["context_tokens"]),
        batch=int(values["batch"]),
    )
    worked = tuple(rows(at))
    return Scene(at=at, rows=worked, fits=at.on.memory(at.context, at.batch).fits)


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """Each formula as a row: its name and rule, the values put in, and what comes out."""
    groups = [_group(name, list(members)) for name, members in groupby(scene.rows, key=lambda row: row.group)]
    fits: ReadoutValue = Missing("the device's memory size is not published") if scene.fits is None else scene.fits
    stage = element(div, {"class": "stage formulas"}, *groups)
    return joined(stage, readouts((FITS,), {"fits": fits})).safe_str


def _group(name: str, members: Sequence[FormulaRow]) -> SafeString:
    return element(
        div,
        {"class": "formula-group"},
        div({"class": "formula-name"}, name),
        dl({"class": "formula-rows"}, *[_drawn(row) for row in members]),
    )


def _drawn(row: FormulaRow) -> SafeString:
    raw, shown = _texts(row)
    given: Attributes = {"data-readout": row.name, "data-value": raw, "class": "formula-result"}
    why = [span({"class": "readout-reason"}, row.missing)] if row.value is None else []
    return element(
        div,
        {"class": "formula-row"},
        dt(row.formula.label, span({"class": "formula-rule"}, row.formula.rule)),
        dd(code(f"{row.formula.inserted} ="), " ", output(given, shown), *why),
    )


def _texts(row: FormulaRow) -> tuple[str, str]:
    value = Missing(row.missing) if row.value is None else row.value
    return texts_of(BY_NAME[row.name], value)


def say(scene: Scene, t_s: float) -> str:
    """What limits the two kinds of pass, and how long they take."""
    shown = {row.name: _texts(row)[1] for row in scene.rows}
    ways = {row.name: row.formula.inserted.rsplit(", ", 1)[-1] for row in scene.rows if row.name.endswith("_pass_s")}
    fit = " The weights and caches do not fit in its memory; times are as if they did." if scene.fits is False else ""
    return (
        f"{scene.at.on.model.name} on {scene.at.on.device.name}: prefill of {plural(scene.at.prompt, 'token')} takes "
        f"{shown['prefill_pass_s']}, {ways['prefill_pass_s']}; a decode pass takes {shown['decode_pass_s']}, "
        f"{ways['decode_pass_s']}.{fit}"
    )


def explain(scene: Scene) -> list[Formula]:
    """The same formulas with their sources."""
    return [
        replace(row.formula, label=f"{row.group}: {row.formula.label}", result=_texts(row)[1]) for row in scene.rows
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """Every formula as a row: its name, its value in SI units, the values put in."""
    head: list[list[Cell]] = [["name", "value", "values put in"]]
    return head + [[row.name, "none" if row.value is None else row.value, row.formula.inserted] for row in scene.rows]
