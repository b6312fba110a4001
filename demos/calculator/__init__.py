"""Does this model fit there, how long may the context be, and how fast are reading and writing then?"""

from __future__ import annotations

import math
from functools import lru_cache

from simple_html import SafeString, div, p

from demos.calculator.controls import CONTROLS, MEMORY_READOUTS, MORE_USABLE, PRESETS, READOUTS
from demos.calculator.engine_reservations import (
    gigabytes,
    of_each,
    on_which,
    reservation_picture,
    reservation_table,
    where,
)
from demos.calculator.explanation import memory_math, speed_math
from demos.calculator.simulation import Scene, scene
from demos.calculator.speed_table import speed_table
from demos.calculator.values import largest_context_tokens, memory_values, table
from demos.calculator.ways_to_fit import way_words
from demos.kit.declare.catalogue_lists import BEST
from demos.kit.declare.formulas import Formula
from demos.kit.declare.readouts import readouts
from demos.kit.draw.small_table import small_table
from demos.kit.html import element, joined
from demos.kit.number import count, plural
from pysim import units
from pysim.formats.default import says_format
from pysim.memory.fitted import fitted
from pysim.memory.kv_cache import kv_cache_bytes
from pysim.memory.ways_to_fit import Load, Way, ways_to_fit

__all__ = [
    "ASKED",
    "CONTROLS",
    "LEAD",
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

TITLE = "Does it fit, and how fast is it?"
LEAD = "Choose a model and the machine to run it on. Nothing leaves your browser."
ASKED = ("VRAM calculator", "will it fit", "how much VRAM", "GPU memory for LLM", "KV cache calculator")
# A share of a memory that needs no words.
MOST_OF_IT = 0.97
EACH_OF_SEVERAL = {
    "prefill_tokens_per_s": "Reads at, combined",
    "ttft_s": "First token after, all prompts",
    "decode_tokens_per_s": "Writes at, per conversation",
}
MATH_NOTE = (
    "GB is 10⁹ bytes, GiB 2³⁰. Weights and caches are counted; the engine's own buffers, graphs and process are "
    "estimates."
)


def stops(scene: Scene) -> list[float]:
    """A still picture."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The verdict, each device's memory as engines take it, the numbers of both, and the two speeds."""
    stage = element(
        div,
        {"class": "stage calculator"},
        _verdict(scene.load),
        *([_help_table(scene.load)] if scene.load.free_bytes < 0 else []),
        *[p({"class": "cap"}, note) for note in _notes(scene)],
        reservation_picture(scene.load, scene.placed, scene.reservations),
        div(
            {"class": "calculator-tables"},
            reservation_table(scene.load, scene.reservations, scene.longest),
            _speeds(scene),
        ),
    )
    return joined(stage, readouts(MEMORY_READOUTS, memory_values(scene))).safe_str


def _verdict(load: Load) -> SafeString:
    """Return the answer that most readers come for, in one line."""
    free = load.free_bytes
    if free < 0:
        return element(p, {"class": "tool-verdict bad"}, f"Does not fit: {gigabytes(-free)} too much{on_which(load)}.")
    longest = f"The largest context that fits is {count(largest_context_tokens(load))} tokens."
    return element(p, {"class": "tool-verdict"}, f"Fits, with {gigabytes(free)} left free{on_which(load)}. {longest}")


def _notes(scene: Scene) -> list[str]:
    load, notes = scene.load, []
    if scene.note:
        notes.append(scene.note)
    notes += [*_usable_note(load), *_fitting_notes(scene)]
    if scene.asked > load.context_tokens:
        notes.append(f"Shown with {count(load.context_tokens)} tokens, the longest context of {load.on.model.name}.")
    stored = says_format(load.on.model, load.on.weight_format)
    if "," in stored:
        notes.append(f"The weights are in {stored}.")
    if load.on.model.left_out:
        notes.append(f"Not counted: {', '.join(load.on.model.left_out)}.")
    copies = _copies(scene)
    if copies > 1.001:
        notes.append(f"This cache can't be split among so many devices: together they hold {copies:.3g} copies.")
    heads = load.on.model.num_attention_heads
    if load.on.split == "tensor" and heads % load.on.n_devices:
        notes.append(f"vLLM would refuse: {heads} heads can't be divided evenly among {load.on.n_devices} devices.")
    return notes


def _usable_note(load: Load) -> list[str]:
    """Say how much of a memory a program can use, where that is clearly less than its size."""
    device = load.on.device
    if device.memory_bytes is None or device.usable_share > MOST_OF_IT:
        return []
    size = units.show(device.memory_bytes, "B", binary=True, digits=3)
    usable = gigabytes(device.usable_memory_bytes or 0.0)
    whose = "the GPU" if device.kind in {"soc", "apu"} else "a program"
    more = MORE_USABLE.get(device.family, "")
    return [f"Of {size}{of_each(load)} {whose} can use {usable}. {more}".strip()]


def _fitting_notes(scene: Scene) -> list[str]:
    """Say what engines that make models fit by themselves would do here."""
    notes = []
    for taken in scene.reservations:
        made = fitted(taken)
        if made is None:
            continue
        host = f" and keep {gigabytes(made.host_bytes)} of the weights in host memory" if made.host_bytes else ""
        free = units.show(taken.rule.margin_bytes, "B", binary=True)
        notes.append(
            f"{taken.engine.name} makes it fit by itself unless you turn that off: with {free} to spare, it would use "
            f"a context of {count(made.context_tokens)} tokens{host}."
        )
    return notes


def _copies(scene: Scene) -> float:
    """Return how many times as large as needed the caches of all devices are together, because parts are copies."""
    load = scene.load
    kept = math.fsum(place.cache_bytes(load.context_tokens, load.batch) for place in scene.placed)
    return kept / kv_cache_bytes(load.on.model, load.context_tokens, load.on.kv_format, load.batch)


def _speeds(scene: Scene) -> SafeString:
    load = scene.load
    as_if = "" if load.free_bytes >= 0 else ", as if it fit"
    several = "" if load.batch == 1 else f", {count(load.batch)} at once"
    title = f"Both speeds at {count(load.context_tokens)} tokens{several}{as_if}"
    labels = {} if load.batch == 1 else EACH_OF_SEVERAL
    only = scene.engine == BEST
    drawn = speed_table(title, scene.typical, scene.best, scene.unknown, only_best=only, labels=labels)
    note = scene.typical.range_note if scene.typical is not None and not only else ""
    told = [f"{note[:1].upper()}{note[1:]}."] if note else []
    told += [scene.measured_note] if scene.measured_note else []
    return joined(drawn, p({"class": "cap"}, " ".join(told))) if told else drawn


@lru_cache(maxsize=16)
def _ways(load: Load) -> tuple[Way, ...]:
    return ways_to_fit(load)


def _help_table(load: Load) -> SafeString:
    ways = [(way_words(way), gigabytes(way.after.free_bytes)) for way in _ways(load)]
    none = [("smaller weights, a shorter context or eight such devices are not enough", "–")]
    return small_table("What would make it fit", ("Change", "left free"), ways or none)


def say(scene: Scene, t_s: float) -> str:
    """Whether it fits, by how much, and the two speeds."""
    load = scene.load
    free = load.free_bytes
    if free < 0:
        ways = _ways(load)
        advice = f" It would with {way_words(ways[0])}." if ways else ""
        return (
            f"{load.on.model.name} does not fit on {where(load)}: {gigabytes(-free)} too much{on_which(load)}.{advice}"
        )
    speeds = ""
    if scene.typical is not None and scene.typical.decode_tokens_per_s is not None:
        reads, writes = (
            units.show(value, "tokens/s", digits=3)
            for value in (scene.typical.prefill_tokens_per_s, scene.typical.decode_tokens_per_s)
        )
        kind = "at best" if scene.engine == BEST else "typically"
        speeds = f" It reads {kind} {reads} and writes {writes}."
    return (
        f"{load.on.model.name} fits on {where(load)} with {plural(load.batch, 'conversation')} of "
        f"{plural(load.context_tokens, 'token')}; {gigabytes(free)} left free{on_which(load)}.{speeds}"
    )


def explain(scene: Scene) -> list[Formula]:
    """Bytes of the weights and of the cache, what three engines take, and both speeds."""
    return [*memory_math(scene.load, scene.reservations), *speed_math(scene.load, scene.typical, scene.best)]
