"""Which of the two jobs of a pass has to wait for the other?"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from simple_html import SafeString, div

import pysim
from demos.kit.declare import choices as catalogue
from demos.kit.declare.controls import Choice, Option, Slider, Value
from demos.kit.declare.csv_rows import Cell
from demos.kit.declare.demo import Preset
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import Missing, Readout, ReadoutValue, readouts
from demos.kit.draw.lanes import Lane, Part, key, lanes
from demos.kit.draw.pass_math import pass_math
from demos.kit.html import element, joined
from demos.kit.number import count, plural, share
from demos.one_pass.chip_picture import PICTURES, Workplace, workplace
from demos.one_pass.roofline_plot import Standing, roofline_plot
from pysim import units
from pysim.roofline.pass_cost import PassCost, pass_cost
from pysim.roofline.ridge import ridge_tokens

TITLE = "Which job has to wait for the other?"
LEAD = "Change the number of tokens in one pass."
ASKED = ("memory-bound or compute-bound", "roofline", "is the GPU busy or waiting for memory", "what limits one token")

# What sends how many tokens through the model at once.
DECODE, GUESSES, BATCH, CHUNK, PROMPT = 1, 5, 32, 512, 4096
MOST_TOKENS = 8192
PASSES = (
    (DECODE, "decode", "Decode"),
    (GUESSES, "guesses", "Guess ahead"),
    (BATCH, "batch", "A batch"),
    (CHUNK, "chunk", "A chunk"),
    (PROMPT, "prompt", "A whole prompt"),
)

CONTROLS = (
    Slider(
        name="tokens_in_pass",
        label="Tokens in this pass",
        start=1,
        low=1,
        high=MOST_TOKENS,
        scale="log",
        marks=tuple((tokens, short) for tokens, short, _ in PASSES),
    ),
    Choice(
        name="picture",
        label="Picture",
        start="cook",
        options=(Option(value="cook", label="a cook and a storeroom"), Option(value="chip", label="a chip")),
    ),
    Slider(name="context_tokens", label="Text so far", start=1000, low=1, high=131_072, scale="log", noun="tokens"),
    catalogue.models("llama-3.1-8b", ("llama-3.2-1b", "llama-3.1-8b", "qwen3-14b", "qwen3-30b-a3b")),
    catalogue.weights(),
    catalogue.devices(
        "rtx-4090", ("snapdragon-8-gen-3", "apple-m3-max-40c", "strix-halo", "rtx-4090", "h100-sxm", "b200")
    ),
)

READOUTS = (
    Readout(name="tokens_in_pass", label="In this pass", counts="token"),
    Readout(name="memory_s", label="Reading", unit="s"),
    Readout(name="compute_s", label="Math", unit="s"),
    Readout(name="pass_s", label="The whole pass", unit="s"),
    Readout(name="bound", label="Limited by", texts={"memory": "memory", "compute": "compute"}),
    Readout(name="arithmetic_intensity_flop_per_byte", label="Math per byte", unit="FLOP/B"),
    Readout(name="ridge_tokens", label="Ridge", counts="token"),
    Readout(name="tokens_per_s", label="Speed", unit="tokens/s"),
)

PRESETS = tuple(Preset(label=label, values={"tokens_in_pass": str(tokens)}) for tokens, _, label in PASSES)

MATH_NOTE = (
    "Best case: the device's datasheet figures, fully used. Real software is slower. The tokens are of one "
    "conversation; in a batch each conversation would read a cache of its own."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """One pass: what it costs, and where the two jobs would take equally long."""

    tokens: int
    context: int
    picture: str
    model: pysim.Model
    device: pysim.Device
    weights: str
    cost: PassCost
    ridge: float | None

    @property
    def memory_s(self) -> float:
        return float(self.cost.memory_s)

    @property
    def compute_s(self) -> float:
        return float(self.cost.compute_s)

    @property
    def pass_s(self) -> float:
        return float(self.cost.time_s)

    @property
    def math_waits(self) -> bool:
        return self.cost.bound == "memory"

    @property
    def waiting(self) -> float:
        """The share of the pass for which the shorter job waits."""
        return 1 - min(self.memory_s, self.compute_s) / self.pass_s


def scene(**values: Value) -> Scene:
    """Ask the simulator for the pass; times are best case."""
    model, device, weights = str(values["model"]), str(values["device"]), str(values["weights"])
    tokens, context = int(values["tokens_in_pass"]), int(values["context_tokens"])
    loaded, on = pysim.load_model(model), pysim.load_device(device)
    return Scene(
        tokens=tokens,
        context=context,
        picture=str(values["picture"]),
        model=loaded,
        device=on,
        weights=weights,
        cost=pass_cost(loaded, on, tokens, context, weights=weights),
        ridge=_ridge(model, device, context, weights),
    )


@lru_cache(maxsize=64)
def _ridge(model: str, device: str, context: int, weights: str) -> float | None:
    return ridge_tokens(pysim.load_model(model), pysim.load_device(device), context, weights)


def stops(scene: Scene) -> list[float]:
    """A still picture: it changes with the controls alone."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The place of work, the two jobs in time, and the pass on the device's roofline."""
    stage = element(
        div,
        {"class": "stage one-pass"},
        workplace(_workplace(scene)),
        _lanes(scene),
        div({"class": "cap"}, PICTURES[scene.picture].meanwhile),
        _roofline(scene),
    )
    return joined(stage, readouts(READOUTS, _values(scene))).safe_str


