"""Which of the two jobs of a pass has to wait for the other?"""

from __future__ import annotations

from functools import lru_cache

from simple_html import SafeString, div

import pysim
from demos.kit.declare.readouts import Missing, ReadoutValue, readouts
from demos.kit.draw.lanes import Lane, LanePart, key, lanes
from demos.kit.html import element, joined
from demos.kit.number import plural, share
from demos.one_pass.chip_picture import PICTURES, WorkPicture, work_picture
from demos.one_pass.controls import CONTROLS, PASSES, PRESETS, READOUTS
from demos.one_pass.explanation import explain, table
from demos.one_pass.roofline_plot import Standing, roofline_plot
from demos.one_pass.simulation import Scene, scene
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

TITLE = "Which job has to wait for the other?"
LEAD = "Change the number of tokens in one pass."
MAIN = ("tokens_in_pass",)
ASKED = ("memory-bound or compute-bound", "roofline", "is the GPU busy or waiting for memory", "what limits one token")

MATH_NOTE = (
    "Best case: the device's spec sheet, fully used. Real software is slower. The tokens are of one "
    "conversation; in a batch each conversation would read its own cache."
)


def stops(scene: Scene) -> list[float]:
    """A still picture: it changes with the controls alone."""
    return [0.0]


def frame(scene: Scene, t_s: float) -> str:
    """The place of work, the two jobs in time, and the pass on the device's roofline."""
    stage = element(
        div,
        {"class": "stage one-pass"},
        work_picture(_work_picture(scene)),
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
        "arithmetic_intensity_flop_per_byte": scene.cost.arithmetic_intensity_flop_per_byte,
        "ridge_tokens": never if scene.ridge is None else round(scene.ridge),
        "tokens_per_s": scene.tokens / scene.pass_s,
    }


def _cache_bytes(scene: Scene) -> float:
    return scene.cost.kv_read_bytes + scene.cost.kv_written_bytes


def _weights_bytes(scene: Scene) -> float:
    return scene.cost.weights_read_bytes


def _work_picture(scene: Scene) -> WorkPicture:
    weights, cache = _weights_bytes(scene), _cache_bytes(scene)
    return WorkPicture(
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
        parts=[LanePart(kind="mem", time_s=weights_s), LanePart(kind="kvr", time_s=scene.memory_s - weights_s)],
        waits="" if scene.math_waits else waits,
    )
    doing = Lane(
        title=words.do,
        note=key("math", f"{units.show(scene.cost.flop, 'FLOP')} for {plural(scene.tokens, words.item)}"),
        parts=[LanePart(kind="math", time_s=scene.compute_s)],
        waits=waits if scene.math_waits else "",
    )
    end = f"pass over: {units.show(scene.pass_s, 's', digits=3)}"
    return lanes([reading, doing], max(2 * scene.memory_s, scene.compute_s), end_s=scene.pass_s, end_label=end)


def _roofline(scene: Scene) -> SafeString:
    """The device's roof, the pass on it, and where other passes would stand."""
    return roofline_plot(
        scene.on.device,
        scene.cost.ridge_flop_per_byte,
        Standing.of(scene.cost, plural(scene.tokens, "token")),
        _others(scene.on, scene.context),
        ridge_label="ridge" if scene.ridge is None else f"ridge: {plural(round(scene.ridge), 'token')}",
        summary=f"Roofline: {say(scene, 0.0)}",
    )


@lru_cache(maxsize=32)
def _others(on: pysim.Deployment, context: int) -> list[Standing]:
    """The passes that the slider marks."""
    return [Standing.of(on.pass_cost(tokens, context, speed="datasheet"), label.lower()) for tokens, _, label in PASSES]


def say(scene: Scene, t_s: float) -> str:
    """Which job waits, and how long both take."""
    reading, doing = (units.show(time_s, "s", digits=3) for time_s in (scene.memory_s, scene.compute_s))
    times = f"{plural(scene.tokens, 'token')} in the pass: reading takes {reading}, the math {doing}"
    if scene.waiting < 0.005:
        return f"{times}; the two are in balance."
    waits, ends = ("the math", "the reading") if scene.math_waits else ("the reading", "the math")
    return f"{times}; {waits} waits {share(scene.waiting)} of the time, {ends} sets the pace."