def _values(scene: Scene) -> dict[str, ReadoutValue]:
    never = Missing("no pass reaches it")
    return {
        "tokens_in_pass": scene.tokens,
        "memory_s": scene.memory_s,
        "compute_s": scene.compute_s,
        "pass_s": scene.pass_s,
        "bound": str(scene.cost.bound),
        "arithmetic_intensity_flop_per_byte": float(scene.cost.arithmetic_intensity_flop_per_byte),
        "ridge_tokens": never if scene.ridge is None else round(scene.ridge),
        "tokens_per_s": scene.tokens / scene.pass_s,
    }


def _cache_bytes(scene: Scene) -> float:
    return float(scene.cost.kv_read_bytes + scene.cost.kv_written_bytes)


def _weights_bytes(scene: Scene) -> float:
    return float(scene.cost.weights_read_bytes)


def _workplace(scene: Scene) -> Workplace:
    weights, cache = _weights_bytes(scene), _cache_bytes(scene)
    return Workplace(
        picture=scene.picture,
        fetched=units.show(weights + cache, "B"),
        cache_share=cache / (weights + cache),
        way_time=units.show(scene.memory_s, "s"),
        work_time=units.show(scene.compute_s, "s"),
        tokens=scene.tokens,
        waiting=share(scene.waiting),
        work_waits=scene.math_waits,
    )


def _lanes(scene: Scene) -> SafeString:
    """Reading fills half the width, and stays so until the math needs more than the other half."""
    words = PICTURES[scene.picture]
    weights, cache = _weights_bytes(scene), _cache_bytes(scene)
    weights_s = scene.memory_s * weights / (weights + cache)
    waits = f"waits {share(scene.waiting)}"
    reading = Lane(
        title=words.fetch,
        note=joined(
            key("mem", f"{units.show(weights, 'B')} {words.weights}"),
            key("kvr", f"{units.show(cache, 'B')} {words.cache}"),
        ),
        parts=[Part(kind="mem", time_s=weights_s), Part(kind="kvr", time_s=scene.memory_s - weights_s)],
        waits="" if scene.math_waits else waits,
    )
    doing = Lane(
        title=words.do,
        note=key("math", f"{units.show(float(scene.cost.flop), 'FLOP')} for {plural(scene.tokens, words.item)}"),
        parts=[Part(kind="math", time_s=scene.compute_s)],
        waits=waits if scene.math_waits else "",
    )
    end = f"pass over: {units.show(scene.pass_s, 's', digits=3)}"
    return lanes([reading, doing], max(2 * scene.memory_s, scene.compute_s), end_s=scene.pass_s, end_label=end)


def _roofline(scene: Scene) -> SafeString:
    """The device's roof, the pass on it, and where other passes would stand."""
    return roofline_plot(
        scene.device,
        scene.cost.ridge_flop_per_byte,
        Standing.of(scene.cost, plural(scene.tokens, "token")),
        _others(scene.model, scene.device, scene.context, scene.weights),
        ridge_label="ridge" if scene.ridge is None else f"ridge: {plural(round(scene.ridge), 'token')}",
        summary=f"Roofline: {say(scene, 0.0)}",
    )


@lru_cache(maxsize=32)
def _others(model: pysim.Model, device: pysim.Device, context: int, weights: str) -> list[Standing]:
    """The passes that the slider marks."""
    return [
        Standing.of(pass_cost(model, device, tokens, context, weights=weights), label.lower())
        for tokens, _, label in PASSES
    ]


def say(scene: Scene, t_s: float) -> str:
    """Which job waits, and how long both take."""
    reading, doing = (units.show(each_s, "s", digits=3) for each_s in (scene.memory_s, scene.compute_s))
    times = f"{plural(scene.tokens, 'token')} in the pass: reading takes {reading}, the math {doing}"
    if scene.waiting < 0.005:
        return f"{times}; the two are in balance."
    waits, ends = ("the math", "the reading") if scene.math_waits else ("the reading", "the math")
    return f"{times}; {waits} waits {share(scene.waiting)} of the time, {ends} sets the pace."


def explain(scene: Scene) -> list[Formula]:
    """Bytes and FLOP of the pass, the two times, the intensity and the ridge."""
    read, written = count(scene.context), count(scene.tokens)
    steps = pass_math(scene.device, scene.cost, f"{read} rows read, {written} written")
    if scene.ridge is None:
        return steps
    return [
        *steps,
        Formula(
            label="Ridge in tokens",
            rule="as many tokens as it takes for that much math per byte, when both take equally long",
            inserted=f"{units.show(scene.cost.ridge_flop_per_byte, 'FLOP/B')}, {read} rows in the cache",
            result=plural(round(scene.ridge), "token"),
            source="solved by pysim.roofline.ridge.ridge_tokens",
        ),
    ]


def table(scene: Scene) -> list[list[Cell]]:
    """One row per power of two, and the shown one."""
    rows: list[list[Cell]] = [
        ["tokens_in_pass", "memory_s", "compute_s", "pass_s", "bound", "flop_per_byte", "tokens_per_s"]
    ]
    for tokens in sorted({*(2**k for k in range(14)), scene.tokens}):
        cost = pass_cost(scene.model, scene.device, tokens, scene.context, weights=scene.weights)
        times = [float(each_s) for each_s in (cost.memory_s, cost.compute_s, cost.time_s)]
        intensity = float(cost.arithmetic_intensity_flop_per_byte)
        rows.append([tokens, *times, str(cost.bound), intensity, tokens / times[2]])
    return rows
